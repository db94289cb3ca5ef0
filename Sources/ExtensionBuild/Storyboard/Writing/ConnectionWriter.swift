// SPDX-License-Identifier: Apache-2.0

/// Turns outlets and actions into statements, and checks them against the classes of the sources.
struct ConnectionWriter {
    let script: InterfaceScript
    /// The ids of placeholders for the first responder.
    let responders: Set<String>

    /// All connections of an object; outlets come before actions.
    func write(_ owner: InterfaceObject) {
        let all = owner.element.list("connections")
        var collections: [(name: String, members: [InterfaceObject], element: InterfaceElement)] = []
        var places: [String: Int] = [:]
        for connection in all {
            // What is wrong with a connection is told once.
            connection.readAttributes()
            switch connection.name {
            case "outlet": writeOutlet(connection, of: owner)
            case "outletCollection":
                guard let (name, member) = target(of: connection) else { continue }
                if name == "gestureRecognizers" {
                    script.add("\(owner.expression).addGestureRecognizer(\(member.expression))")
                } else if let place = places[name] {
                    collections[place].members.append(member)
                } else {
                    places[name] = collections.count
                    collections.append((name, [member], connection))
                }
            case "action": break
            default:
                script.warn(connection, "<\(connection.name)> is not known here and is left out")
            }
        }
        for (name, members, element) in collections
        where members.allSatisfy({ isDeclared(name, of: owner, for: $0, isCollection: true, element) }) {
            let list = members.map(\.expression).joined(separator: ", ")
            script.add("ObjectiveCNames.setOutlet(\"\(name)\", of: \(owner.expression), to: [\(list)] as [NSObject])")
        }
        for connection in all where connection.name == "action" { writeAction(connection, of: owner) }
    }

    /// The outlet's name and the object to which it leads; nil, and an error, when one is not there.
    private func target(of connection: InterfaceElement) -> (name: String, object: InterfaceObject)? {
        guard let name = connection["property"], SwiftText.isIdentifier(name) else {
            script.fail(connection, "the outlet \"\(connection["property"] ?? "")\" has no name that Swift knows")
            return nil
        }
        let id = connection["destination"] ?? ""
        guard let object = script.object(id) else {
            script.fail(connection, "the outlet \"\(name)\" leads to \"\(id)\", which is not there or not known here")
            return nil
        }
        return (name, object)
    }

    private func writeOutlet(_ connection: InterfaceElement, of owner: InterfaceObject) {
        guard let (name, object) = target(of: connection) else { return }
        let chain = script.classes.chain(of: owner.className).names
        // An owner without a class may be a controller.
        if name == "view", chain.contains("UIViewController") || owner.className == "NSObject",
            script.classes.property(name, of: owner.className, in: \.outlets) == nil
        {
            return script.add("(\(owner.expression) as? UIViewController)?.view = \(object.expression)")
        }
        if name == "delegate", let type = chain.lazy.compactMap({ UIKitClass.delegates[$0] }).first {
            return script.add("\(owner.expression).delegate = \(object.expression) as? any \(type)")
        }
        guard isDeclared(name, of: owner, for: object, isCollection: false, connection) else { return }
        script.add("ObjectiveCNames.setOutlet(\"\(name)\", of: \(owner.expression), to: \(object.expression))")
    }

    /// True if the class has the outlet and its type takes the object, or if neither can be told here.
    private func isDeclared(
        _ name: String,
        of owner: InterfaceObject,
        for object: InterfaceObject,
        isCollection: Bool,
        _ connection: InterfaceElement
    ) -> Bool {
        let classes = script.classes
        guard let outlet = classes.property(name, of: owner.className, in: \.outlets) else {
            guard classes.chain(of: owner.className).isWhole else { return true }
            script.fail(connection, "the class \"\(owner.className)\" has no @IBOutlet \"\(name)\"")
            return false
        }
        guard outlet.isCollection == isCollection else {
            let found = isCollection ? "a list" : "one object"
            script.fail(
                connection,
                "the outlet \"\(name)\" is of type \(outlet.type), and the file has \(found) for it"
            )
            return false
        }
        let fits = classes.fits(object.className, type: outlet.elementType)
        if fits == false || object.isStandIn && fits != true {
            let found = object.isStandIn ? "<\(object.element.name)>" : object.className
            script.fail(connection, "the outlet \"\(name)\" is of type \(outlet.type), and leads to a \(found)")
            return false
        }
        return true
    }

    private func writeAction(_ action: InterfaceElement, of owner: InterfaceObject) {
        let selector = action["selector"] ?? ""
        guard SwiftText.isSelector(selector) else {
            return script.fail(action, "the action \"\(selector)\" has no name that Swift knows")
        }
        guard let target = actionTarget(action, selector) else { return }
        let head = "\(owner.expression).addTarget(\(target), action: Selector(\"\(selector)\")"
        let chain = script.classes.chain(of: owner.className).names
        if chain.contains("UIGestureRecognizer") { return writeGesture(action, target, head) }
        guard chain.contains("UIControl") else {
            return script.warn(action, "a \(owner.className) sends no actions: \"\(selector)\" is left out")
        }
        let reader = PropertyWriter(element: action, target: "", script: script)
        guard let event = reader.chosen("eventType", Choices.events) else {
            return script.warn(action, "the action \"\(selector)\" has no event, and is left out")
        }
        script.add("\(head), for: .\(event))")
    }

    private func writeGesture(_ action: InterfaceElement, _ target: String, _ head: String) {
        let isOwner = action["destination"].flatMap { script.object($0) }?.element.name == "placeholder"
        if target == "nil" {
            script.warn(action, "a recognizer needs an object for its action, which is left out")
        } else if isOwner {
            // A xib's owner may not be there.
            script.add("if let owner { \(head)) }")
        } else {
            script.add("\(head))")
        }
    }

    /// The expression of the object that has the action; "nil" stands for the responder chain.
    private func actionTarget(_ action: InterfaceElement, _ selector: String) -> String? {
        let id = action["destination"] ?? ""
        if responders.contains(id) { return "nil" }
        guard let object = script.object(id) else {
            script.fail(action, "the action \"\(selector)\" leads to \"\(id)\", which is not there or not known here")
            return nil
        }
        let chain = script.classes.chain(of: object.className)
        if !chain.isWhole || script.classes.hasAction(selector, in: object.className) { return object.expression }
        if UIKitClass.ownActions.contains(selector), chain.names.contains("UIView") {
            script.warn(action, "UIKit's own \"\(selector)\" is not called from files here, and is left out")
        } else {
            script.fail(action, "the class \"\(object.className)\" has no @IBAction \"\(selector)\"")
        }
        return nil
    }
}
