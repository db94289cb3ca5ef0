// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// A layer that shows a text, from its top on.
///
/// Source: Apple, "CATextLayer".
@preconcurrency @MainActor open class CATextLayer: CALayer {
    /// A text, or one with attributes, of which the words are drawn.
    @_OnMainThread open var string: Any? { didSet { changed() } }
    /// A `UIFont` or the name of one, of which weight and slant count.
    @_OnMainThread open var font: AnyObject? { didSet { changed() } }
    /// The size in points.
    @_OnMainThread open var fontSize: CGFloat = 36 { didSet { changed() } }
    /// The colour; white at first, as with Apple.
    @_OnMainThread open var foregroundColor: CGColor? = .white { didSet { changed() } }
    /// True if the page breaks lines at the width of the layer.
    @_OnMainThread open var isWrapped = false { didSet { changed() } }
    /// The place of the text between the sides.
    @_OnMainThread open var alignmentMode = CATextLayerAlignmentMode.natural { didSet { changed() } }
    /// This has no effect: a text that is too long is cut.
    open var truncationMode = CATextLayerTruncationMode.none
    /// This has no effect: the page draws letters.
    open var allowsFontSubpixelQuantization = false

    /// Makes an empty one.
    public required init() {
        super.init()
    }

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        let text = (string as? NSAttributedString)?.string ?? string as? String ?? ""
        let cut = text.cut(toByteCount: SceneLimits.nodeTextByteCount / 2)
        let lines = cut.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(50)
        let named = (font as? UIFont) ?? (font as? NSString).flatMap { UIFont(name: $0 as String, size: fontSize) }
        let known = (named ?? .systemFont(ofSize: fontSize)).withSize(fontSize)
        return .text(
            SceneText(
                [SceneText.Run(lines.joined(separator: "\n"))],
                font: known.sceneFont,
                color: foregroundColor?.sceneColor,
                alignment: alignmentMode.scene,
                wraps: isWrapped
            )
        )
    }
}

/// The place of a text between the sides.
public struct CATextLayerAlignmentMode: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The side on which the language begins.
    public static let natural = CATextLayerAlignmentMode(rawValue: "natural")
    /// The left side.
    public static let left = CATextLayerAlignmentMode(rawValue: "left")
    /// The right side.
    public static let right = CATextLayerAlignmentMode(rawValue: "right")
    /// The middle.
    public static let center = CATextLayerAlignmentMode(rawValue: "center")
    /// Both sides.
    public static let justified = CATextLayerAlignmentMode(rawValue: "justified")

    var scene: SceneAlignment { SceneAlignment(rawValue: rawValue) ?? .natural }
}

/// The part of a text that is cut when it is too long.
public struct CATextLayerTruncationMode: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Nothing is left out.
    public static let none = CATextLayerTruncationMode(rawValue: "none")
    /// The beginning is left out.
    public static let start = CATextLayerTruncationMode(rawValue: "start")
    /// The middle is left out.
    public static let middle = CATextLayerTruncationMode(rawValue: "middle")
    /// The end is left out.
    public static let end = CATextLayerTruncationMode(rawValue: "end")
}
