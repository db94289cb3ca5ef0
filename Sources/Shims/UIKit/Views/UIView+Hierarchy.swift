// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension UIView {
    /// The view that this one is in.
    public var superview: UIView? { layer.superlayer?.owner }

    /// The views in this one, from the lowest to the highest.
    public var subviews: [UIView] { layer.sublayers?.compactMap(\.owner) ?? [] }

    /// The window that shows the view; `nil` for one that is not shown.
    public var window: UIWindow? { rootView as? UIWindow }

    /// The highest view above this one, or the view itself.
    var rootView: UIView {
        var view = self
        while let above = view.superview { view = above }
        return view
    }

    /// True for the view itself and each view that it is in.
    public func isDescendant(of view: UIView) -> Bool {
        var next: UIView? = self
        while let current = next {
            if current === view { return true }
            next = current.superview
        }
        return false
    }

    /// The view itself or the first one in it with that tag.
    public func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        return subviews.lazy.compactMap { $0.viewWithTag(tag) }.first
    }

    /// Puts a view at a place in the order.
    public func insertSubview(_ view: UIView, at index: Int) {
        guard onMain(self.insertSubview(view, at: index)) else { return }
        if view.superview === self { layer.drop(view.layer) }
        let below = subviews.dropFirst(max(0, index)).first
        insert(view, at: below.flatMap { place(of: $0) } ?? layer.sublayers?.count ?? 0)
    }

    /// Puts a view right above another.
    public func insertSubview(_ view: UIView, aboveSubview sibling: UIView) {
        guard onMain(self.insertSubview(view, aboveSubview: sibling)) else { return }
        if view.superview === self { layer.drop(view.layer) }
        insert(view, at: place(of: sibling).map { $0 + 1 } ?? layer.sublayers?.count ?? 0)
    }

    /// Puts a view right below another.
    public func insertSubview(_ view: UIView, belowSubview sibling: UIView) {
        guard onMain(self.insertSubview(view, belowSubview: sibling)) else { return }
        if view.superview === self { layer.drop(view.layer) }
        insert(view, at: place(of: sibling) ?? 0)
    }

    /// Puts a view that is here above all others.
    public func bringSubviewToFront(_ view: UIView) {
        guard onMain(self.bringSubviewToFront(view)) else { return }
        if view.superview === self { addSubview(view) }
    }

    /// Puts a view that is here below all others.
    public func sendSubviewToBack(_ view: UIView) {
        guard onMain(self.sendSubviewToBack(view)), view.superview === self else { return }
        insert(view, at: 0)
    }

    /// Lets two views change places in the order.
    public func exchangeSubview(at index1: Int, withSubviewAt index2: Int) {
        guard onMain(self.exchangeSubview(at: index1, withSubviewAt: index2)) else { return }
        let views = subviews
        guard views.indices.contains(index1), views.indices.contains(index2),
            let first = place(of: views[index1]), let second = place(of: views[index2])
        else { return }
        layer.below?.swapAt(first, second)
        layer.changed()
    }

    private func place(of view: UIView) -> Int? { layer.sublayers?.firstIndex { $0 === view.layer } }

    /// Puts a view at a place among the layers.
    func insert(_ view: UIView, at index: Int) {
        guard canTake(view) else { return }
        if view.superview === self { return view.take(placeAt: index, in: layer) }
        let (from, to) = (view.window, window)
        if from !== to { view.tellOfMove(to: to, at: self) }
        view.willMove(toSuperview: self)
        view.superview?.willRemoveSubview(view)
        // The calls above are an author's, who may have moved one of the two views in them.
        guard canTake(view) else { return }
        view.detach()
        kept.append(view)
        view.take(placeAt: index, in: layer)
        setNeedsSolving()
        view.didMoveToSuperview()
        didAddSubview(view)
        if from !== to { view.tellOfArrival(at: self) }
        view.setNeedsLayout()
    }

    /// False for a view that contains this one: a circle would have no end.
    private func canTake(_ view: UIView) -> Bool {
        guard isDescendant(of: view) else { return true }
        Absent.note("addSubview of a view that contains this one", "the views stay as they are")
        return false
    }

    /// Takes a place in a layer that the view is in, or in no one.
    private func take(placeAt index: Int, in above: CALayer) {
        above.drop(layer)
        var layers = above.below ?? []
        layers.insert(layer, at: min(max(0, index), layers.count))
        above.below = layers
        layer.superlayer = above
        above.changed()
    }

    /// Takes the view out of the one that it is in, with the constraints that lead out of it.
    func leave() {
        // Those who hear of it may ask for it again.
        guard superview != nil, !options.isLeaving else { return }
        options.isLeaving = true
        defer { options.isLeaving = false }
        let from = window
        // A view that is not shown has no keyboard.
        if from != nil, let first = UIResponder.first as? UIView, first.isDescendant(of: self) {
            first.resignFirstResponder()
        }
        if from != nil, let above = superview { tellOfMove(to: nil, at: above) }
        willMove(toSuperview: nil)
        superview?.willRemoveSubview(self)
        // The calls above are an author's, who may have taken the view out in them.
        guard let above = superview else { return }
        detach()
        setNeedsSolving()
        didMoveToSuperview()
        if from != nil { tellOfArrival(at: above) }
    }

    /// Leaves the view around this one without a word.
    private func detach() {
        guard let above = superview else { return }
        dropOuterConstraints()
        layer.takeOut()
        above.kept.removeAll { $0 === self }
        above.setNeedsSolving()
    }

    /// Calls for the view and all views in it.
    func tell(_ call: (UIView) -> Void) {
        call(self)
        for view in subviews { view.tell(call) }
    }

    /// Has the first responder in the view, or the view itself, give the keyboard away; true if it did.
    ///
    /// With `force` it does whatever its delegate says.
    @discardableResult
    public func endEditing(_ force: Bool) -> Bool {
        guard onMain(_ = self.endEditing(force)) else { return false }
        guard let first = UIResponder.first, first.chain.contains(self) else { return false }
        return force ? first.forceResign() : first.resignFirstResponder()
    }

    // MARK: Coordinates

    /// A point of this view in the coordinates of another, or of the window.
    public func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
        let target = view ?? rootView
        return point.applying(transformToRoot.concatenating(target.transformToRoot.inverted()))
    }

    /// A point of another view, or of the window, in the coordinates of this one.
    public func convert(_ point: CGPoint, from view: UIView?) -> CGPoint { (view ?? rootView).convert(point, to: self) }

    /// A rectangle of this view in the coordinates of another, or of the window.
    public func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
        let target = view ?? rootView
        return rect.applying(transformToRoot.concatenating(target.transformToRoot.inverted()))
    }

    /// A rectangle of another view, or of the window, in the coordinates of this one.
    public func convert(_ rect: CGRect, from view: UIView?) -> CGRect { (view ?? rootView).convert(rect, to: self) }

    /// The way from the coordinates of this view to those of the highest one.
    private var transformToRoot: CGAffineTransform {
        var way = CGAffineTransform.identity
        var next: UIView? = self
        while let view = next, let above = view.superview {
            let anchor = CGPoint(
                x: view.bounds.minX + view.layer.anchorPoint.x * view.bounds.width,
                y: view.bounds.minY + view.layer.anchorPoint.y * view.bounds.height
            )
            way = way.concatenating(CGAffineTransform(translationX: -anchor.x, y: -anchor.y))
                .concatenating(view.transform)
                .concatenating(CGAffineTransform(translationX: view.center.x, y: view.center.y))
            next = above
        }
        return way
    }
}
