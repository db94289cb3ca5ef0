// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import TextLayout

/// A text with the looks of its parts, ready to be measured and to become a node.
///
/// An attributed text has its fonts, colours, underlines and strikes, and the alignment and the way of breaking lines
/// of its first paragraph. Links look as the rest does.
struct LabelText {
    private struct Look: Equatable {
        var font: UIFont
        var color: UIColor?
        var background: UIColor?
        var isUnderlined = false
        var isStruck = false
    }

    private var runs: [TextRun] = []
    private var looks: [Look] = []
    /// The alignment that the first paragraph asks for.
    private(set) var alignment: NSTextAlignment?
    /// The way of breaking lines that the first paragraph asks for.
    private(set) var lineBreakMode: NSLineBreakMode?

    /// A text of one look.
    init(_ text: String, font: UIFont) {
        runs = [TextRun(text, font: TextFont(font))]
        looks = [Look(font: font)]
    }

    /// An attributed text, whose parts without a font have this one; at most as many parts as a node may have.
    init(_ text: NSAttributedString, font: UIFont) {
        let whole = NSRange(location: 0, length: text.length)
        text.enumerateAttributes(in: whole, options: []) { attributes, range, _ in
            let look = Look(
                font: attributes[.font] as? UIFont ?? font,
                color: attributes[.foregroundColor] as? UIColor,
                background: attributes[.backgroundColor] as? UIColor,
                isUnderlined: Self.isSet(attributes[.underlineStyle]),
                isStruck: Self.isSet(attributes[.strikethroughStyle])
            )
            if runs.isEmpty, let style = attributes[.paragraphStyle] as? NSParagraphStyle {
                (alignment, lineBreakMode) = (style.alignment, style.lineBreakMode)
            }
            let part = text.attributedSubstring(from: range).string
            if looks.last == look || looks.count == SceneLimits.runCount {
                runs[runs.count - 1].text += part
            } else {
                runs.append(TextRun(part, font: TextFont(look.font)))
                looks.append(look)
            }
        }
    }

    private static func isSet(_ style: Any?) -> Bool { ((style as? NSNumber)?.intValue ?? 0) & 0xFF != 0 }

    var isEmpty: Bool { runs.allSatisfy(\.text.isEmpty) }

    /// The text in larger or smaller fonts.
    func scaled(by factor: CGFloat) -> LabelText {
        guard factor != 1 else { return self }
        var text = self
        for index in looks.indices {
            text.looks[index].font = looks[index].font.withSize(looks[index].font.pointSize * factor)
            text.runs[index].font = TextFont(text.looks[index].font)
        }
        return text
    }

    /// The text in lines.
    func broken(in room: TextRoom) -> TextBlock { TextBlock(runs, in: room) }

    /// The factor by which the fonts become smaller so that the text fits the room, not below a least one.
    func factor(in room: TextRoom, least: CGFloat) -> CGFloat {
        guard let size = looks.first?.font.pointSize, size > 0 else { return 1 }
        let fitting = TextBlock.fittingSize(of: runs, in: room, minimumScale: Double(least))
        return min(1, CGFloat(fitting) / size)
    }

    /// The node of the text as it was broken for a frame.
    func scene(
        _ block: TextBlock,
        color: SceneColor?,
        alignment: SceneAlignment,
        isCentered: Bool
    ) -> SceneText {
        let first = looks.first
        let base = first?.font.sceneFont
        // The page breaks what is shaped, since its widths here are a guess.
        let parts =
            block.needsShaping
            ? runs.enumerated().map { ($0.offset, $0.element.text.shown) } : block.parts.map { ($0.run, $0.text) }
        let shown = parts.map { index, text in
            let look = looks[index]
            let font = look.font.sceneFont
            return SceneText.Run(
                text,
                font: font == base ? nil : font,
                color: look.color?.sceneColor,
                background: look.background?.sceneColor,
                isUnderlined: look.isUnderlined,
                isStruck: look.isStruck
            )
        }
        return SceneText(
            shown.isEmpty ? [SceneText.Run("")] : shown,
            font: base,
            color: color,
            alignment: alignment,
            wraps: block.needsShaping,
            isCentered: isCentered
        )
    }
}

extension TextFont {
    /// The measures of a font of UIKit.
    init(_ font: UIFont) {
        self.init(
            size: Double(font.pointSize).scene(SceneFont.sizes),
            weight: font.measuredWeight,
            isItalic: font.sceneFont.isItalic
        )
    }
}

extension NSAttributedString {
    /// The text with the fonts of the size of texts as it is now, where they follow it.
    func adapted(from before: UITraitCollection, to now: UITraitCollection) -> NSAttributedString {
        let adapted = NSMutableAttributedString(attributedString: self)
        enumerateAttribute(.font, in: NSRange(location: 0, length: length), options: []) { value, range, _ in
            guard let font = (value as? UIFont)?.adapted(from: before, to: now) else { return }
            adapted.addAttribute(.font, value: font, range: range)
        }
        return adapted
    }
}

extension TextLineBreakMode {
    init(_ mode: NSLineBreakMode) {
        self =
            switch mode {
            case .byWordWrapping: .byWordWrapping
            case .byCharWrapping: .byCharWrapping
            case .byClipping: .byClipping
            case .byTruncatingHead: .byTruncatingHead
            case .byTruncatingTail: .byTruncatingTail
            case .byTruncatingMiddle: .byTruncatingMiddle
            }
    }
}
