// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoundationCompatibility
import SceneModel
import TextLayout

/// A text that nobody changes.
///
/// Lines are broken here, by the measures of the font that the page draws with, and the text stands in the middle of
/// the frame's height.
/// Source: Apple, "UILabel".
open class UILabel: UIView {
    private var content = NSAttributedString(string: "")
    /// True if the text was given with attributes.
    private var hasAttributes = false

    override func setUp() {
        isUserInteractionEnabled = false
        contentMode = .redraw
    }

    // MARK: Content

    /// The text.
    open var text: String? {
        get { content.length == 0 ? nil : content.string }
        set {
            guard onMain(self.text = newValue) else { return }
            guard hasAttributes || newValue ?? "" != content.string else { return }
            (content, hasAttributes) = (NSAttributedString(string: newValue ?? ""), false)
            textChanged()
        }
    }

    /// The text with the looks of its parts.
    open var attributedText: NSAttributedString? {
        get { content.length == 0 ? nil : content }
        set {
            guard onMain(self.attributedText = newValue) else { return }
            // A copy, since the text may be one that changes.
            content = newValue.map { NSAttributedString(attributedString: $0) } ?? NSAttributedString(string: "")
            hasAttributes = newValue != nil
            textChanged()
        }
    }

    /// The font of what has no other; 17 points at first.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    @_OnMainThread open var font: UIFont! = .systemFont(ofSize: UIFont.labelFontSize) {
        didSet {
            if font == nil { font = .systemFont(ofSize: UIFont.labelFontSize) }
            textChanged()
        }
    }
    /// The colour of what has no other.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    @_OnMainThread open var textColor: UIColor! = .label {
        didSet {
            if textColor == nil { textColor = .label }
            changed()
        }
    }
    /// The place of the lines between the sides.
    @_OnMainThread open var textAlignment = NSTextAlignment.natural { didSet { changed() } }
    /// The most lines; 0 means as many as there are.
    @_OnMainThread open var numberOfLines = 1 { didSet { textChanged() } }
    /// The way in which lines are broken, and the rest is left out.
    @_OnMainThread open var lineBreakMode = NSLineBreakMode.byTruncatingTail { didSet { textChanged() } }
    /// True if the text becomes smaller so that it fits the width.
    @_OnMainThread open var adjustsFontSizeToFitWidth = false { didSet { changed() } }
    /// The least size to which a text becomes smaller, as a part of its own; 0 means any.
    @_OnMainThread open var minimumScaleFactor: CGFloat = 0 { didSet { changed() } }
    /// The place of a smaller text on the line; it stays in the middle.
    open var baselineAdjustment = UIBaselineAdjustment.alignBaselines
    /// This has no effect: letters keep their distances.
    open var allowsDefaultTighteningForTruncation = false
    /// True if fonts of a text style, and those of `UIFontMetrics`, follow the size of texts that a person wants.
    open var adjustsFontForContentSizeCategory = false
    /// The width at which lines are broken, where it is not the frame's; 0 means the frame's.
    @_OnMainThread open var preferredMaxLayoutWidth: CGFloat = 0 { didSet { textChanged() } }
    /// False for a text that is drawn grey.
    @_OnMainThread open var isEnabled = true { didSet { changed() } }
    /// True for a text that has `highlightedTextColor`.
    @_OnMainThread open var isHighlighted = false { didSet { changed() } }
    /// The colour of a highlighted text.
    @_OnMainThread open var highlightedTextColor: UIColor? { didSet { changed() } }
    /// The colour of a shadow; the page draws texts without one.
    @_OnMainThread open var shadowColor: UIColor? {
        didSet { if shadowColor != nil { Absent.note("UILabel.shadowColor", "texts have no shadow") } }
    }
    /// The distance of a shadow.
    open var shadowOffset = CGSize(width: 0, height: -1)

    override func adaptFonts(from before: UITraitCollection, to now: UITraitCollection) {
        guard adjustsFontForContentSizeCategory else { return }
        if let adapted = font.adapted(from: before, to: now) { font = adapted }
        if hasAttributes { attributedText = content.adapted(from: before, to: now) }
    }

    // MARK: Measures

    private var cache = TextCache()

    private func textChanged() {
        guard MainThread.isCurrent else { return }
        cache = TextCache()
        asked = nil
        invalidateIntrinsicContentSize()
    }

    /// The text with its looks.
    private var looks: LabelText {
        cache.looks { hasAttributes ? LabelText(content, font: font) : LabelText(content.string, font: font) }
    }

    private func room(width: CGFloat, height: CGFloat? = nil, lines: Int? = nil) -> TextRoom {
        TextRoom(
            width: width < CGFloat.greatestFiniteMagnitude ? Double(width) : nil,
            height: height.map(Double.init),
            lineLimit: lines ?? numberOfLines,
            mode: TextLineBreakMode(looks.lineBreakMode ?? lineBreakMode)
        )
    }

    override var wrapsContent: Bool { numberOfLines != 1 && preferredMaxLayoutWidth <= 0 }

    override func contentSize(inWidth width: CGFloat) -> CGSize { size(inWidth: width, lines: numberOfLines) }

    private func size(inWidth width: CGFloat, lines: Int) -> CGSize {
        guard content.length > 0 else { return .zero }
        let block = cache.broken(looks, in: room(width: width, lines: lines))
        return CGSize(width: block.width.rounded(.up, toGrain: 2), height: block.height)
    }

    open override var intrinsicContentSize: CGSize { rectangle(inWidth: preferredMaxLayoutWidth).size }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { rectangle(inWidth: size.width).size }

    override func withOwnRoom(_ size: CGSize) -> CGSize {
        let (own, plain) = (intrinsicContentSize, contentSize(inWidth: .greatestFiniteMagnitude))
        return CGSize(
            width: own.width < 0 ? own.width : size.width + own.width - plain.width,
            height: own.height < 0 ? own.height : size.height + own.height - plain.height
        )
    }

    /// The rectangle that the label wants; 0 stands for a width without an end, as does any for a single line.
    private func rectangle(inWidth width: CGFloat) -> CGRect {
        let room = CGSize(
            width: width > 0 && numberOfLines != 1 ? width : .greatestFiniteMagnitude,
            height: .greatestFiniteMagnitude
        )
        return textRect(forBounds: CGRect(origin: .zero, size: room), limitedToNumberOfLines: numberOfLines)
    }

    /// The rectangle in which the text is drawn in bounds, with so many lines at most.
    open func textRect(forBounds bounds: CGRect, limitedToNumberOfLines numberOfLines: Int) -> CGRect {
        let size = size(inWidth: bounds.width, lines: numberOfLines)
        return CGRect(x: bounds.minX, y: bounds.minY, width: size.width, height: min(size.height, bounds.height))
    }

    /// Says where the text is drawn; the page draws it there.
    ///
    /// The label is asked with its bounds before a drawing of another text or size, and a class of an extension that
    /// calls this with a smaller rectangle has room around its text.
    open func drawText(in rect: CGRect) { place = rect }

    /// The rectangle of the text in bounds of a size; `nil` if nobody was asked since another text.
    private var asked: (size: CGSize, rect: CGRect)?
    /// The rectangle with which `drawText(in:)` was called last.
    private var place = CGRect.zero
    /// The text of a label that has room around it.
    private var lines: LabelLines?

    /// The rectangle in which the text is drawn.
    private var textPlace: CGRect {
        if let asked, asked.size == bounds.size { return asked.rect }
        place = bounds
        drawText(in: bounds)
        if !place.minX.isFinite || !place.minY.isFinite || !place.width.isFinite || !place.height.isFinite {
            place = bounds
        }
        asked = (bounds.size, place)
        return place
    }

    override func baselines(inWidth width: CGFloat) -> (first: CGFloat, last: CGFloat) {
        let block = cache.broken(looks, in: room(width: width))
        guard let first = block.firstBaseline, let last = block.lastBaseline else {
            let font = TextFont(font)
            return (font.baseline, font.lineHeight - font.baseline)
        }
        return (first, block.height - last)
    }

    // MARK: Drawing

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        let place = textPlace
        guard place != bounds else {
            lines?.removeFromSuperlayer()
            lines = nil
            return text(in: bounds.size)
        }
        let lines = lines ?? LabelLines()
        (self.lines, lines.kind) = (lines, text(in: place.size))
        if lines.superlayer !== layer { layer.insertSublayer(lines, at: 0) }
        if lines.place != place { (lines.place, lines.frame) = (place, place) }
        return .view
    }

    private func text(in size: CGSize) -> SceneKind {
        let (looks, room) = (looks, room(width: size.width, height: size.height))
        let factor =
            adjustsFontSizeToFitWidth && numberOfLines != 0
            ? cache.factor(looks, in: self.room(width: size.width), least: minimumScaleFactor) : 1
        let fitted = looks.scaled(by: factor)
        return .text(
            fitted.scene(
                cache.broken(fitted, by: factor, in: room),
                color: shownColor.sceneColor,
                alignment: (looks.alignment ?? textAlignment).sceneAlignment,
                isCentered: true
            )
        )
    }

    private var shownColor: UIColor {
        if !isEnabled { return .placeholderText }
        return isHighlighted ? highlightedTextColor ?? textColor : textColor
    }
}

/// The text of a label that has room around it.
private final class LabelLines: CALayer {
    var kind = SceneKind.view
    var place: CGRect?

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind { kind }
}

/// The place of a smaller text on its line.
public enum UIBaselineAdjustment: Int, Sendable {
    /// The baseline of the text stays.
    case alignBaselines
    /// The middle of the text stays.
    case alignCenters
    /// The top of the text stays.
    case none
}

extension Double {
    /// Rounded to a whole number of grains, of which a point has so many.
    func rounded(_ rule: FloatingPointRoundingRule, toGrain count: Double) -> CGFloat {
        CGFloat((self * count).rounded(rule) / count)
    }
}
