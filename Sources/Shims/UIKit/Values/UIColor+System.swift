// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Colours of Apple's interface, each with its light and its dark form.
///
/// Source: Apple, "Human Interface Guidelines: Color", and "UI element colors".
extension UIColor {
    private static func pair(_ light: UInt32, _ dark: UInt32) -> UIColor {
        UIColor(light: ColorComponents(number: light), dark: ColorComponents(number: dark))
    }

    private static func label(_ light: CGFloat, _ dark: CGFloat) -> UIColor {
        UIColor(
            light: ColorComponents(number: 0x3C3C_43FF).with(alpha: light),
            dark: ColorComponents(number: 0xEBEB_F5FF).with(alpha: dark)
        )
    }

    private static func fill(_ number: UInt32, _ light: CGFloat, _ dark: CGFloat) -> UIColor {
        let components = ColorComponents(number: number)
        return UIColor(light: components.with(alpha: light), dark: components.with(alpha: dark))
    }

    /// The red of Apple's interface.
    public class var systemRed: UIColor { pair(0xFF3B_30FF, 0xFF45_3AFF) }
    /// The orange of Apple's interface.
    public class var systemOrange: UIColor { pair(0xFF95_00FF, 0xFF9F_0AFF) }
    /// The yellow of Apple's interface.
    public class var systemYellow: UIColor { pair(0xFFCC_00FF, 0xFFD6_0AFF) }
    /// The green of Apple's interface.
    public class var systemGreen: UIColor { pair(0x34C7_59FF, 0x30D1_58FF) }
    /// The mint of Apple's interface.
    public class var systemMint: UIColor { pair(0x00C7_BEFF, 0x63E6_E2FF) }
    /// The teal of Apple's interface.
    public class var systemTeal: UIColor { pair(0x30B0_C7FF, 0x40C8_E0FF) }
    /// The cyan of Apple's interface.
    public class var systemCyan: UIColor { pair(0x32AD_E6FF, 0x64D2_FFFF) }
    /// The blue of Apple's interface.
    public class var systemBlue: UIColor { pair(0x007A_FFFF, 0x0A84_FFFF) }
    /// The indigo of Apple's interface.
    public class var systemIndigo: UIColor { pair(0x5856_D6FF, 0x5E5C_E6FF) }
    /// The purple of Apple's interface.
    public class var systemPurple: UIColor { pair(0xAF52_DEFF, 0xBF5A_F2FF) }
    /// The pink of Apple's interface.
    public class var systemPink: UIColor { pair(0xFF2D_55FF, 0xFF37_5FFF) }
    /// The brown of Apple's interface.
    public class var systemBrown: UIColor { pair(0xA284_5EFF, 0xAC8E_68FF) }
    /// The first of six greys, the same in both styles.
    public class var systemGray: UIColor { pair(0x8E8E_93FF, 0x8E8E_93FF) }
    /// The second of six greys.
    public class var systemGray2: UIColor { pair(0xAEAE_B2FF, 0x6363_66FF) }
    /// The third of six greys.
    public class var systemGray3: UIColor { pair(0xC7C7_CCFF, 0x4848_4AFF) }
    /// The fourth of six greys.
    public class var systemGray4: UIColor { pair(0xD1D1_D6FF, 0x3A3A_3CFF) }
    /// The fifth of six greys.
    public class var systemGray5: UIColor { pair(0xE5E5_EAFF, 0x2C2C_2EFF) }
    /// The sixth of six greys, nearest to the background.
    public class var systemGray6: UIColor { pair(0xF2F2_F7FF, 0x1C1C_1EFF) }
    /// The colour of what can be touched: the system's blue.
    public class var tintColor: UIColor { pair(0x007A_FFFF, 0x0A84_FFFF) }
    /// The colour of a first text.
    public class var label: UIColor { pair(0x0000_00FF, 0xFFFF_FFFF) }
    /// The colour of a second text.
    public class var secondaryLabel: UIColor { label(0.6, 0.6) }
    /// The colour of a third text.
    public class var tertiaryLabel: UIColor { label(0.3, 0.3) }
    /// The colour of a fourth text.
    public class var quaternaryLabel: UIColor { label(0.18, 0.16) }
    /// The colour of the text in an empty field.
    public class var placeholderText: UIColor { label(0.3, 0.3) }
    /// The colour of lines between parts, through which the background is seen.
    public class var separator: UIColor {
        UIColor(
            light: ColorComponents(number: 0x3C3C_43FF).with(alpha: 0.29),
            dark: ColorComponents(number: 0x5454_58FF).with(alpha: 0.6)
        )
    }
    /// The colour of lines between parts, without opacity.
    public class var opaqueSeparator: UIColor { pair(0xC6C6_C8FF, 0x3838_3AFF) }
    /// The colour of links.
    public class var link: UIColor { pair(0x007A_FFFF, 0x0984_FFFF) }
    /// The background of an interface.
    public class var systemBackground: UIColor { pair(0xFFFF_FFFF, 0x0000_00FF) }
    /// The background of parts upon the first one.
    public class var secondarySystemBackground: UIColor { pair(0xF2F2_F7FF, 0x1C1C_1EFF) }
    /// The background of parts upon the second one.
    public class var tertiarySystemBackground: UIColor { pair(0xFFFF_FFFF, 0x2C2C_2EFF) }
    /// The background of an interface in groups.
    public class var systemGroupedBackground: UIColor { pair(0xF2F2_F7FF, 0x0000_00FF) }
    /// The background of a group.
    public class var secondarySystemGroupedBackground: UIColor { pair(0xFFFF_FFFF, 0x1C1C_1EFF) }
    /// The background of parts in a group.
    public class var tertiarySystemGroupedBackground: UIColor { pair(0xF2F2_F7FF, 0x2C2C_2EFF) }
    /// The fill of thin and small shapes.
    public class var systemFill: UIColor { fill(0x7878_80FF, 0.2, 0.36) }
    /// The fill of shapes of middle size.
    public class var secondarySystemFill: UIColor { fill(0x7878_80FF, 0.16, 0.32) }
    /// The fill of large shapes.
    public class var tertiarySystemFill: UIColor { fill(0x7676_80FF, 0.12, 0.24) }
    /// The fill of large areas with much in them.
    public class var quaternarySystemFill: UIColor { fill(0x7474_80FF, 0.08, 0.18) }
}
