// SPDX-License-Identifier: Apache-2.0

public import Foundation
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
    open var bounds: CGRect = .zero {
        didSet {
            guard bounds != oldValue else { return }
            owner?.placeChanged(from: oldValue.size)
            changed()
        }
    }
    /// The place of `anchorPoint` in the layer above.
    open var position: CGPoint = .zero {
        didSet {
            guard position != oldValue else { return }
            owner?.placeChanged(from: bounds.size)
            changed()
        }
    }
    /// The point that `position` and `transform` are about, from 0 to 1.
    open var anchorPoint = CGPoint(x: 0.5, y: 0.5) { didSet { changed() } }
    /// The order among its neighbours, the greatest last.
    open var zPosition: CGFloat = 0 { didSet { changed() } }
    /// The transform about the anchor point, of which the part in the plane is drawn.
    open var transform = CATransform3DIdentity { didSet { changed() } }

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

    // MARK: Look

    /// The opacity as it was set, without the rounding of a `Float`.
    var alpha: CGFloat = 1 { didSet { if alpha != oldValue { changed() } } }
    /// 0 to 1.
    open var opacity: Float {
        get { Float(alpha) }
        set { alpha = CGFloat(newValue) }
    }
    /// True for one that is not drawn, with all below it.
    open var isHidden = false {
        didSet {
            guard isHidden != oldValue else { return }
            owner?.hiddenChanged()
            changed()
        }
    }
    /// True if what is below it is cut at its bounds.
    open var masksToBounds = false { didSet { changed() } }
    /// The colour behind everything.
    open var backgroundColor: CGColor? { didSet { changed() } }
    /// The radius of the corners, in points.
    open var cornerRadius: CGFloat = 0 { didSet { changed() } }
    /// The shape of the corners; both are drawn as circles.
    open var cornerCurve = CALayerCornerCurve.circular
    /// The corners that have the radius; the page rounds all or none.
    open var maskedCorners: CACornerMask = .all { didSet { changed() } }
    /// The width of the border, in points.
    open var borderWidth: CGFloat = 0 { didSet { changed() } }
    /// The colour of the border; black without one.
    open var borderColor: CGColor? { didSet { changed() } }
    /// The colour of the shadow; black without one.
    open var shadowColor: CGColor? { didSet { changed() } }
    /// 0 to 1; no shadow is drawn at 0.
    open var shadowOpacity: Float = 0 { didSet { changed() } }
    /// The distance of the shadow from the layer.
    open var shadowOffset = CGSize(width: 0, height: -3) { didSet { changed() } }
    /// The blur of the shadow, in points.
    open var shadowRadius: CGFloat = 3 { didSet { changed() } }
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
    open var mask: CALayer? { didSet { changed() } }

    // MARK: Order

    /// The layers above, from the lowest to the highest.
    open internal(set) var sublayers: [CALayer]?
    /// The layer that this one is in.
    open internal(set) weak var superlayer: CALayer?

    /// Puts a layer above all others in this one.
    open func addSublayer(_ layer: CALayer) { insert(layer, at: sublayers?.count ?? 0) }

    /// Puts a layer at a place in the order.
    open func insertSublayer(_ layer: CALayer, at index: UInt32) { insert(layer, at: Int(index)) }

    /// Puts a layer right above another; above all, if that one is not here.
    open func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
        layer.removeFromSuperlayer()
        insert(layer, at: place(of: sibling).map { $0 + 1 } ?? sublayers?.count ?? 0)
    }

    /// Puts a layer right below another; below all, if that one is not here.
    open func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
        layer.removeFromSuperlayer()
        insert(layer, at: place(of: sibling) ?? 0)
    }

    /// Takes the layer out of the one that it is in.
    open func removeFromSuperlayer() {
        guard let above = superlayer else { return }
        above.sublayers?.removeAll { $0 === self }
        superlayer = nil
        above.changed()
    }

    private func place(of layer: CALayer?) -> Int? { layer.flatMap { layer in sublayers?.firstIndex { $0 === layer } } }

    private func insert(_ layer: CALayer, at index: Int) {
        layer.removeFromSuperlayer()
        var layers = sublayers ?? []
        layers.insert(layer, at: min(max(0, index), layers.count))
        sublayers = layers
        layer.superlayer = self
        changed()
    }

    // MARK: Drawing

    /// Has the layer drawn anew with the next turn of the main queue.
    open func setNeedsDisplay() { changed() }

    /// Has what is in it placed anew.
    open func setNeedsLayout() { owner?.setNeedsLayout() }

    /// Places what is in it, if something has changed.
    open func layoutIfNeeded() { owner?.layoutIfNeeded() }

    /// Tells the window that the scene looks otherwise.
    func changed() {
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

/// The curve along which corners are rounded.
public struct CALayerCornerCurve: Hashable, Sendable, RawRepresentable {
    /// Apple's number or word, unknown ones included.
    public let rawValue: String

    /// Takes any value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A part of a circle.
    public static let circular = CALayerCornerCurve(rawValue: "circular")
    /// Apple's continuous curve.
    public static let continuous = CALayerCornerCurve(rawValue: "continuous")
}

/// Some of a layer's corners.
public struct CACornerMask: OptionSet, Sendable {
    /// Apple's bits, unknown ones included.
    public let rawValue: UInt

    /// Takes any bits; unknown ones are kept.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Top left.
    public static let layerMinXMinYCorner = CACornerMask(rawValue: 1)
    /// Top right.
    public static let layerMaxXMinYCorner = CACornerMask(rawValue: 2)
    /// Bottom left.
    public static let layerMinXMaxYCorner = CACornerMask(rawValue: 4)
    /// Bottom right.
    public static let layerMaxXMaxYCorner = CACornerMask(rawValue: 8)

    static let all: CACornerMask = [
        .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMinXMaxYCorner, .layerMaxXMaxYCorner,
    ]
}
