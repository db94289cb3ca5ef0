// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// A colour in the light and in the dark scheme.
public struct Color: Sendable, Hashable {
    let light: UInt32
    let dark: UInt32

    var scene: SceneColor { SceneColor(light, dark: dark) }

    /// Colours of the form `0xRRGGBB`, in sRGB and without transparency; `dark` is `light` where it is not said.
    public init(hex light: UInt32, dark: UInt32? = nil) {
        self.init(light: light << 8 | 0xFF, dark: (dark ?? light) << 8 | 0xFF)
    }

    private init(light: UInt32, dark: UInt32) {
        self.light = light
        self.dark = dark
    }

    /// The same colour with so much of its opacity: 0 is none of it, 1 is all.
    public func opacity(_ opacity: Double) -> Color {
        let share = opacity.within(0...1)
        func faded(_ color: UInt32) -> UInt32 {
            color & ~0xFF | UInt32((Double(color & 0xFF) * share).rounded())
        }
        return Color(light: faded(light), dark: faded(dark))
    }

    /// The colour of usual text.
    public static let primary = Color(hex: 0x000000, dark: 0xFFFFFF)
    /// A grey for what is less important than usual text.
    public static let secondary = Color(hex: 0x6C6C70, dark: 0xAEAEB2)
    /// White in both schemes.
    public static let white = Color(hex: 0xFFFFFF)
    /// Black in both schemes.
    public static let black = Color(hex: 0x000000)
    /// A grey that is seen in both schemes.
    public static let gray = Color(hex: 0x8E8E93)
    /// A red for what destroys or has failed.
    public static let red = Color(hex: 0xD70015, dark: 0xFF6961)
    /// An orange for what warns.
    public static let orange = Color(hex: 0xC93400, dark: 0xFFB340)
    /// A yellow.
    public static let yellow = Color(hex: 0xB25000, dark: 0xFFD426)
    /// A green for what went well.
    public static let green = Color(hex: 0x248A3D, dark: 0x31DE4B)
    /// A blue.
    public static let blue = Color(hex: 0x0040DD, dark: 0x409CFF)
    /// A purple.
    public static let purple = Color(hex: 0x8944AB, dark: 0xDA8FFF)
}

/// A font of the one family that every page draws with.
///
/// Sizes are points. Those that are named after their use grow with the size of texts that a person has chosen.
public struct Font: Sendable, Hashable {
    /// The thickness of letters.
    public enum Weight: Int, Sendable {
        /// Thinner than usual.
        case light = 300
        /// The usual one.
        case regular = 400
        /// The weight between regular and semibold.
        case medium = 500
        /// The weight between medium and bold.
        case semibold = 600
        /// Bold.
        case bold = 700
    }

    private var size: Double
    private var weight = Weight.regular
    private var isItalic = false
    private var grows = true

    /// A font of a size that does not change.
    public static func system(size: Double, weight: Weight = .regular) -> Font {
        Font(size: size, weight: weight, grows: false)
    }

    /// 34 points.
    public static let largeTitle = Font(size: 34)
    /// 28 points.
    public static let title = Font(size: 28)
    /// 22 points.
    public static let title2 = Font(size: 22)
    /// 20 points.
    public static let title3 = Font(size: 20)
    /// 17 points, semibold.
    public static let headline = Font(size: 17, weight: .semibold)
    /// 17 points; that of texts which name no font.
    public static let body = Font(size: 17)
    /// 16 points.
    public static let callout = Font(size: 16)
    /// 15 points.
    public static let subheadline = Font(size: 15)
    /// 13 points.
    public static let footnote = Font(size: 13)
    /// 12 points.
    public static let caption = Font(size: 12)

    /// The same font in another weight.
    public func weight(_ weight: Weight) -> Font {
        var font = self
        font.weight = weight
        return font
    }

    /// The same font in bold.
    public func bold() -> Font { weight(.bold) }

    /// The same font in italics.
    public func italic() -> Font {
        var font = self
        font.isItalic = true
        return font
    }

    func scene(_ textSize: Double) -> SceneFont {
        SceneFont(
            size: (grows ? size * textSize : size).within(SceneFont.sizes),
            weight: weight.rawValue,
            isItalic: isItalic
        )
    }
}

extension Font? {
    /// `nil` leaves the page's own font, which has the usual size.
    func scene(_ textSize: Double) -> SceneFont? {
        switch self {
        case .some(let font): font.scene(textSize)
        case .none: textSize == 1 ? nil : Font.body.scene(textSize)
        }
    }
}
