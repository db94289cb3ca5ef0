// SPDX-License-Identifier: Apache-2.0

/// Turns constraints into statements that make them and activate all of a function together.
///
/// Source: Apple, "NSLayoutConstraint".
struct ConstraintWriter {
    let script: InterfaceScript

    func writeAll() {
        var active: [String] = []
        var excluded: [String: Set<String>] = [:]
        for (element, container) in script.constraints {
            let place = container.expression
            let left = excluded[place] ?? SizeVariation.excluded(from: container.element, key: "constraints")
            excluded[place] = left
            // A placeholder is for Xcode's canvas, and is taken out when iOS reads the file.
            if element["placeholder"] == "YES" {
                _ = element.readingAll()
                continue
            }
            guard let name = write(element, container) else { continue }
            // An outlet may lead to a constraint that no variation has made active.
            if left.contains(element.id ?? "") { script.add("_ = \(name)") } else { active.append(name) }
        }
        guard !active.isEmpty else { return }
        script.block("NSLayoutConstraint.activate([", tail: "])") {
            for name in active { script.add("\(name),") }
        }
    }

    /// The name of the constraint's variable; nil, and a warning, when a part of it is not there.
    private func write(_ element: InterfaceElement, _ container: InterfaceObject) -> String? {
        let reader = PropertyWriter(element: element, target: "", script: script)
        guard element.name == "constraint",
            let attribute = reader.chosen("firstAttribute", Choices.constraintAttributes),
            let item = item("firstItem", of: element, container)
        else {
            script.warn(element, "the constraint is not understood and is left out")
            _ = element.readingAll()
            return nil
        }
        let relation = reader.chosen("relation", Choices.relations) ?? "equal"
        let second = reader.chosen("secondAttribute", Choices.constraintAttributes)
        let other = second == nil ? "nil" : self.item("secondItem", of: element, container)
        guard let other else {
            script.warn(element, "the constraint's second item is not there, and it is left out")
            return nil
        }
        let name = script.variable("constraint")
        let constant = reader.numeral("constant") ?? "0"
        script.add(
            "let \(name) = NSLayoutConstraint(item: \(item), attribute: .\(attribute), relatedBy: .\(relation), "
                + "toItem: \(other), attribute: .\(second ?? "notAnAttribute"), multiplier: \(multiplier(element)), "
                + "constant: \(constant))"
        )
        if let priority = reader.numeral("priority") { script.add("\(name).priority = UILayoutPriority(\(priority))") }
        if let identifier = element["identifier"] {
            script.add("\(name).identifier = \(SwiftText.literal(identifier))")
        }
        script.register(InterfaceObject(expression: name, className: "NSLayoutConstraint", element: element))
        return name
    }

    /// The view or guide that an attribute names, or the view in which the constraint stands.
    private func item(_ attribute: String, of element: InterfaceElement, _ container: InterfaceObject) -> String? {
        guard let id = element[attribute] else { return container.expression }
        return script.object(id)?.expression
    }

    /// A number, or two with a colon between them.
    private func multiplier(_ element: InterfaceElement) -> String {
        guard let text = element["multiplier"] else { return "1" }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { SwiftText.number(String($0)) }
        switch parts.count {
        case 1: if let number = parts[0] { return SwiftText.literal(number) }
        case 2:
            if let above = parts[0], let below = parts[1], below != 0 {
                return "\(above) / \(below)"
            }
        default: break
        }
        script.warn(element, "multiplier is \"\(text)\", which is no number")
        return "1"
    }
}
