// SPDX-License-Identifier: Apache-2.0

/// Turns an element's attributes and values into assignments to an object's properties.
///
/// A value that cannot be read is named in a warning and left out.
struct PropertyWriter {
    let element: InterfaceElement
    /// The expression of the object in Swift: "view".
    let target: String
    let script: InterfaceScript

    func set(_ property: String, _ value: String) {
        script.add("\(target).\(property) = \(value)")
    }

    /// Adds a call of a method.
    func call(_ call: String) {
        script.add("\(target).\(call)")
    }

    private func warn(_ attribute: String, _ value: String, _ what: String) {
        script.warn(element, "\(attribute) is \"\(value)\", which is no \(what)")
    }

    /// A truth value, "YES" or "NO"; nil when it is not there, or is neither.
    func flag(_ attribute: String) -> Bool? {
        guard let value = element[attribute] else { return nil }
        guard value == "YES" || value == "NO" else {
            warn(attribute, value, "truth value")
            return nil
        }
        return value == "YES"
    }

    /// Assigns a truth value; `absent` counts where the attribute is not there.
    func bool(_ attribute: String, _ property: String? = nil, absent: Bool? = nil) {
        guard let value = flag(attribute) ?? absent else { return }
        set(property ?? attribute, value ? "true" : "false")
    }

    /// A number as a literal; nil when it is not there, or is none.
    func numeral(_ attribute: String) -> String? {
        guard let value = element[attribute] else { return nil }
        guard let number = SwiftText.number(value) else {
            warn(attribute, value, "number")
            return nil
        }
        return SwiftText.literal(number)
    }

    func number(_ attribute: String, _ property: String? = nil) {
        if let literal = numeral(attribute) { set(property ?? attribute, literal) }
    }

    func integer(_ attribute: String, _ property: String? = nil) {
        guard let value = element[attribute] else { return }
        guard let number = Int32(value) else { return warn(attribute, value, "whole number") }
        set(property ?? attribute, "\(number)")
    }

    /// Assigns a case whose name in Swift the table has.
    func choice(_ attribute: String, _ property: String, _ names: [String: String]) {
        if let name = chosen(attribute, names) { set(property, ".\(name)") }
    }

    /// Assigns a case to the property that is called like the attribute.
    func choice(_ attribute: String, _ names: [String: String]) {
        choice(attribute, attribute, names)
    }

    /// The name in Swift of the case that an attribute names; nil when it is not there, or is unknown.
    func chosen(_ attribute: String, _ names: [String: String]) -> String? {
        guard let value = element[attribute] else { return nil }
        guard let name = names[value] else {
            warn(attribute, value, "value that is known here")
            return nil
        }
        return name
    }

    /// Assigns a text that may be in other languages.
    func text(_ key: String, _ property: String? = nil, entry: String? = nil) {
        guard let text = TextValue.plain(element, key: key, script) else { return }
        set(property ?? key, TextValue.swift(text, of: element, entry: entry ?? key, script))
    }

    func attributedText(_ key: String, _ property: String? = nil) {
        guard let text = element.child("attributedString", key: key) else { return }
        AttributedTextValue.write(text, script) { set(property ?? key, $0) }
    }

    func color(_ key: String, _ property: String? = nil) {
        guard let color = element.child("color", key: key), let value = ColorValue.swift(color, script) else { return }
        set(property ?? key, value)
    }

    func font(_ key: String, _ property: String) {
        guard let font = element.child("fontDescription", key: key), let value = FontValue.swift(font, script) else {
            return
        }
        set(property, value)
    }

    func image(_ key: String, _ property: String? = nil) {
        if let image = ImageValue.swift(element, key: key, script) { set(property ?? key, image) }
    }

    /// Assigns what `read` makes of the child with that key.
    func value(_ key: String, _ property: String, _ read: (InterfaceElement, InterfaceScript) -> String?) {
        guard let child = element.child(key: key), child.name != "nil", let value = read(child, script) else { return }
        set(property, value)
    }

    /// Assigns a value to the property that is called like the child's key.
    func value(_ key: String, _ read: (InterfaceElement, InterfaceScript) -> String?) {
        value(key, key, read)
    }
}
