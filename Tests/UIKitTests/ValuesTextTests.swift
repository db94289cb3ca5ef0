// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

@MainActor
struct ValuesTextTests {
    @Test func `numbers of enumerations are those of iOS`() {
        let alignments: [NSTextAlignment] = [.left, .center, .right, .justified, .natural]
        #expect(alignments.map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect(alignments.map(\.sceneAlignment) == [.left, .center, .right, .justified, .natural])
        let modes: [NSLineBreakMode] = [
            .byWordWrapping, .byCharWrapping, .byClipping, .byTruncatingHead, .byTruncatingTail, .byTruncatingMiddle,
        ]
        #expect(modes.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        #expect([NSWritingDirection.natural, .leftToRight, .rightToLeft].map(\.rawValue) == [-1, 0, 1])
        let lines: [NSUnderlineStyle] = [
            [], .single, .thick, .double, .patternDot, .patternDash, .patternDashDot, .patternDashDotDot, .byWord,
        ]
        #expect(lines.map(\.rawValue) == [0, 1, 2, 9, 0x100, 0x200, 0x300, 0x400, 0x8000])
    }

    @Test func `attributes are found in an attributed text`() {
        let style = NSMutableParagraphStyle()
        style.alignment = .center
        let text = NSMutableAttributedString(
            string: "ab",
            attributes: [.font: UIFont.systemFont(ofSize: 9), .paragraphStyle: style, .foregroundColor: UIColor.red]
        )
        text.addAttribute(
            .underlineStyle,
            value: NSUnderlineStyle.single.rawValue,
            range: NSRange(location: 1, length: 1)
        )
        #expect(text.attribute(.font, at: 1, effectiveRange: nil) as? UIFont == UIFont.systemFont(ofSize: 9))
        #expect(text.attribute(.foregroundColor, at: 0, effectiveRange: nil) as? UIColor == .red)
        #expect(text.attribute(.underlineStyle, at: 0, effectiveRange: nil) == nil)
        #expect(text.attribute(.underlineStyle, at: 1, effectiveRange: nil) as? Int == 1)
        let found = text.attribute(.paragraphStyle, at: 0, effectiveRange: nil) as? NSParagraphStyle
        #expect(found?.alignment == .center)
        let keys: [NSAttributedString.Key] = [
            .font, .paragraphStyle, .foregroundColor, .backgroundColor, .ligature, .kern, .tracking,
            .strikethroughStyle,
            .underlineStyle, .strokeColor, .strokeWidth, .shadow, .textEffect, .attachment, .link, .baselineOffset,
            .underlineColor, .strikethroughColor, .obliqueness, .expansion, .writingDirection,
        ]
        #expect(Set(keys).count == 21)
        #expect(NSAttributedString.Key.foregroundColor.rawValue == "NSColor")
    }

    @Test func `the usual look of a paragraph is Apple's`() {
        let style = NSParagraphStyle.default
        #expect(style.alignment == .natural && style.lineBreakMode == .byWordWrapping)
        #expect(style.baseWritingDirection == .natural && style.hyphenationFactor == 0)
        let lengths = [
            style.lineSpacing, style.paragraphSpacing, style.paragraphSpacingBefore, style.firstLineHeadIndent,
            style.headIndent, style.tailIndent, style.minimumLineHeight, style.maximumLineHeight,
            style.lineHeightMultiple, style.defaultTabInterval,
        ]
        #expect(lengths.allSatisfy { $0 == 0 })
        #expect(style.tabStops.map(\.location) == (1...12).map { CGFloat(28 * $0) })
        #expect(!style.usesDefaultHyphenation && !style.allowsDefaultTighteningForTruncation)
        #expect(style.lineBreakStrategy == [] && NSParagraphStyle() == style)
    }

    @Test func `a look that can be changed keeps each part`() throws {
        let style = NSMutableParagraphStyle()
        (style.alignment, style.lineBreakMode, style.baseWritingDirection) = (.right, .byClipping, .rightToLeft)
        (style.lineSpacing, style.paragraphSpacing, style.paragraphSpacingBefore) = (1, 2, 3)
        (style.firstLineHeadIndent, style.headIndent, style.tailIndent) = (4, 5, -6)
        (style.minimumLineHeight, style.maximumLineHeight, style.lineHeightMultiple) = (7, 8, 1.5)
        (style.hyphenationFactor, style.usesDefaultHyphenation, style.defaultTabInterval) = (0.5, true, 9)
        (style.allowsDefaultTighteningForTruncation, style.lineBreakStrategy) = (true, .pushOut)
        style.tabStops = [NSTextTab(textAlignment: .left, location: 10)]
        let copy = try #require(style.copy() as? NSParagraphStyle)
        #expect(copy == style && copy.hash == style.hash && !(copy is NSMutableParagraphStyle))
        #expect(
            copy.alignment == .right && copy.lineBreakMode == .byClipping && copy.baseWritingDirection == .rightToLeft
        )
        #expect([copy.lineSpacing, copy.paragraphSpacing, copy.paragraphSpacingBefore] == [1, 2, 3])
        #expect([copy.firstLineHeadIndent, copy.headIndent, copy.tailIndent] == [4, 5, -6])
        #expect([copy.minimumLineHeight, copy.maximumLineHeight, copy.lineHeightMultiple] == [7, 8, 1.5])
        #expect(copy.hyphenationFactor == 0.5 && copy.usesDefaultHyphenation && copy.defaultTabInterval == 9)
        #expect(copy.allowsDefaultTighteningForTruncation && copy.lineBreakStrategy == .pushOut)
        style.alignment = .left
        #expect(copy.alignment == .right && copy != style)
        let second = try #require(copy.mutableCopy() as? NSMutableParagraphStyle)
        second.setParagraphStyle(.default)
        #expect(second == NSParagraphStyle.default)
    }

    @Test func `stops of tabulators stay in order`() {
        let style = NSMutableParagraphStyle()
        style.tabStops = []
        for location in [20, 10, 30] as [CGFloat] {
            style.addTabStop(NSTextTab(textAlignment: .right, location: location, options: [:]))
        }
        #expect(style.tabStops.map(\.location) == [10, 20, 30])
        style.removeTabStop(NSTextTab(textAlignment: .right, location: 20))
        style.removeTabStop(NSTextTab(textAlignment: .left, location: 10))
        #expect(style.tabStops.map(\.location) == [10, 30])
    }

    @Test func `a language has a direction`() {
        #expect(NSParagraphStyle.defaultWritingDirection(forLanguage: "ar") == .rightToLeft)
        #expect(NSParagraphStyle.defaultWritingDirection(forLanguage: "pt-BR") == .leftToRight)
        let own = shown(in: ViewEnvironment(language: "he")) {
            NSParagraphStyle.defaultWritingDirection(forLanguage: nil)
        }
        #expect(own == .rightToLeft)
    }

    @Test func `a look of a paragraph crosses from one task to another`() async {
        let style = NSMutableParagraphStyle()
        await Task.detached { style.lineSpacing = 3 }.value
        #expect(style.lineSpacing == 3)
    }

    @Test func `a shadow is copied and compared`() throws {
        let shadow = NSShadow()
        #expect(shadow.shadowColor as? UIColor == UIColor(white: 0, alpha: 1 / 3))
        shadow.shadowOffset = CGSize(width: 1, height: 2)
        shadow.shadowBlurRadius = 3
        shadow.shadowColor = UIColor.red
        let copy = try #require(shadow.copy() as? NSShadow)
        #expect(copy == shadow && copy !== shadow && copy.hash == shadow.hash)
        copy.shadowColor = nil
        #expect(copy != shadow)
    }

    @Test func `an attachment carries a picture`() {
        let image = UIImage(data: png(4, 4)) ?? UIImage()
        let text = NSAttributedString(attachment: NSTextAttachment(image: image))
        #expect(text.string == "\u{FFFC}" && NSTextAttachment.character == 0xFFFC)
        #expect((text.attribute(.attachment, at: 0, effectiveRange: nil) as? NSTextAttachment)?.image == image)
        let data = NSTextAttachment(data: png(4, 4), ofType: "public.png")
        #expect(data.image == image && data.contents == png(4, 4) && data.fileType == "public.png")
        #expect(NSTextAttachment().image == nil && NSTextAttachment().bounds == .zero)
    }
}
