// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

@MainActor
struct ValuesFontTests {
    @Test(
        arguments: [
            (UIFont.Weight.ultraLight, -0.8, 100, 400), (.thin, -0.6, 200, 400), (.light, -0.4, 300, 400),
            (.regular, 0, 400, 400), (.medium, 0.23, 500, 400), (.semibold, 0.3, 600, 600), (.bold, 0.4, 700, 600),
            (.heavy, 0.56, 800, 600), (.black, 0.62, 900, 600), (UIFont.Weight(-1), -1, 100, 400),
            (UIFont.Weight(rawValue: 1), 1, 900, 600), (UIFont.Weight(0.25), 0.25, 500, 600),
        ] as [(UIFont.Weight, CGFloat, Int, Int)]
    )
    func `a weight is Apple's number, one of CSS and one of the tables`(
        weight: UIFont.Weight,
        number: CGFloat,
        drawn: Int,
        measured: Int
    ) {
        let font = UIFont.systemFont(ofSize: 20, weight: weight)
        #expect(weight.rawValue == number)
        #expect(font.sceneFont == SceneFont(size: 20, weight: drawn))
        #expect(font.measuredWeight == measured)
    }

    @Test func `makers of fonts set weight and slant`() {
        #expect(UIFont.systemFont(ofSize: 17).sceneFont == SceneFont(size: 17))
        #expect(UIFont.boldSystemFont(ofSize: 17).sceneFont == SceneFont(size: 17, weight: 700))
        #expect(UIFont.italicSystemFont(ofSize: 17).sceneFont == SceneFont(size: 17, isItalic: true))
        let digits = UIFont.monospacedDigitSystemFont(ofSize: 9, weight: .medium)
        #expect(digits.sceneFont == SceneFont(size: 9, weight: 500))
        let mono = UIFont.monospacedSystemFont(ofSize: 9, weight: .bold)
        #expect(mono.sceneFont == SceneFont(size: 9, weight: 700))
        #expect(mono.fontDescriptor.symbolicTraits == [.traitMonoSpace, .traitBold])
        let wide = UIFont.systemFont(ofSize: 9, weight: .bold, width: .expanded)
        #expect(wide == UIFont.boldSystemFont(ofSize: 9))
        let sizes = [UIFont.labelFontSize, UIFont.buttonFontSize, UIFont.systemFontSize, UIFont.smallSystemFontSize]
        #expect(sizes == [17, 18, 14, 12])
        #expect(UIFont.familyNames.isEmpty && UIFont.fontNames(forFamilyName: "Inter").isEmpty)
    }

    @Test func `a size of nothing is 12, and a scene's size is held to its bounds`() {
        #expect(UIFont.systemFont(ofSize: 0).pointSize == 12)
        #expect(UIFont.boldSystemFont(ofSize: -3).pointSize == 12)
        #expect(UIFont(name: "Arial", size: 0)?.pointSize == 12)
        #expect(UIFont(descriptor: UIFontDescriptor(fontAttributes: [:]), size: 0).pointSize == 12)
        #expect(UIFont.systemFont(ofSize: 0.5).sceneFont.size == 1)
        #expect(UIFont.systemFont(ofSize: 9000).sceneFont.size == 512)
        #expect(UIFont.systemFont(ofSize: .infinity).sceneFont.size == 512)
        #expect(UIFont.systemFont(ofSize: .nan).pointSize == 12)
    }

    @Test(arguments: [
        ("HelveticaNeue", 400, false), ("HelveticaNeue-Bold", 700, false), ("Helvetica-BoldOblique", 700, true),
        ("Avenir-BlackOblique", 900, true), ("AvenirNext-DemiBold", 600, false), ("AvenirNext-UltraLight", 100, false),
        ("HelveticaNeue-MediumItalic", 500, true), ("SFProText-Semibold", 600, false), ("Futura-Heavy", 800, false),
        ("Lato-ExtraBold", 800, false), ("HelveticaNeue-Thin", 200, false), ("HelveticaNeue-Light", 300, false),
    ])
    func `a font by name is ours in the weight and slant of the name`(name: String, weight: Int, isItalic: Bool) throws
    {
        let font = try #require(UIFont(name: name, size: 20))
        #expect(font.sceneFont == SceneFont(size: 20, weight: weight, isItalic: isItalic))
        #expect(font.fontName == name)
        #expect(font.familyName == name.split(separator: "-")[0])
    }

    @Test func `a font without a name is none`() {
        #expect(UIFont(name: "", size: 20) == nil)
    }

    @Test(
        arguments: [
            (UIFont.TextStyle.largeTitle, 34, 400), (.title1, 28, 400), (.title2, 22, 400), (.title3, 20, 400),
            (.headline, 17, 600), (.body, 17, 400), (.callout, 16, 400), (.subheadline, 15, 400), (.footnote, 13, 400),
            (.caption1, 12, 400), (.caption2, 11, 400), (UIFont.TextStyle(rawValue: "Other"), 17, 400),
        ] as [(UIFont.TextStyle, Double, Int)]
    )
    func `a text style has its size and weight, and grows as a person wants`(
        style: UIFont.TextStyle,
        size: Double,
        weight: Int
    ) {
        let usual = UITraitCollection(preferredContentSizeCategory: .large)
        let font = UIFont.preferredFont(forTextStyle: style, compatibleWith: usual)
        #expect(font.sceneFont == SceneFont(size: size, weight: weight))
        let large = shown(in: ViewEnvironment(textSize: 1.5)) { UIFont.preferredFont(forTextStyle: style) }
        #expect(large.sceneFont == SceneFont(size: (size * 1.5).rounded(), weight: weight))
        #expect(large.fontDescriptor.object(forKey: .textStyle) as? UIFont.TextStyle == style)
    }

    @Test func `metrics grow lengths and fonts`() {
        shown(in: ViewEnvironment(textSize: 2)) {
            let metrics = UIFontMetrics(forTextStyle: .title1)
            #expect(metrics.scaledValue(for: 10) == 20)
            #expect(metrics.scaledFont(for: .boldSystemFont(ofSize: 12)) == .boldSystemFont(ofSize: 24))
            #expect(metrics.scaledFont(for: .systemFont(ofSize: 12), maximumPointSize: 20).pointSize == 20)
            #expect(metrics.scaledFont(for: .systemFont(ofSize: 12), maximumPointSize: 0).pointSize == 24)
            let small = UITraitCollection(preferredContentSizeCategory: .extraSmall)
            #expect(UIFontMetrics.default.scaledValue(for: 17, compatibleWith: small) == 14)
            #expect(UIFontMetrics.default.scaledValue(for: 17, compatibleWith: .inDark) == 34)
        }
    }

    @Test func `a line is 1.21 of the size high, rounded up`() {
        let heights = [10, 12, 14, 16, 17, 20, 34, 100].map { UIFont.systemFont(ofSize: $0).lineHeight }
        #expect(heights == [13, 15, 17, 20, 21, 25, 42, 121])
        let font = UIFont.systemFont(ofSize: 2048)
        #expect([font.ascender, font.descender, font.capHeight, font.xHeight] == [1984, -494, 1490, 1118])
        #expect(font.leading == 0)
    }

    @Test func `a description keeps what it is not asked to change`() throws {
        let title = UIFontDescriptor.preferredFontDescriptor(
            withTextStyle: .title2,
            compatibleWith: UITraitCollection(preferredContentSizeCategory: .large)
        )
        let both = try #require(title.withSymbolicTraits([.traitBold, .traitItalic]))
        #expect(both.symbolicTraits == [.traitBold, .traitItalic])
        #expect(UIFont(descriptor: both, size: 0).sceneFont == SceneFont(size: 22, weight: 700, isItalic: true))
        #expect(UIFont(descriptor: both, size: 9).sceneFont == SceneFont(size: 9, weight: 700, isItalic: true))
        let plain = try #require(both.withSymbolicTraits([]))
        #expect(UIFont(descriptor: plain, size: 0).sceneFont == SceneFont(size: 22))
        let headline = UIFont.systemFont(ofSize: 17, weight: .semibold).fontDescriptor
        let kept = try #require(headline.withSymbolicTraits([.traitBold, .traitItalic]))
        #expect(UIFont(descriptor: kept, size: 0).sceneFont == SceneFont(size: 17, weight: 600, isItalic: true))
        let rounded = try #require(title.withDesign(.rounded))
        #expect(rounded.pointSize == 22 && rounded != title)
        #expect(title.withSize(4).pointSize == 4 && title.withFace("Bold Italic").symbolicTraits == both.symbolicTraits)
        #expect(title.withFamily("Georgia").postscriptName == "Georgia")
    }

    @Test func `attributes of a description are Apple's`() {
        typealias Key = UIFontDescriptor.TraitKey
        let traits: [Key: Any] = [.weight: UIFont.Weight.semibold, .slant: 0.1]
        let font = UIFont(descriptor: UIFontDescriptor(fontAttributes: [.size: 15, .traits: traits]), size: 0)
        #expect(font.sceneFont == SceneFont(size: 15, weight: 600, isItalic: true))
        let raw: [Key: Any] = [.weight: UIFont.Weight.bold.rawValue]
        #expect(
            UIFont(descriptor: font.fontDescriptor.addingAttributes([.traits: raw]), size: 0).sceneFont.weight == 700
        )
        let bits: [Key: Any] = [.symbolic: UIFontDescriptor.SymbolicTraits.traitBold.rawValue]
        let named = UIFontDescriptor(fontAttributes: [.family: "Arial", .size: 3.5, .traits: bits])
        #expect(UIFont(descriptor: named, size: 0).sceneFont == SceneFont(size: 3.5, weight: 700))
        let odd = UIFontDescriptor(fontAttributes: [.size: "large", .traits: 7, .name: 8])
        #expect(odd == UIFontDescriptor(fontAttributes: [:]))
        let written = UIFont.boldSystemFont(ofSize: 13).fontDescriptor
        #expect(UIFontDescriptor(fontAttributes: written.fontAttributes).facts.weight == .bold)
        #expect(UIFontDescriptor(name: "Arial-Bold", size: 4).fontAttributes[.size] as? CGFloat == 4)
    }

    @Test func `fonts are equal by all that they say`() {
        #expect(UIFont.systemFont(ofSize: 9) == UIFont.systemFont(ofSize: 9, weight: .regular))
        #expect(UIFont.systemFont(ofSize: 9) != UIFont.systemFont(ofSize: 10))
        #expect(UIFont.systemFont(ofSize: 9) != UIFont(name: "Arial", size: 9))
        #expect(Set([UIFont.systemFont(ofSize: 9), .systemFont(ofSize: 9), .italicSystemFont(ofSize: 9)]).count == 2)
        #expect(UIFont.systemFont(ofSize: 9).withSize(10) == UIFont.systemFont(ofSize: 10))
        #expect(UIFont.systemFont(ofSize: 9, weight: .heavy).fontName == ".SFUI-Heavy")
        #expect(UIFont.italicSystemFont(ofSize: 9).fontName == ".SFUI-RegularItalic")
        #expect(UIFont.italicSystemFont(ofSize: 9).familyName == ".AppleSystemUIFont")
    }

    @Test func `fonts cross from one task to another`() async {
        let font = UIFont.systemFont(ofSize: 9)
        #expect(await Task.detached { font.withSize(10).pointSize }.value == 10)
    }
}
