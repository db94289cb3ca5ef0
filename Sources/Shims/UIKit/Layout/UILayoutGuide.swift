// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A rectangle without a look, for constraints.
///
/// Source: Apple, "UILayoutGuide".
@preconcurrency @MainActor open class UILayoutGuide: NSObject, LayoutItem {
    /// The place of a guide in its view.
    enum Place {
        /// Constraints alone say it.
        case free
        /// The whole view, without these distances from its edges.
        case inset(@MainActor (UIView) -> UIEdgeInsets)
        /// The upper edge of the view, without a height.
        case top
        /// The lower edge of the view, without a height.
        case bottom
        /// The content of a scroll view.
        case content
    }

    let place: Place
    /// The rectangle that the last layout gave it, in the view that it is in.
    var placed = CGRect.zero

    /// The view that the guide is in.
    open internal(set) weak var owningView: UIView?
    /// A name for the log.
    open var identifier = ""

    /// A guide that a view is to be given.
    public override init() {
        place = .free
        super.init()
    }

    init(_ place: Place, in view: UIView) {
        self.place = place
        super.init()
        owningView = view
    }

    /// The rectangle in the view that it is in, as the last layout placed it.
    open var layoutFrame: CGRect {
        guard let view = owningView else { return placed }
        let bounds = view.bounds
        return switch place {
        case .inset(let insets): bounds.inset(by: insets(view))
        case .top: CGRect(x: bounds.minX, y: bounds.minY, width: bounds.width, height: 0)
        case .bottom: CGRect(x: bounds.minX, y: bounds.maxY, width: bounds.width, height: 0)
        case .free, .content: placed
        }
    }

    /// The edge on which the language begins.
    open var leadingAnchor: NSLayoutXAxisAnchor { x(.leading) }
    /// The edge on which the language ends.
    open var trailingAnchor: NSLayoutXAxisAnchor { x(.trailing) }
    /// The left edge.
    open var leftAnchor: NSLayoutXAxisAnchor { x(.left) }
    /// The right edge.
    open var rightAnchor: NSLayoutXAxisAnchor { x(.right) }
    /// The top edge.
    open var topAnchor: NSLayoutYAxisAnchor { y(.top) }
    /// The bottom edge.
    open var bottomAnchor: NSLayoutYAxisAnchor { y(.bottom) }
    /// The width.
    open var widthAnchor: NSLayoutDimension { dimension(.width) }
    /// The height.
    open var heightAnchor: NSLayoutDimension { dimension(.height) }
    /// The middle from side to side.
    open var centerXAnchor: NSLayoutXAxisAnchor { x(.centerX) }
    /// The middle from top to bottom.
    open var centerYAnchor: NSLayoutYAxisAnchor { y(.centerY) }
}

/// The guides at the edges of a controller's view, by their older names.
@preconcurrency @MainActor public protocol UILayoutSupport: NSObjectProtocol {
    /// The distance from the edge of the view; 0, since nothing lies over it.
    var length: CGFloat { get }
    /// The upper edge.
    var topAnchor: NSLayoutYAxisAnchor { get }
    /// The lower edge.
    var bottomAnchor: NSLayoutYAxisAnchor { get }
    /// The height.
    var heightAnchor: NSLayoutDimension { get }
}

/// A guide without a height at an edge of a controller's view.
final class EdgeGuide: UILayoutGuide, UILayoutSupport {
    var length: CGFloat { 0 }
}

extension UIView {
    /// The guides that were given to the view.
    public var layoutGuides: [UILayoutGuide] { layout.guides }

    /// Gives the view a guide.
    public func addLayoutGuide(_ guide: UILayoutGuide) {
        guard onMain(self.addLayoutGuide(guide)) else { return }
        if let view = guide.owningView { view.removeLayoutGuide(guide) }
        guide.owningView = self
        layout.guides.append(guide)
        setNeedsSolving()
    }

    /// Takes a guide from the view, with its constraints.
    public func removeLayoutGuide(_ guide: UILayoutGuide) {
        guard onMain(self.removeLayoutGuide(guide)), guide.owningView === self else { return }
        var next: UIView? = self
        while let view = next {
            let lost = view.layout.constraints.filter { $0.firstItem === guide || $0.secondItem === guide }
            for constraint in lost { constraint.deactivate() }
            next = view.superview
        }
        layout.guides.removeAll { $0 === guide }
        guide.owningView = nil
        setNeedsSolving()
    }

    /// The part of the view that nothing lies over: all of it.
    public var safeAreaLayoutGuide: UILayoutGuide { standard(\.safeArea) { _ in .zero } }

    /// The part of the view inside of its margins.
    public var layoutMarginsGuide: UILayoutGuide { standard(\.margins) { $0.layoutMargins } }

    /// The part of the view in which lines are not too long to read: that inside of its margins.
    public var readableContentGuide: UILayoutGuide { standard(\.readable) { $0.layoutMargins } }

    private func standard(
        _ path: WritableKeyPath<StandardGuides, UILayoutGuide?>,
        _ insets: @escaping @MainActor (UIView) -> UIEdgeInsets
    ) -> UILayoutGuide {
        if let guide = layout.standardGuides[keyPath: path] { return guide }
        let guide = UILayoutGuide(.inset(insets), in: self)
        layout.standardGuides[keyPath: path] = guide
        return guide
    }
}
