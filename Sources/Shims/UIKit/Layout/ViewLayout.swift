// SPDX-License-Identifier: Apache-2.0

import Foundation

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
    var margins = UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8)
    /// The margins by the direction of the language; `nil` means that they were set by left and right.
    var directionalMargins: NSDirectionalEdgeInsets?
    var keepsMarginsOfSuperview = false
    var addsSafeAreaToMargins = true
    var standardGuides = StandardGuides()
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
    /// The rounds that are left of the pass that is under way; used of a highest view alone.
    var leftRounds: Int?
}

/// The content of a view as far as equations have it.
@MainActor struct LayoutContent: Equatable {
    /// The width that the content has by itself, and the height that it has in the view's width.
    let size: CGSize
    private let firstBaseline: CGFloat
    private let lastBaseline: CGFloat

    init(of view: UIView) {
        if view.wrapsContent {
            let height = view.contentSize(inWidth: view.textWidth).height
            size = CGSize(width: view.contentSize(inWidth: .greatestFiniteMagnitude).width, height: height)
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
        // A frame that code gives to a view of constraints stands until these are solved for another reason.
        if !layout.isBeingPlaced, layout.followsFrame { setNeedsSolving() }
    }

    private func sizeChanged(from old: CGSize) {
        guard !layout.isBeingPlaced, layout.autoresizesSubviews else { return }
        for view in subviews where view.layout.followsFrame && !view.layout.mask.isEmpty {
            let frame = view.layer.untransformedFrame
            let new = Autoresizing(view.layout.mask).frame(frame, from: old, to: bounds.size)
            if new != frame { view.place(new) }
        }
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
        guard !layout.followsFrame else { return setNeedsSolving() }
        let root = rootView
        layout.hasNewContent = true
        root.layout.needsMeasuring = true
        (root as? UIWindow)?.layoutChanged()
    }

    /// Has the equations solved anew with the next layout.
    func setNeedsSolving() {
        let root = rootView
        root.layout.needsSolving = true
        (root as? UIWindow)?.layoutChanged()
    }

    // MARK: Content

    /// The strength with which the view is not larger than its content.
    public func contentHuggingPriority(for axis: NSLayoutConstraint.Axis) -> UILayoutPriority {
        axis == .horizontal ? layout.hugging.horizontal : layout.hugging.vertical
    }

    /// Sets the strength with which the view is not larger than its content.
    public func setContentHuggingPriority(_ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis) {
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
            layout.margins = newValue
            layout.directionalMargins = nil
            marginsChanged()
        }
    }

    private var ownMargins: UIEdgeInsets {
        guard let margins = layout.directionalMargins else { return layout.margins }
        let isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
        return UIEdgeInsets(
            top: margins.top,
            left: isMirrored ? margins.trailing : margins.leading,
            bottom: margins.bottom,
            right: isMirrored ? margins.leading : margins.trailing
        )
    }

    /// The distances of content from the edges, by the direction of the language.
    public var directionalLayoutMargins: NSDirectionalEdgeInsets {
        get {
            if let margins = layout.directionalMargins { return margins }
            let isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
            let margins = layout.margins
            return NSDirectionalEdgeInsets(
                top: margins.top,
                leading: isMirrored ? margins.right : margins.left,
                bottom: margins.bottom,
                trailing: isMirrored ? margins.left : margins.right
            )
        }
        set {
            layout.directionalMargins = newValue
            marginsChanged()
        }
    }

    /// True if the margins are at least those of the view around this one.
    public var preservesSuperviewLayoutMargins: Bool {
        get { layout.keepsMarginsOfSuperview }
        set {
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

    private func marginsChanged() {
        layoutMarginsDidChange()
        setNeedsLayout()
        setNeedsSolving()
    }
}
