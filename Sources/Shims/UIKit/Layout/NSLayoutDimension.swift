// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A width or a height.
public final class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
    /// A constraint that this is so much.
    public func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint {
        constraint(.equal, nil, .notAnAttribute, constant: c)
    }

    /// A constraint that this is at least so much.
    public func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
        constraint(.greaterThanOrEqual, nil, .notAnAttribute, constant: c)
    }

    /// A constraint that this is at most so much.
    public func constraint(lessThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
        constraint(.lessThanOrEqual, nil, .notAnAttribute, constant: c)
    }

    /// A constraint that this is so many times the other, and so much.
    public func constraint(
        equalTo anchor: NSLayoutDimension,
        multiplier m: CGFloat,
        constant c: CGFloat = 0
    ) -> NSLayoutConstraint { constraint(.equal, anchor.item, anchor.attribute, multiplier: m, constant: c) }

    /// A constraint that this is at least so many times the other, and so much.
    public func constraint(
        greaterThanOrEqualTo anchor: NSLayoutDimension,
        multiplier m: CGFloat,
        constant c: CGFloat = 0
    ) -> NSLayoutConstraint {
        constraint(.greaterThanOrEqual, anchor.item, anchor.attribute, multiplier: m, constant: c)
    }

    /// A constraint that this is at most so many times the other, and so much.
    public func constraint(
        lessThanOrEqualTo anchor: NSLayoutDimension,
        multiplier m: CGFloat,
        constant c: CGFloat = 0
    ) -> NSLayoutConstraint { constraint(.lessThanOrEqual, anchor.item, anchor.attribute, multiplier: m, constant: c) }
}

/// The anchors that a view and a guide have alike.
protocol LayoutItem: AnyObject {}

extension LayoutItem {
    @MainActor func x(_ attribute: NSLayoutConstraint.Attribute) -> NSLayoutXAxisAnchor {
        NSLayoutXAxisAnchor(self, attribute)
    }

    @MainActor func y(_ attribute: NSLayoutConstraint.Attribute) -> NSLayoutYAxisAnchor {
        NSLayoutYAxisAnchor(self, attribute)
    }

    @MainActor func dimension(_ attribute: NSLayoutConstraint.Attribute) -> NSLayoutDimension {
        NSLayoutDimension(self, attribute)
    }
}

extension UIView: LayoutItem {
    /// The edge on which the language begins.
    public var leadingAnchor: NSLayoutXAxisAnchor { x(.leading) }
    /// The edge on which the language ends.
    public var trailingAnchor: NSLayoutXAxisAnchor { x(.trailing) }
    /// The left edge.
    public var leftAnchor: NSLayoutXAxisAnchor { x(.left) }
    /// The right edge.
    public var rightAnchor: NSLayoutXAxisAnchor { x(.right) }
    /// The top edge.
    public var topAnchor: NSLayoutYAxisAnchor { y(.top) }
    /// The bottom edge.
    public var bottomAnchor: NSLayoutYAxisAnchor { y(.bottom) }
    /// The width.
    public var widthAnchor: NSLayoutDimension { dimension(.width) }
    /// The height.
    public var heightAnchor: NSLayoutDimension { dimension(.height) }
    /// The middle from side to side.
    public var centerXAnchor: NSLayoutXAxisAnchor { x(.centerX) }
    /// The middle from top to bottom.
    public var centerYAnchor: NSLayoutYAxisAnchor { y(.centerY) }
    /// The line on which the first line of text stands.
    public var firstBaselineAnchor: NSLayoutYAxisAnchor { y(.firstBaseline) }
    /// The line on which the last line of text stands.
    public var lastBaselineAnchor: NSLayoutYAxisAnchor { y(.lastBaseline) }
}
