// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// The place of a text between the sides of its element.
public enum TextAlignment: Sendable {
    /// The side on which the text's own language begins.
    case natural
    /// The side on which the reader's language begins.
    case leading
    /// The middle.
    case center
    /// The side on which the reader's language ends.
    case trailing

    fileprivate func scene(in place: ViewEnvironment) -> SceneAlignment {
        let isMirrored = place.direction == .rightToLeft
        return switch self {
        case .natural: .natural
        case .leading: isMirrored ? .right : .left
        case .center: .center
        case .trailing: isMirrored ? .left : .right
        }
    }
}

/// A text, which whoever draws it breaks into lines.
///
/// A text is cut where a scene has no room for more: after 7,792 bytes of UTF-8, and where all texts of the scene have
/// 400 lines of their own or 60,000 bytes.
public struct Text: SceneContent {
    private let text: String
    private var font: Font?
    private var color: Color?
    private var alignment = TextAlignment.natural
    private var isUnderlined = false
    private var isStruck = false

    /// A text as it is: nothing in it is taken for markup.
    public init(_ text: String) {
        self.text = text.shown.cut(toByteCount: SceneLimits.nodeTextByteCount - SceneLimits.titleByteCount)
    }

    /// The text as one element.
    public var elements: SceneElements {
        let element = Element { place in
            let run = SceneText.Run(text, isUnderlined: isUnderlined, isStruck: isStruck)
            let font = font.scene(place.textSize)
            let alignment = alignment.scene(in: place)
            return .text(SceneText([run], font: font, color: color?.scene, alignment: alignment, wraps: true))
        }
        return SceneElements(list: [element])
    }

    /// The text in another font; the default is ``Font/body``.
    public func font(_ font: Font) -> Text { changed { $0.font = font } }

    /// The text in another colour.
    public func color(_ color: Color) -> Text { changed { $0.color = color } }

    /// The text at another place between the sides; the default is ``TextAlignment/natural``.
    public func alignment(_ alignment: TextAlignment) -> Text { changed { $0.alignment = alignment } }

    /// The text with a line below it.
    public func underline() -> Text { changed { $0.isUnderlined = true } }

    /// The text with a line through it.
    public func strikethrough() -> Text { changed { $0.isStruck = true } }

    private func changed(_ change: (inout Text) -> Void) -> Text {
        var text = self
        change(&text)
        return text
    }
}
