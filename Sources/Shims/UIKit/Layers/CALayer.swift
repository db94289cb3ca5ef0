// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoundationCompatibility
import SceneModel

/// A rectangle that is drawn: the place and the look of a view, or of a part of one.
///
/// Each view has one, and the order of `sublayers` is the order of drawing.
/// Source: Apple, "CALayer".
@preconcurrency @MainActor open class CALayer: NSObject {
    /// The view whose layer this is.
    weak var owner: UIView?
    /// The number of the node that draws it; 0 before the first drawing.
    var sceneID: UInt32 = 0
    /// The object that draws the layer in the place of its view.
    package weak var content: (any LayerContent)?
    /// The animations, and what is seldom set.
    var extras = LayerExtras()

    public override required init() {
        super.init()
    }

    /// A copy for drawing; the layers here are not copied.
    @available(*, unavailable, message: "nothing draws layers by copies here: make one with init()")
    public init(layer: Any) {
        super.init()
    }

    /// The object that is told of changes: the view for a view's layer.
    open weak var delegate: AnyObject?
    /// The name that code gives it.
    open var name: String?

    // MARK: Place

    /// The rectangle in its own coordinates.
    @_OnMainThread open var bounds: CGRect = .zero {
        didSet {
            guard bounds != oldValue else { return }
            guard bounds.isFinite else {
                bounds = oldValue
                return Self.noteGeometry()
            }
            owner?.placeChanged(from: oldValue.size)
            changed()
        }
    }
    /// The place of `anchorPoint` in the layer above.
    @_OnMainThread open var position: CGPoint = .zero {
        didSet {
            guard position != oldValue else { return }
            guard position.x.isFinite, position.y.isFinite else {
                position = oldValue
                return Self.noteGeometry()
            }
            owner?.placeChanged(from: bounds.size)
            changed()
        }
    }
    /// The point that `position` and `transform` are about, from 0 to 1.
    @_OnMainThread open var anchorPoint = CGPoint(x: 0.5, y: 0.5) { didSet { changed() } }
    /// The order among its neighbours, the greatest last.
    @_OnMainThread open var zPosition: CGFloat = 0 { didSet { changed() } }
    /// The transform about the anchor point, of which the part in the plane is drawn.
    @_OnMainThread open var transform = CATransform3DIdentity { didSet { changed() } }

    /// The transform in the plane.
    open func affineTransform() -> CGAffineTransform { CATransform3DGetAffineTransform(transform) }

    /// Sets a transform in the plane.
    open func setAffineTransform(_ transform: CGAffineTransform) {
        self.transform = CATransform3DMakeAffineTransform(transform)
    }

    /// The rectangle in the layer above; setting it is defined only without a transform.
    open var frame: CGRect {
        get {
            let box = untransformedFrame
            let transform = affineTransform()
            guard !transform.isIdentity else { return box }
            let moved = box.offsetBy(dx: -position.x, dy: -position.y).applying(transform)
            return moved.offsetBy(dx: position.x, dy: position.y)
        }
        set {
            guard onMain(self.frame = newValue) else { return }
            let size = CGSize(width: abs(newValue.width), height: abs(newValue.height))
            position = CGPoint(
                x: newValue.minX + anchorPoint.x * size.width,
                y: newValue.minY + anchorPoint.y * size.height
            )
            bounds.size = size
        }
    }

    /// The frame as it is without the transform.
    var untransformedFrame: CGRect {
        CGRect(
            x: position.x - anchorPoint.x * bounds.width,
            y: position.y - anchorPoint.y * bounds.height,
            width: bounds.width,
            height: bounds.height
        )
    }

    /// Says what iOS ends the program for.
    private static func noteGeometry() {
        Absent.note("a place or size with a number that is none", "the layer stays where it is")
    }

    // MARK: Look

    /// The opacity as it was set, without the rounding of a `Float`.
    @_OnMainThread var alpha: CGFloat = 1 { didSet { if alpha != oldValue { changed() } } }
    /// 0 to 1.
    open var opacity: Float {
        get { Float(alpha) }
        set {
            guard onMain(self.opacity = newValue) else { return }
            alpha = CGFloat(newValue)
        }
    }
    /// True for one that is not drawn, with all below it.
    @_OnMainThread open var isHidden = false {
        didSet {
            guard isHidden != oldValue else { return }
            owner?.hiddenChanged()
            changed()
        }
    }
    /// True if what is below it is cut at its bounds.
    @_OnMainThread open var masksToBounds = false { didSet { changed() } }
    /// The colour behind everything, in both styles.
    @_OnMainThread var fill: UIColor? { didSet { changed() } }
    /// The colour behind everything, which for the layer of a view is the view's; that of the present style.
    open var backgroundColor: CGColor? {
        get { fill?.cgColor }
        set {
            guard onMain(self.backgroundColor = newValue) else { return }
            fill = newValue.map { UIColor(cgColor: $0) }
        }
    }
    /// The radius of the corners, in points.
    @_OnMainThread open var cornerRadius: CGFloat = 0 { didSet { changed() } }
    /// The shape of the corners; both are drawn as circles.
    open var cornerCurve = CALayerCornerCurve.circular
    /// The corners that have the radius; the page rounds all or none.
    @_OnMainThread open var maskedCorners: CACornerMask = .all { didSet { changed() } }
    /// The width of the border, in points.
    @_OnMainThread open var borderWidth: CGFloat = 0 { didSet { changed() } }
    /// The colour of the border; black without one.
    @_OnMainThread open var borderColor: CGColor? { didSet { changed() } }
    /// The colour of the shadow; black without one.
    @_OnMainThread open var shadowColor: CGColor? { didSet { changed() } }
    /// 0 to 1; no shadow is drawn at 0.
    @_OnMainThread open var shadowOpacity: Float = 0 { didSet { changed() } }
    /// The distance of the shadow from the layer.
    @_OnMainThread open var shadowOffset = CGSize(width: 0, height: -3) { didSet { changed() } }
    /// The blur of the shadow, in points.
    @_OnMainThread open var shadowRadius: CGFloat = 3 { didSet { changed() } }
    /// The bitmap's scale; without effect, because the page draws in the screen's.
    open var contentsScale: CGFloat = 1
    /// This has no effect, as the page decides.
    open var shouldRasterize = false
    /// This has no effect, as the page decides.
    open var rasterizationScale: CGFloat = 1
    /// This has no effect, as the page decides.
    open var drawsAsynchronously = false
    /// Layers of no content are drawn by their look alone.
    open var isOpaque = false
    /// The layer that cuts this one: a `CAShapeLayer` that is as large as it and has round corners; no other cuts.
    @_OnMainThread open var mask: CALayer? { didSet { changed() } }

    // MARK: Order

    /// The layers in this one, from the lowest to the highest.
    ///
    /// A view whose layer leaves this one leaves its superview with it.
    open var sublayers: [CALayer]? {
        get { below }
        set {
            guard onMain(self.sublayers = newValue) else { return }
            take(newValue ?? [])
            if newValue == nil { below = nil }
        }
    }
    /// The same, without what setting it means for the layers.
    var below: [CALayer]?
    /// The layer that this one is in.
    open internal(set) weak var superlayer: CALayer?

    /// Puts a layer above all others in this one.
    ///
    /// The layer of a view becomes that view's place in the one whose layer this is.
    open func addSublayer(_ layer: CALayer) {
        guard onMain(self.addSublayer(layer)) else { return }
        insert(layer, at: sublayers?.count ?? 0)
    }

    /// Puts a layer at a place in the order.
    open func insertSublayer(_ layer: CALayer, at index: UInt32) {
        guard onMain(self.insertSublayer(layer, at: index)) else { return }
        insert(layer, at: Int(index))
    }

    /// Puts a layer right above another; above all, if that one is not here.
    open func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
        guard onMain(self.insertSublayer(layer, above: sibling)), layer !== sibling else { return }
        if layer.superlayer === self { drop(layer) }
        insert(layer, at: place(of: sibling).map { $0 + 1 } ?? sublayers?.count ?? 0)
    }

    /// Puts a layer right below another; below all, if that one is not here.
    open func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
        guard onMain(self.insertSublayer(layer, below: sibling)), layer !== sibling else { return }
        if layer.superlayer === self { drop(layer) }
        insert(layer, at: place(of: sibling) ?? 0)
    }

    /// Takes the layer out of the one that it is in, and with it the view whose layer it is.
    open func removeFromSuperlayer() {
        guard onMain(self.removeFromSuperlayer()) else { return }
        if let owner, superlayer?.owner != nil { owner.leave() } else { takeOut() }
    }

    /// Takes the layer alone out of the one that it is in.
    func takeOut() {
        guard let above = superlayer else { return }
        above.drop(self)
        superlayer = nil
        above.changed()
    }

    /// Forgets the place of a layer in this one.
    func drop(_ layer: CALayer) { below?.removeAll { $0 === layer } }

    private func place(of layer: CALayer?) -> Int? { layer.flatMap { layer in sublayers?.firstIndex { $0 === layer } } }

    private func insert(_ layer: CALayer, at index: Int) {
        // A circle would have no end.
        guard !isWithin(layer) else {
            return Absent.note("a layer in itself", "the layers stay as they are")
        }
        if layer.superlayer !== self {
            if let owner, let view = layer.owner { return owner.insert(view, at: index) }
            layer.removeFromSuperlayer()
        }
        drop(layer)
        var layers = below ?? []
        layers.insert(layer, at: min(max(0, index), layers.count))
        below = layers
        layer.superlayer = self
        changed()
    }

    /// Has these layers in it and no others; one that is named twice is there once.
    private func take(_ layers: [CALayer]) {
        for layer in below ?? [] where !layers.contains(where: { $0 === layer }) { layer.removeFromSuperlayer() }
        for (index, layer) in layers.enumerated() where !layers[..<index].contains(where: { $0 === layer }) {
            insert(layer, at: below?.count ?? 0)
        }
        changed()
    }

    /// True for the layer itself and each one below it.
    private func isWithin(_ layer: CALayer) -> Bool {
        var next: CALayer? = self
        while let current = next {
            if current === layer { return true }
            next = current.superlayer
        }
        return false
    }

    // MARK: Drawing

    /// Has the layer drawn anew with the next turn of the main queue.
    open func setNeedsDisplay() { changed() }

    /// Has what is in it placed anew.
    open func setNeedsLayout() { owner?.setNeedsLayout() }

    /// Places what is in it, if something has changed.
    open func layoutIfNeeded() { owner?.layoutIfNeeded() }

    /// Has a part of the layer drawn anew.
    open func setNeedsDisplay(_ r: CGRect) { changed() }

    /// Draws what has to be; the page does.
    open func displayIfNeeded() {}

    /// Gives the layer its content; never called, because the page draws.
    open func display() {}

    /// False: the page draws.
    open func needsDisplay() -> Bool { false }

    /// True if what is in the layer is to be placed.
    open func needsLayout() -> Bool { owner?.layout.needsLayout ?? false }

    /// Places what is in the layer; that of a view does it by the view's `layoutSubviews()`, and others never.
    open func layoutSublayers() {}

    /// The size that the layer wants: that of its bounds.
    open func preferredFrameSize() -> CGSize { bounds.size }

    /// Tells the window that the scene looks otherwise.
    ///
    /// Another thread than the main one tells it with a later turn of the main queue, behind the change made there.
    func changed() {
        guard onMain(self.changed(), nil) else { return }
        var layer = self
        while layer.owner == nil, let above = layer.superlayer { layer = above }
        layer.owner?.window?.sceneChanged()
    }

    /// The gradient that it draws.
    func sceneGradient() -> SceneStyle.Gradient? { nil }

    /// The node that draws a layer which is no view's.
    func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind { .view }

    /// The rectangle that is drawn, in its own coordinates.
    var drawnBounds: CGRect { bounds }

    /// Adds what a layer of another kind looks like.
    func dress(_ style: inout SceneStyle) {}
}

extension CGRect {
    fileprivate var isFinite: Bool {
        origin.x.isFinite && origin.y.isFinite && size.width.isFinite && size.height.isFinite
    }
}
