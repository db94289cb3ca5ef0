// SPDX-License-Identifier: Apache-2.0

import Foundation
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
        var light: String?
        var dark: String?
        var leftOut: [String] = []
        for variant in contents.variants("colors", &troubles) {
            guard let color = variant.entry["color"]?.object, Self.isOfPhone(color) else { continue }
            guard (variant.isDark ? dark : light) == nil else {
                leftOut += variant.conditions
                continue
            }
            guard let swift = Self.swift(color) else {
                troubles.warn(nil, "a variant of the colour \"\(name)\" cannot be read and is left out")
                continue
            }
            if variant.isDark { dark = swift } else { light = swift }
        }
        AssetContents.warn(leftOut, of: "the colour \"\(name)\"", &troubles)
        guard let one = light ?? dark else {
            troubles.warn(nil, "the colour \"\(name)\" has no variant that can be read, and is left out")
            return nil
        }
        self.light = one
        self.dark = light == nil ? nil : dark
    }

    /// True for a colour that no other platform's name stands for.
    private static func isOfPhone(_ color: JSONObject) -> Bool {
        ["ios", "universal", nil].contains(color["platform"]?.string)
    }

    private static func swift(_ color: JSONObject) -> String? {
        if let reference = color["reference"]?.string { return ColorValue.system[reference].map { "UIColor.\($0)" } }
        guard let parts = color["components"]?.object else { return nil }
        // Xcode writes alpha as a share alone; whole numbers of 0 and 1 in all parts are shares too.
        let names = ["red", "green", "blue", "white"]
        let isShare = !names.contains { (parts[$0]?.string).flatMap { UInt8($0) }.map { $0 > 1 } ?? false }
        guard let alpha = parts["alpha"].map({ part($0, isShare: true) }) ?? 1 else { return nil }
        let space = color["color-space"]?.string ?? "srgb"
        func text(_ name: String) -> String? {
            parts[name].flatMap { part($0, isShare: isShare) }
                .map { SwiftText.literal(space.contains("linear") ? encoded($0) : $0) }
        }
        let end = "alpha: \(SwiftText.literal(alpha)))"
        if let white = text("white") { return "UIColor(white: \(white), \(end)" }
        guard let red = text("red"), let green = text("green"), let blue = text("blue") else { return nil }
        let head = space == "display-p3" ? "displayP3Red" : "red"
        return "UIColor(\(head): \(red), green: \(green), blue: \(blue), \(end)"
    }

    /// A linear part as sRGB encodes it; source: IEC 61966-2-1.
    private static func encoded(_ part: Double) -> Double {
        let size = abs(part)
        let encoded = size <= 0.003_130_8 ? 12.92 * size : 1.055 * pow(size, 1 / 2.4) - 0.055
        return part < 0 ? -encoded : encoded
    }

    /// A part in one of Xcode's three forms, which differ by their signs: "0.500", "128" of 255, or "0x80".
    ///
    /// Apple's reference has numbers of 0 to 1. A whole number as a text is of 255, unless `isShare` says that 0 and 1
    /// are meant.
    /// Source: Apple, "Asset Catalog Format Reference", "Named Color Type".
    private static func part(_ value: JSON, isShare: Bool) -> Double? {
        guard let text = value.string else {
            return value.double.map { $0 > 1 ? $0 / 255 : $0 }.flatMap { $0.isFinite ? $0 : nil }
        }
        if text.lowercased().hasPrefix("0x") { return UInt8(text.dropFirst(2), radix: 16).map { Double($0) / 255 } }
        if text.contains(".") || isShare && ["0", "1"].contains(text) { return SwiftText.number(text) }
        return UInt8(text).map { Double($0) / 255 }
    }

    /// The statement that makes the colour known.
    var registration: String {
        let head = "AssetTable.add(color: \(SwiftText.literal(name)), "
        guard let dark else { return head + "\(light))" }
        return head + "UIColor { $0.userInterfaceStyle == .dark ? \(dark) : \(light) })"
    }
}
