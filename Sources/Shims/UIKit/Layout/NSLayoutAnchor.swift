// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A number of a view or guide, of which constraints are made.
///
/// The type parameter keeps apart those that cannot be compared: a side and a height, say.
/// Source: Apple, "NSLayoutAnchor".
@preconcurrency @MainActor open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
    weak var item: AnyObject?
    let attribute: NSLayoutConstraint.Attribute

    init(_ item: AnyObject?, _ attribute: NSLayoutConstraint.Attribute) {
        self.item = item
        self.attribute = attribute
        super.init()
    }

    func constraint(
        _ relation: NSLayoutConstraint.Relation,
        _ other: AnyObject?,
        _ otherAttribute: NSLayoutConstraint.Attribute,
        multiplier: CGFloat = 1,
        constant: CGFloat
    ) -> NSLayoutConstraint {
        NSLayoutConstraint(
            item: item as Any,
            attribute: attribute,
            relatedBy: relation,
            toItem: other,
            attribute: otherAttribute,
            multiplier: multiplier,
            constant: constant
        )
    }

    /// A constraint that this is the other.
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
        constraint(equalTo: anchor, constant: 0)
    }

    /// A constraint that this is the other and so much.
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat) -> NSLayoutConstraint {
        constraint(.equal, anchor.item, anchor.attribute, constant: c)
    }

    /// A constraint that this is at least the other.
    open func constraint(greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
        constraint(greaterThanOrEqualTo: anchor, constant: 0)
    }

    /// A constraint that this is at least the other and so much.
    open func constraint(
        greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>,
        constant c: CGFloat
    ) -> NSLayoutConstraint {
        constraint(.greaterThanOrEqual, anchor.item, anchor.attribute, constant: c)
    }

    /// A constraint that this is at most the other.
    open func constraint(lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
        constraint(lessThanOrEqualTo: anchor, constant: 0)
    }

    /// A constraint that this is at most the other and so much.
    open func constraint(
        lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>,
        constant c: CGFloat
    ) -> NSLayoutConstraint {
        constraint(.lessThanOrEqual, anchor.item, anchor.attribute, constant: c)
    }
}

/// A place from side to side.
public final class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {
    /// The distance from another place as a dimension; only a constant distance is understood here.
    @available(*, unavailable, message: "relate the two anchors with a constant, or put a UILayoutGuide between them")
    public func anchorWithOffset(to other: NSLayoutXAxisAnchor) -> NSLayoutDimension { NSLayoutDimension(nil, .width) }

    /// A constraint that this is the standard distance behind the other.
    public func constraint(
        equalToSystemSpacingAfter anchor: NSLayoutXAxisAnchor,
        multiplier: CGFloat
    ) -> NSLayoutConstraint { constraint(equalTo: anchor, constant: multiplier * SystemSpacing.points) }

    /// A constraint that this is at least the standard distance behind the other.
    public func constraint(
        greaterThanOrEqualToSystemSpacingAfter anchor: NSLayoutXAxisAnchor,
        multiplier: CGFloat
    ) -> NSLayoutConstraint { constraint(greaterThanOrEqualTo: anchor, constant: multiplier * SystemSpacing.points) }

    /// A constraint that this is at most the standard distance behind the other.
    public func constraint(
        lessThanOrEqualToSystemSpacingAfter anchor: NSLayoutXAxisAnchor,
        multiplier: CGFloat
    ) -> NSLayoutConstraint { constraint(lessThanOrEqualTo: anchor, constant: multiplier * SystemSpacing.points) }
}

/// A place from top to bottom.
public final class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {
    /// The distance from another place as a dimension; only a constant distance is understood here.
    @available(*, unavailable, message: "relate the two anchors with a constant, or put a UILayoutGuide between them")
    public func anchorWithOffset(to other: NSLayoutYAxisAnchor) -> NSLayoutDimension { NSLayoutDimension(nil, .height) }

    /// A constraint that this is the standard distance below the other.
    public func constraint(
        equalToSystemSpacingBelow anchor: NSLayoutYAxisAnchor,
        multiplier: CGFloat
    ) -> NSLayoutConstraint { constraint(equalTo: anchor, constant: multiplier * SystemSpacing.points) }

    /// A constraint that this is at least the standard distance below the other.
    public func constraint(
        greaterThanOrEqualToSystemSpacingBelow anchor: NSLayoutYAxisAnchor,
        multiplier: CGFloat
    ) -> NSLayoutConstraint { constraint(greaterThanOrEqualTo: anchor, constant: multiplier * SystemSpacing.points) }

    /// A constraint that this is at most the standard distance below the other.
    public func constraint(
        lessThanOrEqualToSystemSpacingBelow anchor: NSLayoutYAxisAnchor,
        multiplier: CGFloat
    ) -> NSLayoutConstraint { constraint(lessThanOrEqualTo: anchor, constant: multiplier * SystemSpacing.points) }
}

/// The distance that the system has between two views.
enum SystemSpacing {
    /// Points.
    static let points: CGFloat = 8
}
