// SPDX-License-Identifier: Apache-2.0

public import Foundation
import TextLayout

/// The way in which a text is measured.
///
/// Source: Apple, "NSStringDrawingOptions", with its numbers.
public struct NSStringDrawingOptions: OptionSet, Sendable {
    /// Apple's bits, unknown ones included.
    public let rawValue: Int

    /// Takes any bits; unknown ones are kept.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The text is broken into lines.
    public static let usesLineFragmentOrigin = NSStringDrawingOptions(rawValue: 1)
    /// This has no effect: fonts have no room between lines.
    public static let usesFontLeading = NSStringDrawingOptions(rawValue: 2)
    /// This has no effect: letters have their usual boxes.
    public static let usesDeviceMetrics = NSStringDrawingOptions(rawValue: 8)
    /// Lines beyond the height are left out.
    public static let truncatesLastVisibleLine = NSStringDrawingOptions(rawValue: 32)
}

/// Wishes for the measure of a text; none makes a text smaller.
///
/// Source: Apple, "NSStringDrawingContext".
open class NSStringDrawingContext: NSObject {
    /// This has no effect: a text is measured in its own size.
    open var minimumScaleFactor: CGFloat = 0
    /// The factor by which the text is smaller: 1.
    open var actualScaleFactor: CGFloat { 1 }
    /// The rectangle that was measured last.
    open fileprivate(set) var totalBounds = CGRect.zero
}

extension NSAttributedString {
    /// The size of the text in lines that nothing breaks; parts without a font have the system's of 12 points.
    public func size() -> CGSize {
        boundingRect(with: .zero, options: [], context: nil).size
    }

    /// The rectangle of the text in a room, whose origin is always that of the room.
    ///
    /// A width or a height of 0 or less has no bound. Lines are broken with `usesLineFragmentOrigin` alone.
    public func boundingRect(
        with size: CGSize,
        options: NSStringDrawingOptions = [],
        context: NSStringDrawingContext?
    ) -> CGRect {
        let font = first(.font, as: UIFont.self) ?? .systemFont(ofSize: 0)
        let text = LabelText(self, font: font)
        let isBroken = options.contains(.usesLineFragmentOrigin)
        let isCut = isBroken && options.contains(.truncatesLastVisibleLine)
        let block = text.broken(
            in: TextRoom(
                width: isBroken && size.width > 0 && size.width < .greatestFiniteMagnitude ? Double(size.width) : nil,
                height: isCut && size.height > 0 && size.height < .greatestFiniteMagnitude
                    ? Double(size.height) : nil,
                lineLimit: 0,
                mode: TextLineBreakMode(text.lineBreakMode ?? .byWordWrapping)
            )
        )
        let least = length == 0 ? TextFont(font).lineHeight : 0
        let bounds = CGRect(x: 0, y: 0, width: block.width, height: max(block.height, least))
        context?.totalBounds = bounds
        return bounds
    }
}

extension NSString {
    /// The size of the text in lines that nothing breaks; without a font it is the system's of 12 points.
    public func size(withAttributes attrs: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        String(describing: self).size(withAttributes: attrs)
    }

    /// The rectangle of the text in a room, as that of an attributed text.
    public func boundingRect(
        with size: CGSize,
        options: NSStringDrawingOptions = [],
        attributes: [NSAttributedString.Key: Any]? = nil,
        context: NSStringDrawingContext?
    ) -> CGRect {
        String(describing: self)
            .boundingRect(with: size, options: options, attributes: attributes, context: context)
    }
}

extension String {
    /// The size of the text in lines that nothing breaks; without a font it is the system's of 12 points.
    public func size(withAttributes attrs: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        NSAttributedString(string: self, attributes: attrs).size()
    }

    /// The rectangle of the text in a room, as that of an attributed text.
    public func boundingRect(
        with size: CGSize,
        options: NSStringDrawingOptions = [],
        attributes: [NSAttributedString.Key: Any]? = nil,
        context: NSStringDrawingContext?
    ) -> CGRect {
        NSAttributedString(string: self, attributes: attributes)
            .boundingRect(with: size, options: options, context: context)
    }
}
