// SPDX-License-Identifier: Apache-2.0

/// A storyboard's colour as Swift.
///
/// Source: Apple, "UIColor", "Standard colors" and "UI element colors", for the names.
enum ColorValue {
    /// An expression of type UIColor; nil, and a warning, for a colour that cannot be read.
    static func swift(_ color: InterfaceElement, _ script: InterfaceScript) -> String? {
        _ = (color.key, color["colorSpace"], color["id"])
        if let name = systemName(color) {
            if let property = system[name] { return "UIColor.\(property)" }
            if let cached = script.resources.color(system: name) { return components(cached, script) }
            script.warn(color, "there is no system colour \"\(name)\"")
            return nil
        }
        if let name = color["name"] {
            let cached = script.resources.color(named: name).flatMap { components($0, script) }
            return "UIColor(named: \(SwiftText.literal(name))) ?? \(cached ?? "UIColor.clear")"
        }
        return components(color, script)
    }

    /// A colour of Xcode 11 has a second name, for iOS 12.
    private static func systemName(_ color: InterfaceElement) -> String? {
        let names = ["systemColor", "xcode11CocoaTouchSystemColor", "cocoaTouchSystemColor"].compactMap { color[$0] }
        return names.first
    }

    private static func components(_ color: InterfaceElement, _ script: InterfaceScript) -> String? {
        _ = (color.key, color["colorSpace"])
        let custom = color["customColorSpace"]
        func number(_ attribute: String) -> Double? { color[attribute].flatMap(SwiftText.number) }
        let alpha = number("alpha") ?? 1
        let text = { (number: Double) in SwiftText.literal(number) }
        if let white = number("white") { return "UIColor(white: \(text(white)), alpha: \(text(alpha)))" }
        if let red = number("red"), let green = number("green"), let blue = number("blue") {
            let head = custom == "displayP3" ? "displayP3Red" : "red"
            return "UIColor(\(head): \(text(red)), green: \(text(green)), blue: \(text(blue)), alpha: \(text(alpha)))"
        }
        if let cyan = number("cyan"), let magenta = number("magenta"), let yellow = number("yellow") {
            let black = number("black") ?? 0
            let parts = [cyan, magenta, yellow].map { text((1 - $0) * (1 - black)) }
            return "UIColor(red: \(parts[0]), green: \(parts[1]), blue: \(parts[2]), alpha: \(text(alpha)))"
        }
        script.warn(color, "the colour has no parts that are known here")
        return nil
    }

    /// The property of UIColor for a name in a storyboard.
    static let system: [String: String] = {
        let names = [
            "black", "blue", "brown", "clear", "cyan", "darkGray", "darkText", "gray", "green", "label", "lightGray",
            "lightText", "link", "magenta", "opaqueSeparator", "orange", "placeholderText", "purple",
            "quaternaryLabel", "quaternarySystemFill", "red", "secondaryLabel", "secondarySystemBackground",
            "secondarySystemFill", "secondarySystemGroupedBackground", "separator", "systemBackground", "systemBlue",
            "systemBrown", "systemCyan", "systemFill", "systemGray", "systemGray2", "systemGray3", "systemGray4",
            "systemGray5", "systemGray6", "systemGreen", "systemGroupedBackground", "systemIndigo", "systemMint",
            "systemOrange", "systemPink", "systemPurple", "systemRed", "systemTeal", "systemYellow", "tertiaryLabel",
            "tertiarySystemBackground", "tertiarySystemFill", "tertiarySystemGroupedBackground", "white", "yellow",
        ]
        var table = Dictionary(uniqueKeysWithValues: names.map { ("\($0)Color", $0) })
        // Names of before iOS 13 and of Interface Builder alone.
        table["groupTableViewBackgroundColor"] = "systemGroupedBackground"
        table["tableCellGroupedBackgroundColor"] = "secondarySystemGroupedBackground"
        table["tintColor"] = "tintColor"
        return table
    }()
}
