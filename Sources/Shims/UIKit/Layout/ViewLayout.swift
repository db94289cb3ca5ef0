// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility

/// The state of a view in layout.
struct ViewLayout {
    /// True if the frame stands for constraints, with the mask.
    var followsFrame = true
    var autoresizesSubviews = true
    var mask: UIView.AutoresizingMask = []
    /// The constraints that this view holds: each at the nearest view that has all its items.
    var constraints: [NSLayoutConstraint] = []
    var guides: [UILayoutGuide] = []
    var hugging = (horizontal: UILayoutPriority.defaultLow, vertical: UILayoutPriority.defaultLow)
    var compression = (horizontal: UILayoutPriority.defaultHigh, vertical: UILayoutPriority.defaultHigh)
    /// The margins that were set; `nil` means those that a view has by itself.
    var margins: UIEdgeInsets?
    /// The margins by the direction of the language; `nil` means that they were set by left and right.
    var directionalMargins: NSDirectionalEdgeInsets?
    var keepsMarginsOfSuperview = false
    var addsSafeAreaToMargins = true
    var standardGuides = StandardGuides()
    /// True if another view's place depends on that of this one, or on one in it, as of the last equations.
    var isInEquations = false
    /// `layoutSubviews()` is to be called.
    var needsLayout = true
    /// `updateConstraints()` is to be called.
    var needsConstraints = true
    /// The equations are to be solved anew; used of a highest view alone.
    var needsSolving = true
    /// The layouts in which the equations of a highest view were solved.
    var solvedCount = 0
    /// True while the layout gives the view its frame, so that it does not cause another one.
    var isBeingPlaced = false
    /// The width for which the height of the content was asked last.
    var contentWidth: CGFloat?
    /// The content with which the equations were solved last.
    var solvedContent: LayoutContent?
    /// The content may have another size than when the equations were solved.
    var hasNewContent = false
    /// Something in the view has perhaps another size; used of a highest view alone.
    var needsMeasuring = false
    /// The constraints that could not hold in the last layout and were not told; used of a highest view alone.
    var contradicting: [NSLayoutConstraint] = []
    /// The rounds that are left of the pass that is under way; used of a highest view alone.
    var leftRounds: Int?
}

/// The content of a view as far as equations have it.
@MainActor struct LayoutContent: Equatable {
    /// The width that the content has by itself, and the height that it has in the view's width.
    let size: CGSize
    private let firstBaseline: CGFloat
    private let lastBaseline: CGFloat

    /// Measures a view; `limit` is a width in which its text is broken in any case.
    init(of view: UIView, brokenIn limit: CGFloat? = nil) {
        if view.wrapsContent {
            let height = view.contentSize(inWidth: view.textWidth).height
            let width = view.contentSize(inWidth: limit ?? .greatestFiniteMagnitude).width
            size = view.withOwnRoom(CGSize(width: width, height: height))
        } else {
            size = view.intrinsicContentSize
        }
        let baselines = view.baselines(inWidth: view.textWidth)
        (firstBaseline, lastBaseline) = (baselines.first, baselines.last)
    }
}

/// The guides that each view has by itself, made when they are asked for.
struct StandardGuides {
    var safeArea: UILayoutGuide?
    var margins: UILayoutGuide?
    var readable: UILayoutGuide?
}

extension UIView {
    // MARK: Autoresizing

    /// True if the frame and the mask place the view; false for one that constraints place.
    public var translatesAutoresizingMaskIntoConstraints: Bool {
        get { layout.followsFrame }
        set {
            guard onMain(self.translatesAutoresizingMaskIntoConstraints = newValue) else { return }
            layout.followsFrame = newValue
            setNeedsSolving()
        }
    }

    /// True if the views in this one change with its size.
    public var autoresizesSubviews: Bool {
        get { layout.autoresizesSubviews }
        set { layout.autoresizesSubviews = newValue }
    }

    /// The sides and sizes that change when the view around this one changes its size.
    public var autoresizingMask: AutoresizingMask {
        get { layout.mask }
        set {
            guard onMain(self.autoresizingMask = newValue) else { return }
            layout.mask = newValue
            setNeedsSolving()
        }
    }

    /// Takes in that the layer has another place or size.
    func placeChanged(from old: CGSize) {
        if bounds.size != old {
            layout.needsLayout = true
            sizeChanged(from: old)
        }
        // A frame that code gives to a view of constraints stands until these are solved for another reason, and one
        // on which no other depends needs no solving.
        if !layout.isBeingPlaced, followsFrame, layout.isInEquations { setNeedsSolving() }
    }

    private func sizeChanged(from old: CGSize) {
        guard !layout.isBeingPlaced, layout.autoresizesSubviews || self is UIWindow else { return }
        for view in subviews where view.followsFrame {
            let frame = view.layer.untransformedFrame
            let new = view.resized(from: old, to: bounds.size)
            if new != frame { view.place(new) }
        }
    }

    /// True if the frame places the view: by its own wish, or by that of the view around it.
    var followsFrame: Bool { layout.followsFrame || superview?.givenMask(of: self) != nil }

    /// The parts of the frame that follow the size of the view around this one.
    var followedMask: AutoresizingMask {
        guard let superview else { return [] }
        return superview.givenMask(of: self) ?? (superview.layout.autoresizesSubviews ? layout.mask : [])
    }

    /// The frame, without the transform, in a view around this one that has changed its size.
    func resized(from old: CGSize, to new: CGSize) -> CGRect {
        Autoresizing(followedMask).frame(layer.untransformedFrame, from: old, to: new)
    }

    /// Gives the view a place and size without its transform.
    func place(_ frame: CGRect) {
        let anchor = layer.anchorPoint
        let center = CGPoint(x: frame.minX + anchor.x * frame.width, y: frame.minY + anchor.y * frame.height)
        if center != layer.position { layer.position = center }
        if frame.size != bounds.size { bounds.size = frame.size }
    }

    // MARK: Changes

    /// Takes in that the view is seen no more, or again: in a stack view it takes room only while it is seen.
    func hiddenChanged() {
        if superview is UIStackView { setNeedsSolving() }
    }

    /// Has the equations solved anew with the next layout if the content has another size by then.
    func setNeedsMeasuring() {
        guard onMain(self.setNeedsMeasuring(), nil) else { return }
        // The content of a view with a frame counts only where another one stands on its lines, or all are in it.
        guard !followsFrame else {
            if layout.isInEquations { setNeedsSolving() }
            return
        }
        let root = rootView
        layout.hasNewContent = true
        root.layout.needsMeasuring = true
        (root as? UIWindow)?.sceneChanged()
    }

    /// Has the equations solved anew with the next layout.
    func setNeedsSolving() {
        guard onMain(self.setNeedsSolving(), nil) else { return }
        let root = rootView
        root.layout.needsSolving = true
        (root as? UIWindow)?.sceneChanged()
    }

    // MARK: Content

    /// The strength with which the view is not larger than its content.
    public func contentHuggingPriority(for axis: NSLayoutConstraint.Axis) -> UILayoutPriority {
        axis == .horizontal ? layout.hugging.horizontal : layout.hugging.vertical
    }

    /// Sets the strength with which the view is not larger than its content.
    public func setContentHuggingPriority(_ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis) {
        guard onMain(self.setContentHuggingPriority(priority, for: axis)) else { return }
        if axis == .horizontal { layout.hugging.horizontal = priority } else { layout.hugging.vertical = priority }
        setNeedsSolving()
    }

    /// The strength with which the view is not smaller than its content.
    public func contentCompressionResistancePriority(for axis: NSLayoutConstraint.Axis) -> UILayoutPriority {
        axis == .horizontal ? layout.compression.horizontal : layout.compression.vertical
    }

    /// Sets the strength with which the view is not smaller than its content.
    public func setContentCompressionResistancePriority(
        _ priority: UILayoutPriority,
        for axis: NSLayoutConstraint.Axis
    ) {
        guard onMain(self.setContentCompressionResistancePriority(priority, for: axis)) else { return }
        if axis == .horizontal {
            layout.compression.horizontal = priority
        } else {
            layout.compression.vertical = priority
        }
        setNeedsSolving()
    }

    // MARK: Margins

    /// The distances of content from the edges.
    ///
    /// The margins of a view that preserves those of the view around it are not smaller than what is left of these.
    public var layoutMargins: UIEdgeInsets {
        get {
            let own = ownMargins
            guard layout.keepsMarginsOfSuperview, let above = superview else { return own }
            let (outer, frame) = (above.layoutMargins, layer.untransformedFrame)
            return UIEdgeInsets(
                top: max(own.top, outer.top - frame.minY),
                left: max(own.left, outer.left - frame.minX),
                bottom: max(own.bottom, outer.bottom - (above.bounds.height - frame.maxY)),
                right: max(own.right, outer.right - (above.bounds.width - frame.maxX))
            )
        }
        set {
            guard onMain(self.layoutMargins = newValue) else { return }
            layout.margins = newValue
            layout.directionalMargins = nil
            marginsChanged()
        }
    }

    /// The margins without those that the view takes over: 8 points on each side of a view that was given none.
    ///
    /// The view of a controller has none, but at least those that the controller says at the sides.
    /// Source: Apple, "viewRespectsSystemMinimumLayoutMargins".
    private var ownMargins: UIEdgeInsets {
        let isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
        let given = layout.directionalMargins.map { UIEdgeInsets($0, isMirrored: isMirrored) } ?? layout.margins
        guard let controller else { return given ?? UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8) }
        let own = given ?? .zero
        guard controller.viewRespectsSystemMinimumLayoutMargins else { return own }
        let least = UIEdgeInsets(controller.systemMinimumLayoutMargins, isMirrored: isMirrored)
        return UIEdgeInsets(
            top: max(own.top, least.top),
            left: max(own.left, least.left),
            bottom: max(own.bottom, least.bottom),
            right: max(own.right, least.right)
        )
    }

    /// The distances of content from the edges, by the direction of the language.
    public var directionalLayoutMargins: NSDirectionalEdgeInsets {
        get {
            if controller == nil, let margins = layout.directionalMargins { return margins }
            let isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
            let margins = ownMargins
            return NSDirectionalEdgeInsets(
                top: margins.top,
                leading: isMirrored ? margins.right : margins.left,
                bottom: margins.bottom,
                trailing: isMirrored ? margins.left : margins.right
            )
        }
        set {
            guard onMain(self.directionalLayoutMargins = newValue) else { return }
            layout.directionalMargins = newValue
            marginsChanged()
        }
    }

    /// True if the margins are at least those of the view around this one.
    public var preservesSuperviewLayoutMargins: Bool {
        get { layout.keepsMarginsOfSuperview }
        set {
            guard onMain(self.preservesSuperviewLayoutMargins = newValue) else { return }
            layout.keepsMarginsOfSuperview = newValue
            marginsChanged()
        }
    }

    /// True if the safe area counts in the margins; it is always the whole view.
    public var insetsLayoutMarginsFromSafeArea: Bool {
        get { layout.addsSafeAreaToMargins }
        set { layout.addsSafeAreaToMargins = newValue }
    }

    /// The distances of the safe area from the edges; none, since nothing lies over a view.
    public var safeAreaInsets: UIEdgeInsets { .zero }

    /// Takes in that the margins are others.
    func marginsChanged() {
        guard onMain(self.marginsChanged(), nil) else { return }
        layoutMarginsDidChange()
        setNeedsLayout()
        setNeedsSolving()
    }
}

extension UIEdgeInsets {
    /// The distances in a language that goes from right to left, or from left to right.
    fileprivate init(_ insets: NSDirectionalEdgeInsets, isMirrored: Bool) {
        self.init(
            top: insets.top,
            left: isMirrored ? insets.trailing : insets.leading,
            bottom: insets.bottom,
            right: isMirrored ? insets.leading : insets.trailing
        )
    }
}
