// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A view that places the views that it arranges in a row or in a column.
///
/// An arranged view that is hidden takes no room. The equations are in "StackEquations.swift".
/// Source: Apple, "UIStackView".
open class UIStackView: UIView {
    /// The share that views have of the room along the axis.
    public enum Distribution: Int, Sendable {
        /// The views fill it, each in its own size as far as its strengths let it be.
        case fill
        /// The views fill it in one size.
        case fillEqually
        /// The views fill it in proportion to their own sizes.
        case fillProportionally
        /// The views have their own sizes and equal distances.
        case equalSpacing
        /// The views have their own sizes, and their middles equal distances.
        case equalCentering
    }

    /// The place of views across the axis.
    public enum Alignment: Int, Sendable {
        /// Views reach from one edge to the other.
        case fill
        /// Views stand at the edge on which the language begins, or at the top.
        case leading
        /// Views stand on one line of text, that of their first lines.
        case firstBaseline
        /// Views stand in the middle.
        case center
        /// Views stand at the edge on which the language ends, or at the bottom.
        case trailing
        /// Views stand on one line of text, that of their last lines.
        case lastBaseline

        /// Views of a row stand at the top.
        public static let top = Alignment.leading
        /// Views of a row stand at the bottom.
        public static let bottom = Alignment.trailing
    }

    /// The value of `customSpacing(after:)` for a view without a distance of its own.
    public class var spacingUseDefault: CGFloat { CGFloat(Float.greatestFiniteMagnitude) }
    /// The distance that the system has between two views: 8 points.
    public class var spacingUseSystem: CGFloat { CGFloat(Float.leastNormalMagnitude) }

    /// The arranged views in their order, which is not that of drawing.
    open private(set) var arrangedSubviews: [UIView] = []
    private var customSpacings: [ObjectIdentifier: CGFloat] = [:]

    /// A stack view at a place in the view that it will be in.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// A stack view that arranges views.
    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }

    /// A stack view of a storyboard.
    public required init(coder: NSCoder) {
        super.init(frame: .zero)
        (coder as? NibCoder)?.configure(self)
    }

    /// The direction in which the views stand one behind the other.
    @_OnMainThread open var axis = NSLayoutConstraint.Axis.horizontal {
        didSet { if axis != oldValue { setNeedsSolving() } }
    }
    /// The share that views have of the room along the axis.
    @_OnMainThread open var distribution = Distribution.fill {
        didSet { if distribution != oldValue { setNeedsSolving() } }
    }
    /// The place of views across the axis.
    @_OnMainThread open var alignment = Alignment.fill { didSet { if alignment != oldValue { setNeedsSolving() } } }
    /// Points between two views, at least so much where the views have their own sizes.
    @_OnMainThread open var spacing: CGFloat = 0 { didSet { if spacing != oldValue { setNeedsSolving() } } }
    /// True if distances in a column are those between lines of text.
    @_OnMainThread open var isBaselineRelativeArrangement = false {
        didSet { if isBaselineRelativeArrangement != oldValue { setNeedsSolving() } }
    }
    /// True if the views are placed inside of the margins.
    @_OnMainThread open var isLayoutMarginsRelativeArrangement = false {
        didSet { if isLayoutMarginsRelativeArrangement != oldValue { setNeedsSolving() } }
    }

    // MARK: Views

    /// Arranges a view behind all others, and puts it into this view if it is not in it.
    open func addArrangedSubview(_ view: UIView) {
        guard onMain(self.addArrangedSubview(view)) else { return }
        arrange(view, at: arrangedSubviews.count)
    }

    /// Arranges a view at a place in the order, and puts it into this view if it is not in it.
    ///
    /// A place beyond the end is the end, where iOS raises an exception.
    open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
        guard onMain(self.insertArrangedSubview(view, at: stackIndex)) else { return }
        arrange(view, at: stackIndex)
    }

    /// Does not arrange a view any more; it stays in this view until it is removed from it.
    open func removeArrangedSubview(_ view: UIView) {
        guard onMain(self.removeArrangedSubview(view)) else { return }
        guard let index = arrangedSubviews.firstIndex(where: { $0 === view }) else { return }
        arrangedSubviews.remove(at: index)
        customSpacings[ObjectIdentifier(view)] = nil
        setNeedsSolving()
    }

    open override func willRemoveSubview(_ subview: UIView) {
        super.willRemoveSubview(subview)
        removeArrangedSubview(subview)
    }

    private func arrange(_ view: UIView, at index: Int) {
        // A circle of views is refused.
        if view.superview !== self { addSubview(view) }
        guard view.superview === self else { return }
        let spacing = customSpacings[ObjectIdentifier(view)]
        arrangedSubviews.removeAll { $0 === view }
        arrangedSubviews.insert(view, at: min(max(0, index), arrangedSubviews.count))
        customSpacings[ObjectIdentifier(view)] = spacing
        view.translatesAutoresizingMaskIntoConstraints = false
        setNeedsSolving()
    }

    // MARK: Distances

    /// Sets the distance between a view and the next one; `spacingUseDefault` takes it away.
    open func setCustomSpacing(_ spacing: CGFloat, after arrangedSubview: UIView) {
        guard onMain(self.setCustomSpacing(spacing, after: arrangedSubview)) else { return }
        guard arrangedSubviews.contains(where: { $0 === arrangedSubview }) else { return }
        customSpacings[ObjectIdentifier(arrangedSubview)] = spacing == Self.spacingUseDefault ? nil : spacing
        setNeedsSolving()
    }

    /// The distance that a view was given, or `spacingUseDefault`.
    open func customSpacing(after arrangedSubview: UIView) -> CGFloat {
        customSpacings[ObjectIdentifier(arrangedSubview)] ?? Self.spacingUseDefault
    }

    // MARK: Layout

    /// The arranged views that take room.
    var seenViews: [UIView] { arrangedSubviews.filter { !$0.isHidden } }

    /// The points between a view and the next one that is seen.
    func distance(after view: UIView) -> Double {
        let own = customSpacings[ObjectIdentifier(view)] ?? spacing
        if own == Self.spacingUseSystem { return Double(SystemSpacing.points) }
        // As on iOS the word for "as the others" is no distance where no other is said.
        return own.isFinite && own != Self.spacingUseDefault ? Double(own) : 0
    }

    open override var forFirstBaselineLayout: UIView { baselineView ?? seenViews.first ?? self }
    open override var forLastBaselineLayout: UIView { baselineView ?? seenViews.last ?? self }

    /// The view of a row that has the row's baselines: the tallest.
    private var baselineView: UIView? {
        guard axis == .horizontal else { return nil }
        return seenViews.map { (view: $0, height: LayoutContent(of: $0).size.height) }
            .max { $0.height < $1.height }?.view
    }

    override func addEquations(to equations: inout LayoutEquations) {
        StackEquations(of: self)?.add(to: &equations)
    }
}
