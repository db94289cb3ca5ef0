// SPDX-License-Identifier: Apache-2.0

/// Turns user-defined runtime attributes into assignments, without key-value coding.
///
/// A key path is a property with `@IBInspectable` of the object's class, another property of it that the compiler
/// finds, or one of a layer that is known here.
struct RuntimeAttributeWriter {
    private enum Kind {
        case truth, number, text, image, color, point, size, rect, range, none
    }

    let script: InterfaceScript

    func write(_ owner: InterfaceObject) {
        for attribute in owner.element.list("userDefinedRuntimeAttributes") { write(attribute, of: owner) }
    }

    private func write(_ attribute: InterfaceElement, of owner: InterfaceObject) {
        let path = attribute["keyPath"] ?? ""
        guard let (kind, value) = value(of: attribute) else {
            return script.warn(attribute, "the value for \"\(path)\" is not understood, and is left out")
        }
        if let kinds = Self.known[path], script.classes.chain(of: owner.className).names.contains("UIView") {
            guard kinds == kind else {
                return script.warn(attribute, "\"\(path)\" takes no such value, and is left out")
            }
            return script.add("\(owner.expression).\(path) = \(value)")
        }
        guard SwiftText.isIdentifier(path) else {
            return script.warn(
                attribute,
                "\"\(path)\" is no property that is known here of the class \"\(owner.className)\", and is left out"
            )
        }
        guard let property = script.classes.property(path, of: owner.className, in: \.inspectables) else {
            // The compiler knows the properties of UIKit's own, and points at the attribute that nobody has.
            let name = Self.swiftNames[path] ?? path
            return script.located(attribute.line) { script.add("\(owner.expression).\(name) = \(value)") }
        }
        guard !property.isConstant else {
            return script.fail(
                attribute,
                "\"\(path)\" of the class \"\(owner.className)\" is a constant or has no setter: give it one, or "
                    + "take the attribute away in Xcode's identity inspector"
            )
        }
        guard let fitting = Self.fitting(value, kind, type: property.elementType) else {
            return script.fail(attribute, "\"\(path)\" is of type \(property.type), and the file's value is none of it")
        }
        script.located(attribute.line) { script.add("\(owner.expression).\(property.name) = \(fitting)") }
    }

    private static let known: [String: Kind] = [
        "clipsToBounds": .truth, "layer.borderWidth": .number, "layer.cornerRadius": .number,
        "layer.masksToBounds": .truth, "layer.opacity": .number, "layer.shadowOffset": .size,
        "layer.shadowOpacity": .number, "layer.shadowRadius": .number,
    ]

    /// Properties that key-value coding knows by other names than Swift.
    private static let swiftNames = Dictionary(
        uniqueKeysWithValues: [
            "continuous", "editable", "enabled", "exclusiveTouch", "hidden", "highlighted", "momentary",
            "multipleTouchEnabled", "on", "opaque", "pagingEnabled", "scrollEnabled", "secureTextEntry", "selectable",
            "selected", "userInteractionEnabled",
        ].map { ($0, "is" + $0.prefix(1).uppercased() + $0.dropFirst()) }
    )

    private static let integers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]
    private static let types: [Kind: Set<String>] = [
        .truth: ["Bool"], .number: ["CGFloat", "Double", "Float", "NSNumber", "TimeInterval"], .text: ["String"],
        .image: ["UIImage"], .color: ["UIColor"], .point: ["CGPoint"], .size: ["CGSize"], .rect: ["CGRect"],
        .range: ["NSRange"],
    ]

    /// The value as one of the type: numbers and truth values stand for each other, as key-value coding has it.
    private static func fitting(_ value: String, _ kind: Kind, type: String) -> String? {
        switch kind {
        case .none: return value
        case .number where type == "Bool": return value == "0" ? "false" : "true"
        case .number where integers.contains(type): return Int64(value) == nil ? nil : value
        case .truth where integers.contains(type) || types[.number]?.contains(type) == true:
            return value == "true" ? "1" : "0"
        case _ where types[kind]?.contains(type) == true: return value
        // The compiler decides about types of the sources' own.
        case _: return types.values.contains { $0.contains(type) } || integers.contains(type) ? nil : value
        }
    }

    private func value(of attribute: InterfaceElement) -> (Kind, String)? {
        let child = attribute.child(key: "value")
        _ = child?.key
        switch attribute["type"] {
        case "boolean":
            let value = attribute["value"] ?? child?["value"]
            return value.map { (.truth, $0 == "YES" ? "true" : "false") }
        case "number":
            let value = child?["value"] ?? attribute["value"]
            return value.flatMap(SwiftText.number).map { (.number, SwiftText.literal($0)) }
        case "string":
            let value = attribute["value"] ?? child.map { TextValue.content($0, script) }
            return value.map { (.text, SwiftText.literal($0)) }
        case "image":
            let name = attribute["value"] ?? child.flatMap { $0["image"] ?? $0["name"] }
            return name.map { (.image, "UIImage(named: \(SwiftText.literal($0)))") }
        case "color": return child.flatMap { ColorValue.swift($0, script) }.map { (.color, $0) }
        case "point": return child.flatMap { GeometryValue.point($0, script) }.map { (.point, $0) }
        case "size": return child.flatMap { GeometryValue.size($0, script) }.map { (.size, $0) }
        case "rect": return child.flatMap { GeometryValue.rect($0, script) }.map { (.rect, $0) }
        case "range": return child.flatMap { GeometryValue.range($0, script) }.map { (.range, $0) }
        case "nil": return (.none, "nil")
        default: return nil
        }
    }
}
