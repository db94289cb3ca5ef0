// SPDX-License-Identifier: Apache-2.0

import SceneModel
import Testing

@testable import UIKit

@MainActor
struct ValuesColorTests {
    @Test(
        arguments: [
            (UIColor.black, 0x0000_00FF), (.darkGray, 0x5555_55FF), (.lightGray, 0xAAAA_AAFF), (.white, 0xFFFF_FFFF),
            (.gray, 0x8080_80FF), (.red, 0xFF00_00FF), (.green, 0x00FF_00FF), (.blue, 0x0000_FFFF),
            (.cyan, 0x00FF_FFFF), (.yellow, 0xFFFF_00FF), (.magenta, 0xFF00_FFFF), (.orange, 0xFF80_00FF),
            (.purple, 0x8000_80FF), (.brown, 0x9966_33FF), (.clear, 0x0000_0000), (.darkText, 0x0000_00FF),
            (.lightText, 0xFFFF_FF99),
        ] as [(UIColor, UInt32)]
    )
    func `a fixed colour is the same in both styles`(color: UIColor, number: UInt32) {
        #expect(color.sceneColor == SceneColor(number))
    }

    @Test(
        arguments: [
            (UIColor.systemRed, 0xFF3B_30FF, 0xFF45_3AFF), (.systemOrange, 0xFF95_00FF, 0xFF9F_0AFF),
            (.systemYellow, 0xFFCC_00FF, 0xFFD6_0AFF), (.systemGreen, 0x34C7_59FF, 0x30D1_58FF),
            (.systemMint, 0x00C7_BEFF, 0x63E6_E2FF), (.systemTeal, 0x30B0_C7FF, 0x40C8_E0FF),
            (.systemCyan, 0x32AD_E6FF, 0x64D2_FFFF), (.systemBlue, 0x007A_FFFF, 0x0A84_FFFF),
            (.systemIndigo, 0x5856_D6FF, 0x5E5C_E6FF), (.systemPurple, 0xAF52_DEFF, 0xBF5A_F2FF),
            (.systemPink, 0xFF2D_55FF, 0xFF37_5FFF), (.systemBrown, 0xA284_5EFF, 0xAC8E_68FF),
            (.systemGray, 0x8E8E_93FF, 0x8E8E_93FF), (.systemGray2, 0xAEAE_B2FF, 0x6363_66FF),
            (.systemGray3, 0xC7C7_CCFF, 0x4848_4AFF), (.systemGray4, 0xD1D1_D6FF, 0x3A3A_3CFF),
            (.systemGray5, 0xE5E5_EAFF, 0x2C2C_2EFF), (.systemGray6, 0xF2F2_F7FF, 0x1C1C_1EFF),
            (.tintColor, 0x007A_FFFF, 0x0A84_FFFF), (.link, 0x007A_FFFF, 0x0984_FFFF),
            (.label, 0x0000_00FF, 0xFFFF_FFFF), (.secondaryLabel, 0x3C3C_4399, 0xEBEB_F599),
            (.tertiaryLabel, 0x3C3C_434D, 0xEBEB_F54D), (.quaternaryLabel, 0x3C3C_432E, 0xEBEB_F529),
            (.placeholderText, 0x3C3C_434D, 0xEBEB_F54D), (.separator, 0x3C3C_434A, 0x5454_5899),
            (.opaqueSeparator, 0xC6C6_C8FF, 0x3838_3AFF), (.systemBackground, 0xFFFF_FFFF, 0x0000_00FF),
            (.secondarySystemBackground, 0xF2F2_F7FF, 0x1C1C_1EFF),
            (.tertiarySystemBackground, 0xFFFF_FFFF, 0x2C2C_2EFF),
            (.systemGroupedBackground, 0xF2F2_F7FF, 0x0000_00FF),
            (.secondarySystemGroupedBackground, 0xFFFF_FFFF, 0x1C1C_1EFF),
            (.tertiarySystemGroupedBackground, 0xF2F2_F7FF, 0x2C2C_2EFF), (.systemFill, 0x7878_8033, 0x7878_805C),
            (.secondarySystemFill, 0x7878_8029, 0x7878_8052), (.tertiarySystemFill, 0x7676_801F, 0x7676_803D),
            (.quaternarySystemFill, 0x7474_8014, 0x7474_802E),
        ] as [(UIColor, UInt32, UInt32)]
    )
    func `a colour of the system has a light and a dark form`(color: UIColor, light: UInt32, dark: UInt32) {
        #expect(color.sceneColor == SceneColor(light, dark: dark))
        #expect(color.resolvedColor(with: .inLight).sceneColor == SceneColor(light))
        #expect(color.resolvedColor(with: .inDark).sceneColor == SceneColor(dark))
    }

    @Test func `a provider is asked for both styles`() {
        let color = UIColor { $0.userInterfaceStyle == .dark ? .systemRed : UIColor(white: 0, alpha: 0.5) }
        #expect(color.sceneColor == SceneColor(0x0000_0080, dark: 0xFF45_3AFF))
        #expect(color.withAlphaComponent(0).sceneColor == SceneColor(0x0000_0000, dark: 0xFF45_3A00))
        #expect(UIColor.label.withAlphaComponent(0.2).sceneColor == SceneColor(0x0000_0033, dark: 0xFFFF_FF33))
    }

    @Test func `a provider that leads to itself makes a clear colour`() {
        final class Loop { var color = UIColor.red }
        let loop = Loop()
        loop.color = UIColor { _ in loop.color }
        let said = lines(startingWith: "a UIColor's dynamicProvider") {
            #expect(loop.color.sceneColor == SceneColor(0))
        }
        loop.color = .red
        #expect(said == ["a UIColor's dynamicProvider leads to sixteen others: the colour is clear"])
    }

    @Test func `a component beyond its range is held to it, and none is no number`() {
        #expect(UIColor(red: 2, green: -1, blue: .nan, alpha: .infinity).sceneColor == SceneColor(0xFF00_00FF))
    }

    @Test func `hue, saturation and brightness lead to the colour and back`() {
        let table: [(CGFloat, CGFloat, CGFloat, UInt32)] = [
            (0, 1, 1, 0xFF00_00FF), (1, 1, 1, 0xFF00_00FF), (1.0 / 3, 1, 1, 0x00FF_00FF), (2.0 / 3, 1, 1, 0x0000_FFFF),
            (0.5, 1, 1, 0x00FF_FFFF), (1.0 / 12, 1, 1, 0xFF80_00FF), (0.25, 0.5, 0.8, 0x99CC_66FF),
            (0.7, 0, 0.2, 0x3333_33FF),
        ]
        for (hue, saturation, brightness, number) in table {
            let color = UIColor(hue: hue, saturation: saturation, brightness: brightness, alpha: 1)
            #expect(color.sceneColor == SceneColor(number))
        }
        var (hue, saturation, brightness, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (9, 9, 9, 9)
        let color = UIColor(red: 0.6, green: 0.8, blue: 0.4, alpha: 0.5)
        #expect(color.getHue(&hue, saturation: &saturation, brightness: &brightness, alpha: &alpha))
        #expect(abs(hue - 0.25) < 1e-12 && abs(saturation - 0.5) < 1e-12)
        #expect(brightness == 0.8 && alpha == 0.5)
        UIColor.gray.getHue(&hue, saturation: &saturation, brightness: &brightness, alpha: nil)
        #expect([hue, saturation, brightness] == [0, 0, 0.5])
        UIColor.magenta.getHue(&hue, saturation: nil, brightness: nil, alpha: nil)
        #expect(abs(hue - 5.0 / 6) < 1e-12)
    }

    @Test func `Display P3 becomes sRGB`() {
        var (first, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (9, 9, 9, 9)
        let red = UIColor(displayP3Red: 1, green: 0, blue: 0, alpha: 0.5)
        red.getRed(&first, green: nil, blue: nil, alpha: &alpha)
        red.getRed(nil, green: &green, blue: &blue, alpha: nil)
        let components = [first, green, blue, alpha]
        // Source: W3C, "CSS Color Module Level 4": color(display-p3 1 0 0) is color(srgb 1.0930 -0.2267 -0.1501).
        #expect(zip(components, [1.0930, -0.2267, -0.1501, 0.5]).allSatisfy { abs($0 - $1) < 0.0001 })
        #expect(red.sceneColor == SceneColor(0xFF00_0080))
        #expect(UIColor(displayP3Red: 1, green: 1, blue: 1, alpha: 1).sceneColor == SceneColor(0xFFFF_FFFF))
        #expect(UIColor(displayP3Red: 0.5, green: 0.5, blue: 0.5, alpha: 1).sceneColor == SceneColor(0x8080_80FF))
    }

    @Test func `components are those of the current style`() {
        var white: CGFloat = 9
        shown(in: ViewEnvironment(style: .dark)) { _ = UIColor.label.getWhite(&white, alpha: nil) }
        #expect(white == 1)
        UITraitCollection.inLight.performAsCurrent { _ = UIColor.label.getWhite(&white, alpha: nil) }
        #expect(white == 0)
        UIColor.green.getWhite(&white, alpha: nil)
        #expect(white == 0.7152)
    }

    @Test func `colours are equal by the components of both styles`() {
        #expect(UIColor.white == UIColor(white: 1, alpha: 1))
        #expect(UIColor.systemRed == UIColor.systemRed)
        #expect(UIColor.systemRed != UIColor.systemRed.resolvedColor(with: .inLight))
        #expect(UIColor.red != UIColor.blue)
        #expect(Set([UIColor.label, .label, .black, UIColor(red: 0, green: 0, blue: 0, alpha: 1)]).count == 2)
        let made = UIColor { _ in .red }
        #expect(made == made && made != UIColor { _ in .red })
        #expect(Set([made, made]).count == 1)
        #expect(!UIColor.red.isEqual("red"))
        #expect(UIColor() == .clear)
    }

    @Test func `a colour of the catalogue is found by its name`() {
        AssetTable.add(color: "ValuesColorTests", UIColor { $0.userInterfaceStyle == .dark ? .white : .red })
        let color = UIColor(named: "ValuesColorTests")
        #expect(color?.sceneColor == SceneColor(0xFF00_00FF, dark: 0xFFFF_FFFF))
        #expect(color == UIColor(named: "ValuesColorTests", in: nil, compatibleWith: nil))
        #expect(UIColor(named: "ValuesColorTests", in: .main, compatibleWith: .inDark) == .white)
        #expect(UIColor(named: "ValuesColorTests", in: .main, compatibleWith: .inLight) == .red)
        #expect(UIColor(named: "ValuesColorTests of another name") == nil)
    }

    @Test func `a colour literal is a colour`() {
        let color: UIColor = #colorLiteral(red: 1, green: 0.5, blue: 0.25, alpha: 0.75)
        #expect(color.sceneColor == SceneColor(0xFF80_40BF))
    }

    @Test func `a colour of Core Graphics has one style`() {
        let color = shown(in: ViewEnvironment(style: .dark)) { UIColor.label.cgColor }
        #expect(color == CGColor.white)
        #expect(color.components == [1, 1, 1, 1])
        #expect(UIColor(cgColor: color) == .white)
        let half = CGColor(red: 1, green: 0, blue: 0, alpha: 1).copy(alpha: 0.5)
        #expect(half == CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 0.5))
        #expect(half?.alpha == 0.5 && half?.sceneColor == SceneColor(0xFF00_0080))
        #expect(Set([CGColor.black, CGColor(gray: 0, alpha: 1), .clear]).count == 2)
        #expect(CGColor.black.copy() === CGColor.black && CGColor.black.numberOfComponents == 4)
        #expect(CGColor(genericGrayGamma2_2Gray: 1, alpha: 1) == .white)
    }

    @Test func `colours cross from one task to another`() async {
        let color = UIColor.systemRed
        let number = await Task.detached { color.resolvedColor(with: .inDark).cgColor.components?[1] }.value
        #expect(number == CGFloat(69) / 255)
    }

    @Test func `a subclass has the initialisers of its class`() {
        // SAFETY: it has no state beside that of UIColor, which is immutable.
        final class Brand: UIColor, @unchecked Sendable {}
        #expect(Brand(white: 1, alpha: 1) == UIColor.white)
        #expect(Brand(named: "ValuesColorTests of another name") == nil)
    }

    @Test func `a colour of a drawing is none, and said once`() {
        let said = lines(startingWith: "nothing draws here") {
            UIColor.red.set()
            UIColor.red.setFill()
            UIColor.red.setStroke()
        }
        #expect(said == ["nothing draws here: UIColor's set(), setFill() and setStroke() do nothing"])
    }
}
