// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// The place of a text between the sides of its element.
public enum TextAlignment: Sendable {
    /// On the side on which the language begins.
    case leading
    /// In the middle.
    case center
    /// On the side on which the language ends.
    case trailing

    fileprivate func scene(isRightToLeft: Bool) -> SceneAlignment {
        switch self {
        case .leading: .natural
        case .center: .center
        case .trailing: isRightToLeft ? .left : .right
        }
    }
}

/// A text, which whoever draws it breaks into lines.
///
/// A text is cut after 7,792 bytes of UTF-8, and after 200 lines of its own.
public struct Text: SceneContent {
    private let text: String
    private var font: Font?
    private var color: Color?
    private var alignment = TextAlignment.leading
    private var isUnderlined = false
    private var isStruck = false

    /// A text as it is: nothing in it is taken for markup.
    public init(_ text: String) {
        self.text = text.cut(toLineCount: 200).cut(toByteCount: Element.textByteCount)
    }

    /// The text as one element.
    public var elements: SceneElements {
        let alignment = alignment.scene(isRightToLeft: ViewContext.drawn?.isRightToLeft ?? false)
        let element = Element { textSize in
            let run = SceneText.Run(text, isUnderlined: isUnderlined, isStruck: isStruck)
            return .text(
                SceneText([run], font: font.scene(textSize), color: color?.scene, alignment: alignment, wraps: true)
            )
        }
        return SceneElements(list: [element])
    }

    /// The text in another font; the default is ``Font/body``.
    public func font(_ font: Font) -> Text { changed { $0.font = font } }

    /// The text in another colour.
    public func color(_ color: Color) -> Text { changed { $0.color = color } }

    /// The text at another place between the sides.
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
