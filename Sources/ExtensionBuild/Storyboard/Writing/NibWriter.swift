// SPDX-License-Identifier: Apache-2.0

/// Writes the objects of a xib: a function that makes them for an owner.
struct NibWriter {
    let script: InterfaceScript

    func write(_ root: InterfaceElement) {
        script.block("@MainActor static func makeObjects(owner: Any?) -> [Any] {") {
            let writer = ObjectWriter(script: script)
            var responders: Set<String> = []
            var owner: InterfaceObject?
            var objects: [String] = []
            for element in root.list("objects") {
                if element.name == "placeholder" {
                    if element["placeholderIdentifier"] == "IBFilesOwner" {
                        owner = register(owner: element)
                    } else {
                        element.readAttributes()
                        responders.insert(element.id ?? "")
                    }
                } else if let object = writer.other(element) ?? writer.view(element) {
                    objects.append(object.expression)
                }
            }
            EndWriter(script: script, responders: responders).write(nil)
            write(connectionsOf: owner, responders)
            script.add("return [\(objects.joined(separator: ", "))]")
        }
    }

    /// The owner's class matters for checks alone: the code takes whatever owner it gets.
    private func register(owner element: InterfaceElement) -> InterfaceObject {
        let name = element["customClass"].map(script.classes.name(forFile:)) ?? "NSObject"
        if !script.classes.isKnown(name) {
            script.fail(element, "no source has the class \"\(name)\" of File's Owner")
        }
        let owner = InterfaceObject(expression: "owner", className: name, element: element)
        script.register(owner)
        return owner
    }

    /// Connects the owner, if there is one when the code runs; else nothing is connected, as on iOS.
    private func write(connectionsOf owner: InterfaceObject?, _ responders: Set<String>) {
        guard let owner, !owner.element.list("connections").isEmpty else { return }
        script.block("if let owner = owner as? NSObject {") {
            ConnectionWriter(script: script, responders: responders).write(owner)
        }
    }
}
