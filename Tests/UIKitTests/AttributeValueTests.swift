// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import UIKit

/// Linux's Foundation ends the process where it compares objects that have no mark.
@Suite struct AttributeValueTests {
    private static let values: [(NSAttributedString.Key, @Sendable (Int) -> Any)] = [
        (.font, { UIFont.systemFont(ofSize: CGFloat(17 + $0)) }),
        (.foregroundColor, { UIColor(red: CGFloat($0), green: 0, blue: 0, alpha: 1) }),
        (
            .paragraphStyle,
            { number in
                let style = NSMutableParagraphStyle()
                style.lineSpacing = CGFloat(number)
                return style
            }
        ),
        (
            .shadow,
            { number in
                let shadow = NSShadow()
                shadow.shadowBlurRadius = CGFloat(number)
                return shadow
            }
        ),
        (.attachment, { _ in NSTextAttachment(data: nil, ofType: nil) }),
    ]

    @Test("parts of a text that differ in one attribute stand beside each other", arguments: 0..<5)
    func neighbours(place: Int) {
        let (key, value) = Self.values[place]
        let text = NSMutableAttributedString(string: "")
        for number in 0..<3 { text.append(NSAttributedString(string: "ab", attributes: [key: value(number)])) }
        let whole = NSMutableAttributedString(string: "abcdef")
        for number in 0..<3 {
            whole.addAttribute(key, value: value(number), range: NSRange(location: 2 * number, length: 2))
        }
        for attributed in [text, whole] {
            var ranges: [NSRange] = []
            attributed.enumerateAttribute(key, in: NSRange(location: 0, length: 6)) { found, range, _ in
                if found != nil { ranges.append(range) }
            }
            #expect(ranges == (0..<3).map { NSRange(location: 2 * $0, length: 2) })
        }
    }

    @Test("neighbours with equal fonts of their own become one part")
    func equal() {
        let text = NSMutableAttributedString(string: "")
        for _ in 0..<2 {
            text.append(NSAttributedString(string: "ab", attributes: [.font: UIFont.systemFont(ofSize: 17)]))
        }
        var range = NSRange(location: 0, length: 0)
        _ = unsafe text.attributes(at: 0, longestEffectiveRange: &range, in: NSRange(location: 0, length: 4))
        #expect(range == NSRange(location: 0, length: 4))
    }
}
