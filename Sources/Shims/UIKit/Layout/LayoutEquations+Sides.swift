// SPDX-License-Identifier: Apache-2.0

import Foundation
import LayoutSolver

// The two sides of a constraint as expressions.
extension LayoutEquations {
    /// Returns what a constraint compares; `nil` for one of which an item is gone or is not in the highest view.
    ///
    /// A factor of a place counts from the nearest view that has both items. Where the language goes from right to
    /// left, places of a constraint with a leading or trailing edge are those of a mirror, so that a positive constant
    /// goes in the direction of the language. The view that holds the constraint has the direction.
    mutating func sides(of constraint: NSLayoutConstraint) -> (first: LayoutExpression, second: LayoutExpression)? {
        guard constraint.isWhole, let item = constraint.firstItem else { return nil }
        let (one, two) = (constraint.firstAttribute, constraint.secondAttribute)
        let (multiplier, constant) = (Double(constraint.multiplier), Double(constraint.constant))
        let other = two == .notAnAttribute ? nil : constraint.secondItem
        let isMirrored = (one.followsLanguage || two.followsLanguage) && constraint.isMirrored
        guard let first = expression(item, one, beside: other, isMirrored: isMirrored) else { return nil }
        guard let other else {
            guard one.isSize else {
                Absent.note("a constraint of a place without a second item", "it does not hold")
                return nil
            }
            return (first, LayoutExpression(constant: constant))
        }
        guard let second = expression(other, two, beside: item, isMirrored: isMirrored) else { return nil }
        let sign = isMirrored ? -1.0 : 1
        guard !one.isSize, multiplier != 1, let origin = origin(of: constraint, one, isMirrored: isMirrored) else {
            return (first * sign, second * (sign * multiplier) + constant)
        }
        return ((first - origin) * sign, (second - origin) * (sign * multiplier) + constant)
    }

    /// Returns the place from which a factor counts.
    private mutating func origin(
        of constraint: NSLayoutConstraint,
        _ attribute: NSLayoutConstraint.Attribute,
        isMirrored: Bool
    ) -> LayoutExpression? {
        guard let view = constraint.nearestView, let box = box(of: view) else { return nil }
        guard attribute.isHorizontal else { return box.y }
        return isMirrored ? box.maxX : box.x
    }

    private mutating func expression(
        _ item: AnyObject,
        _ attribute: NSLayoutConstraint.Attribute,
        beside other: AnyObject?,
        isMirrored: Bool
    ) -> LayoutExpression? {
        if attribute == .firstBaseline || attribute == .lastBaseline, let view = item as? UIView {
            return baseline(of: view, isFirst: attribute == .firstBaseline)
        }
        guard let whole = box(of: item, attribute, beside: other) else { return nil }
        let view = item as? UIView
        let box = view.map { whole.inset(by: $0.alignmentRectInsets) } ?? whole
        let inner = view.map { whole.inset(by: $0.layoutMargins) } ?? whole
        return switch attribute {
        case .left: box.x
        case .right: box.maxX
        case .leading: isMirrored ? box.maxX : box.x
        case .trailing: isMirrored ? box.x : box.maxX
        case .top, .firstBaseline: box.y
        case .bottom, .lastBaseline: box.maxY
        case .width: box.width
        case .height: box.height
        case .centerX: box.midX
        case .centerY: box.midY
        case .leftMargin: inner.x
        case .rightMargin: inner.maxX
        case .leadingMargin: isMirrored ? inner.maxX : inner.x
        case .trailingMargin: isMirrored ? inner.x : inner.maxX
        case .topMargin: inner.y
        case .bottomMargin: inner.maxY
        case .centerXWithinMargins: inner.midX
        case .centerYWithinMargins: inner.midY
        case .notAnAttribute: nil
        }
    }

    /// Returns the line on which a view's text stands; the top or the bottom of a view without text.
    mutating func baseline(of view: UIView, isFirst: Bool) -> LayoutExpression? {
        let target = view.baselineView(isFirst: isFirst)
        guard let box = box(of: target) else { return nil }
        let distances = target.baselines(inWidth: target.textWidth)
        let inset = box.inset(by: target.alignmentRectInsets)
        return isFirst ? inset.y + Double(distances.first) : inset.maxY - Double(distances.last)
    }

    /// Returns the box that an attribute of an item means: that of the content, for the edges of a scroll view beside
    /// what is in it.
    ///
    /// Source: Apple, "Working with Scroll Views".
    private mutating func box(
        of item: AnyObject,
        _ attribute: NSLayoutConstraint.Attribute,
        beside other: AnyObject?
    ) -> LayoutBox? {
        let guide = item as? UILayoutGuide
        guard attribute.isEdge, let scroll = item as? UIScrollView ?? guide?.owningView as? UIScrollView,
            other.map({ isContent($0, of: scroll) }) == true,
            guide == nil || guide === scroll.layout.standardGuides.margins
        else { return box(of: item) }
        let box = box(of: scroll.contentLayoutGuide)
        return guide == nil ? box : box?.inset(by: scroll.layoutMargins)
    }

    private func isContent(_ item: AnyObject, of scroll: UIScrollView) -> Bool {
        if let view = item as? UIView { return view !== scroll && view.isDescendant(of: scroll) }
        guard let guide = item as? UILayoutGuide, let view = guide.owningView else { return false }
        if view === scroll, case .free = guide.place { return true }
        return view !== scroll && view.isDescendant(of: scroll)
    }
}

extension NSLayoutConstraint {
    /// True if the language of the view that holds the constraint goes from right to left.
    fileprivate var isMirrored: Bool {
        (holder ?? views.first)?.effectiveUserInterfaceLayoutDirection == .rightToLeft
    }
}

extension NSLayoutConstraint.Attribute {
    var isSize: Bool { self == .width || self == .height }

    var isHorizontal: Bool {
        switch self {
        case .left, .right, .leading, .trailing, .width, .centerX, .leftMargin, .rightMargin, .leadingMargin,
            .trailingMargin, .centerXWithinMargins:
            true
        case .top, .bottom, .height, .centerY, .lastBaseline, .firstBaseline, .topMargin, .bottomMargin,
            .centerYWithinMargins, .notAnAttribute:
            false
        }
    }

    /// True for a side that is left or right by the direction of the language.
    fileprivate var followsLanguage: Bool {
        switch self {
        case .leading, .trailing, .leadingMargin, .trailingMargin: true
        default: false
        }
    }

    /// True for an edge, or for one inside of the margins.
    fileprivate var isEdge: Bool {
        switch self {
        case .left, .right, .leading, .trailing, .top, .bottom, .leftMargin, .rightMargin, .leadingMargin,
            .trailingMargin, .topMargin, .bottomMargin, .firstBaseline, .lastBaseline:
            true
        case .width, .height, .centerX, .centerY, .centerXWithinMargins, .centerYWithinMargins, .notAnAttribute:
            false
        }
    }
}

extension UIView {
    /// The width in which the text of the view is broken.
    var textWidth: CGFloat { layout.contentWidth ?? .greatestFiniteMagnitude }

    /// Returns the view whose text has the baseline of this one: itself, or one in it that it names.
    func baselineView(isFirst: Bool) -> UIView {
        var view = self
        // A view may name one that names another, but not itself again.
        for _ in 0..<32 {
            let next = isFirst ? view.forFirstBaselineLayout : view.forLastBaselineLayout
            guard next !== view, next.isDescendant(of: view) else { return view }
            view = next
        }
        return view
    }
}
