// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A relation between two numbers of views or guides: `first = multiplier × second + constant`, at most, or at least.
///
/// An active constraint is held by the nearest view that has all its items, and goes when one of them leaves that view.
/// Source: Apple, "NSLayoutConstraint".
@preconcurrency @MainActor open class NSLayoutConstraint: NSObject {
    /// The relation of the two sides.
    public enum Relation: Int, Sendable {
        /// The first is at most the second.
        case lessThanOrEqual = -1
        /// The two are equal.
        case equal = 0
        /// The first is at least the second.
        case greaterThanOrEqual = 1
    }

    /// A number of a view or guide.
    public enum Attribute: Int, Sendable {
        case left = 1
        case right, top, bottom, leading, trailing, width, height, centerX, centerY, lastBaseline, firstBaseline
        case leftMargin, rightMargin, topMargin, bottomMargin, leadingMargin, trailingMargin
        case centerXWithinMargins, centerYWithinMargins
        /// No number: the constant alone.
        case notAnAttribute = 0

        /// The last baseline by its older name.
        public static let baseline = Attribute.lastBaseline
    }

    /// A direction.
    public enum Axis: Int, Sendable {
        /// From side to side.
        case horizontal
        /// From top to bottom.
        case vertical
    }

    /// The options of a visual format.
    public struct FormatOptions: OptionSet, Sendable {
        /// Apple's bits, unknown ones included.
        public let rawValue: UInt

        /// Takes any bits; unknown ones are kept.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The views have one left edge.
        public static let alignAllLeft = FormatOptions(rawValue: 1 << 1)
        /// The views have one right edge.
        public static let alignAllRight = FormatOptions(rawValue: 1 << 2)
        /// The views have one top edge.
        public static let alignAllTop = FormatOptions(rawValue: 1 << 3)
        /// The views have one bottom edge.
        public static let alignAllBottom = FormatOptions(rawValue: 1 << 4)
        /// The views have one leading edge.
        public static let alignAllLeading = FormatOptions(rawValue: 1 << 5)
        /// The views have one trailing edge.
        public static let alignAllTrailing = FormatOptions(rawValue: 1 << 6)
        /// The views have one middle from side to side.
        public static let alignAllCenterX = FormatOptions(rawValue: 1 << 9)
        /// The views have one middle from top to bottom.
        public static let alignAllCenterY = FormatOptions(rawValue: 1 << 10)
        /// The views have one last baseline.
        public static let alignAllLastBaseline = FormatOptions(rawValue: 1 << 11)
        /// The views have one first baseline.
        public static let alignAllFirstBaseline = FormatOptions(rawValue: 1 << 12)
        /// From the leading edge to the trailing one, as without an option.
        public static let directionLeadingToTrailing: FormatOptions = []
        /// From left to right, whatever the language.
        public static let directionLeftToRight = FormatOptions(rawValue: 1 << 16)
        /// From right to left, whatever the language.
        public static let directionRightToLeft = FormatOptions(rawValue: 1 << 17)
        /// Distances are those of edges, as without an option.
        public static let spacingEdgeToEdge: FormatOptions = []
        /// Distances between two views in a column are those of lines of text.
        public static let spacingBaselineToBaseline = FormatOptions(rawValue: 1 << 19)
        /// All options that align.
        public static let alignmentMask = FormatOptions(rawValue: 0xFFFF)
        /// All options that say a direction.
        public static let directionMask = FormatOptions(rawValue: 3 << 16)
        /// All options that say what distances are between.
        public static let spacingMask = FormatOptions(rawValue: 1 << 19)
    }

    /// The view or guide of the first side.
    public private(set) weak var firstItem: AnyObject?
    /// The number of the first side.
    public let firstAttribute: Attribute
    /// The relation of the two sides.
    public let relation: Relation
    /// The view or guide of the second side; `nil` for a constant alone.
    public private(set) weak var secondItem: AnyObject?
    /// The number of the second side.
    public let secondAttribute: Attribute
    /// The factor of the second side.
    public let multiplier: CGFloat
    private let hasSecondItem: Bool

    /// Relates a number of an item to one of another, or to a constant.
    public init(
        item view1: Any,
        attribute attr1: Attribute,
        relatedBy relation: Relation,
        toItem view2: Any?,
        attribute attr2: Attribute,
        multiplier: CGFloat,
        constant c: CGFloat
    ) {
        firstItem = Self.item(view1)
        firstAttribute = attr1
        self.relation = relation
        secondItem = view2.flatMap { Self.item($0) }
        hasSecondItem = view2 != nil
        secondAttribute = attr2
        self.multiplier = multiplier
        constant = c
        super.init()
    }

    /// The number that is added to the second side.
    @_OnMainThread open var constant: CGFloat { didSet { if constant != oldValue { holder?.setNeedsSolving() } } }
    /// The strength; 1000 must hold.
    @_OnMainThread open var priority = UILayoutPriority.required {
        didSet { if priority != oldValue { holder?.setNeedsSolving() } }
    }
    /// A name for the log.
    open var identifier: String?
    /// This has no effect: constraints are not archived.
    open var shouldBeArchived = false

    /// The view that holds the constraint; `nil` for one that is not active.
    private(set) weak var holder: UIView?

    /// True while the constraint is held by a view.
    open var isActive: Bool {
        get { holder != nil }
        set {
            guard onMain(self.isActive = newValue) else { return }
            if newValue { activate() } else { deactivate() }
        }
    }

    /// Makes constraints active.
    public class func activate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = true }
    }

    /// Lets constraints go.
    public class func deactivate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = false }
    }

    /// The anchor of the first side.
    open var firstAnchor: NSLayoutAnchor<AnyObject> { NSLayoutAnchor(firstItem, firstAttribute) }
    /// The anchor of the second side.
    open var secondAnchor: NSLayoutAnchor<AnyObject>? {
        secondItem.map { NSLayoutAnchor($0, secondAttribute) }
    }

    /// False if an item of it is gone.
    var isWhole: Bool { firstItem != nil && (!hasSecondItem || secondItem != nil) }

    /// The views that the items are, or are guides of.
    var views: [UIView] { [firstItem, secondItem].compactMap { Self.view(of: $0) } }

    /// The nearest view that has all items; `nil` if none has them.
    var nearestView: UIView? {
        let views = views
        guard let first = views.first, let last = views.last else { return nil }
        return first.nearest(with: last)
    }

    /// Returns a view or a guide, which may stand in an optional; `nil` for anything else.
    static func item(_ value: Any) -> AnyObject? { value as? UIView ?? value as? UILayoutGuide }

    private static func view(of item: AnyObject?) -> UIView? { item as? UIView ?? (item as? UILayoutGuide)?.owningView }

    private func activate() {
        guard holder == nil else { return }
        guard let view = nearestView else {
            return Absent.note("a constraint of views that are in no view together", "it is not active")
        }
        hold(in: view)
    }

    /// Makes the constraint active in a view that has all its items.
    func hold(in view: UIView) {
        guard holder !== view else { return }
        deactivate()
        holder = view
        view.layout.constraints.append(self)
        view.setNeedsSolving()
    }

    func deactivate() {
        guard let view = holder else { return }
        holder = nil
        view.layout.constraints.removeAll { $0 === self }
        view.setNeedsSolving()
    }
}

extension UIView {
    /// The nearest view that has both views.
    fileprivate func nearest(with other: UIView) -> UIView? {
        var view: UIView? = self
        while let current = view {
            if other.isDescendant(of: current) { return current }
            view = current.superview
        }
        return nil
    }

    /// The constraints that the view holds.
    public var constraints: [NSLayoutConstraint] { layout.constraints }

    /// Holds a constraint, of which all items are in this view.
    public func addConstraint(_ constraint: NSLayoutConstraint) {
        guard onMain(self.addConstraint(constraint)) else { return }
        constraint.hold(in: self)
    }

    /// Holds constraints, of which all items are in this view.
    public func addConstraints(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { addConstraint(constraint) }
    }

    /// Lets a constraint go that the view holds.
    public func removeConstraint(_ constraint: NSLayoutConstraint) {
        guard onMain(self.removeConstraint(constraint)) else { return }
        if constraint.holder === self { constraint.deactivate() }
    }

    /// Lets constraints go that the view holds.
    public func removeConstraints(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { removeConstraint(constraint) }
    }

    /// Lets those constraints go that lead from this view, or from one in it, to one outside.
    func dropOuterConstraints() {
        var next = superview
        while let view = next {
            let outer = view.layout.constraints.filter { $0.views.contains { $0.isDescendant(of: self) } }
            for constraint in outer { constraint.deactivate() }
            next = view.superview
        }
    }
}
