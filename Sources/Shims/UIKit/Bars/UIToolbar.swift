// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The look of a bar.
public enum UIBarStyle: Int, Sendable {
    case `default`, black
}

/// A bar of buttons, mostly above a keyboard: 44 points high and as wide as the place it is in.
///
/// Source: Apple, "UIToolbar".
@preconcurrency @MainActor open class UIToolbar: UIView {
    /// The height in points.
    private static let height: CGFloat = 44
    /// The room at both ends, and between two buttons, in points.
    private static let (margin, gap): (CGFloat, CGFloat) = (16, 8)
    /// The items that are shown at most; the others are named in the log.
    private static let mostItems = 64

    /// The items from the leading end on.
    open var items: [UIBarButtonItem]? {
        get { shown }
        set { setItems(newValue, animated: false) }
    }
    /// The look; without effect, as the bar follows the scheme of the page.
    open var barStyle = UIBarStyle.default
    /// True has no effect: nothing shines through a bar.
    open var isTranslucent = true
    /// The colour of the bar; `nil` for that of a box.
    @_OnMainThread open var barTintColor: UIColor? { didSet { backgroundColor = barTintColor ?? .systemBackground } }

    private var shown: [UIBarButtonItem]?
    /// The views of the items: none for spaces, and for a view that another bar has taken by now.
    private var views: [UIView?] = []

    /// Shows other items, at once in any case.
    open func setItems(_ items: [UIBarButtonItem]?, animated: Bool) {
        guard onMain(self.setItems(items, animated: animated)) else { return }
        for item in shown ?? [] where item.bar === self { item.bar = nil }
        if let count = items?.count, count > Self.mostItems {
            Absent.note("a bar of \(count) items", "the first \(Self.mostItems) are shown")
        }
        shown = items.map { Array($0.prefix(Self.mostItems)) }
        for item in shown ?? [] { item.bar = self }
        itemsChanged()
    }

    override func setUp() {
        super.setUp()
        backgroundColor = .systemBackground
    }

    /// Makes the views of the items anew.
    func itemsChanged() {
        guard onMain(self.itemsChanged(), nil) else { return }
        for view in views where view?.superview === self { view?.removeFromSuperview() }
        views = (shown ?? []).map(view)
        for view in views { view.map(addSubview) }
        setNeedsLayout()
    }

    private func view(of item: UIBarButtonItem) -> UIView? {
        if let view = item.customView { return view }
        if case .space? = item.systemItem?.look { return nil }
        let button = UIButton(type: .system)
        button.setTitle(item.image == nil ? item.title : nil, for: .normal)
        button.setImage(item.image, for: .normal)
        button.accessibilityLabel = item.accessibilityLabel ?? (item.image == nil ? nil : item.title)
        button.titleLabel?.font = .systemFont(ofSize: 17, weight: item.style == .done ? .semibold : .regular)
        if let color = item.tintColor { button.tintColor = color }
        button.isEnabled = item.isEnabled
        button.addAction(
            UIAction { [weak self, weak item] _ in
                guard let self else { return }
                item?.press(in: self)
            },
            for: .touchUpInside
        )
        return button
    }

    // MARK: Layout

    open override var intrinsicContentSize: CGSize {
        CGSize(width: UIView.noIntrinsicMetric, height: Self.height)
    }

    /// The width of what it is in, and the height of a bar.
    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        CGSize(width: superview?.bounds.width ?? max(size.width, UIScreen.main.bounds.width), height: Self.height)
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        views = views.map { $0?.superview === self ? $0 : nil }
        let items = shown ?? []
        var widths = zip(items, views).map { item, view in
            item.width > 0 ? item.width : view.map { $0.customWidth } ?? 0
        }
        let isFlexible = items.map { $0.systemItem == .flexibleSpace }
        let gaps = CGFloat(zip(views, views.dropFirst()).filter { $0 != nil && $1 != nil }.count) * Self.gap
        let left = bounds.width - 2 * Self.margin - widths.reduce(0, +) - gaps
        let flexible = isFlexible.filter { $0 }.count
        if flexible > 0 {
            for place in widths.indices where isFlexible[place] { widths[place] = max(0, left) / CGFloat(flexible) }
        }
        place(widths)
    }

    private func place(_ widths: [CGFloat]) {
        let isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
        var edge = Self.margin
        for (place, width) in widths.enumerated() {
            if let view = views[place] {
                let height = min(bounds.height, max(0, view.sizeThatFits(CGSize(width: width, height: 0)).height))
                view.frame = CGRect(
                    x: isMirrored ? bounds.width - edge - width : edge,
                    y: ((bounds.height - height) / 2).rounded(),
                    width: width,
                    height: height
                )
                if place + 1 < views.count, views[place + 1] != nil { edge += Self.gap }
            }
            edge += width
        }
    }
}

extension UIView {
    /// The width of a view in a bar: its own where it has one, or else that of its content.
    fileprivate var customWidth: CGFloat {
        let fitting = sizeThatFits(.zero).width
        return self is UIButton || bounds.width == 0 ? fitting : bounds.width
    }
}
