// SPDX-License-Identifier: Apache-2.0

/// Writes what comes when all objects of a function are there.
struct EndWriter {
    let script: InterfaceScript
    let responders: Set<String>

    /// Adds constraints, runtime attributes, connections of the objects and of their owner, `awakeFromNib`: in this
    /// order.
    func write(_ owner: InterfaceObject?) {
        ConstraintWriter(script: script).writeAll()
        let attributes = RuntimeAttributeWriter(script: script)
        script.owners.forEach(attributes.write)
        let connections = ConnectionWriter(script: script, responders: responders)
        script.owners.forEach(connections.write)
        if let owner { connections.write(owner) }
        for object in script.owners where UIKitClass.named(object.className) == nil {
            guard script.classes.chain(of: object.className).names.contains("UIView") else { continue }
            script.add("\(object.expression).awakeFromNib()")
        }
    }
}
