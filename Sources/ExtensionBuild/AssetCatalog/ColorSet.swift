// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// A colour of a catalogue, in light and dark appearance.
struct ColorSet {
    /// The name for `UIColor(named:)`; with folders where these are part of names.
    let name: String
    /// Expressions of type UIColor.
    private let light: String
    private let dark: String?

    /// Reads the variants; nil, and a warning, when none can be read.
    init?(name: String, _ contents: AssetContents, _ troubles: inout InterfaceTroubles) {
        self.name = name
        var light: (color: String, isOfPhone: Bool)?
        var dark: (color: String, isOfPhone: Bool)?
        for (entry, isDark) in contents.variants("colors", &troubles) {
            guard let color = entry["color"]?.object else { continue }
            guard let swift = Self.swift(color) else {
                troubles.warn(nil, "a variant of the colour \"\(name)\" cannot be read and is left out")
                continue
            }
            let isOfPhone = entry["idiom"]?.string == "iphone"
            if isDark, dark?.isOfPhone != true { dark = (swift, isOfPhone) }
            if !isDark, light?.isOfPhone != true { light = (swift, isOfPhone) }
        }
        guard let one = light ?? dark else {
            troubles.warn(nil, "the colour \"\(name)\" has no variant that can be read, and is left out")
            return nil
        }
        self.light = one.color
        self.dark = light == nil ? nil : dark?.color
    }

    private static func swift(_ color: JSONObject) -> String? {
        if let reference = color["reference"]?.string { return ColorValue.system[reference].map { "UIColor.\($0)" } }
        guard let parts = color["components"]?.object else { return nil }
        let alpha = parts["alpha"].flatMap(part) ?? "1"
        if let white = parts["white"].flatMap(part) { return "UIColor(white: \(white), alpha: \(alpha))" }
        guard let red = parts["red"].flatMap(part), let green = parts["green"].flatMap(part),
            let blue = parts["blue"].flatMap(part)
        else { return nil }
        let head = color["color-space"]?.string == "display-p3" ? "displayP3Red" : "red"
        return "UIColor(\(head): \(red), green: \(green), blue: \(blue), alpha: \(alpha))"
    }

    /// A part as Xcode writes it: "0.500", "128" of 255, or "0x80".
    private static func part(_ value: JSON) -> String? {
        let number: Double?
        if let text = value.string {
            if text.hasPrefix("0x") {
                number = UInt8(text.dropFirst(2), radix: 16).map { Double($0) / 255 }
            } else {
                number = text.contains(".") ? SwiftText.number(text) : UInt8(text).map { Double($0) / 255 }
            }
        } else {
            number = value.double
        }
        return number.map { SwiftText.literal($0) }
    }

    /// The statement that makes the colour known.
    var registration: String {
        let head = "AssetTable.add(color: \(SwiftText.literal(name)), "
        guard let dark else { return head + "\(light))" }
        return head + "UIColor { $0.userInterfaceStyle == .dark ? \(dark) : \(light) })"
    }
}
