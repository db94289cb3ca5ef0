// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The look and the times of a layer that are seldom set.
struct LayerExtras {
    var animations: [RunningAnimation] = []
    var shadowPath: CGPath?
    var contents: Any?
    var contentsGravity = CALayerContentsGravity.resize
    var contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
    var timing = MediaTiming()
    var actions: [String: any CAAction]?
    var isDoubleSided = true
    var isGeometryFlipped = false
    var sublayerTransform = CATransform3DIdentity
    var anchorPointZ: CGFloat = 0
    var allowsGroupOpacity = true
    var allowsEdgeAntialiasing = false
    var needsDisplayOnBoundsChange = false
    var minificationFilter = CALayerContentsFilter.linear
    var magnificationFilter = CALayerContentsFilter.linear
    var contentsCenter = CGRect(x: 0, y: 0, width: 1, height: 1)
    var edgeAntialiasingMask: CAEdgeAntialiasingMask = [
        .layerLeftEdge, .layerRightEdge, .layerBottomEdge, .layerTopEdge,
    ]
    var filters: [Any]?
    var compositingFilter: Any?
    var backgroundFilters: [Any]?
}

extension CALayer {
    /// The shape of the shadow: that of the layer itself, whatever is set here.
    public var shadowPath: CGPath? {
        get { extras.shadowPath }
        set { extras.shadowPath = newValue }
    }

    /// A picture; a layer shows none, which the log says: a `UIImageView` does.
    public var contents: Any? {
        get { extras.contents }
        set {
            extras.contents = newValue
            if newValue != nil { Absent.note("CALayer.contents", "a UIImageView shows pictures") }
        }
    }

    /// The place of a picture, which a layer does not show.
    public var contentsGravity: CALayerContentsGravity {
        get { extras.contentsGravity }
        set { extras.contentsGravity = newValue }
    }

    /// The part of a picture, which a layer does not show.
    public var contentsRect: CGRect {
        get { extras.contentsRect }
        set { extras.contentsRect = newValue }
    }

    /// Actions at changes of properties; a change of a layer is without one.
    public var actions: [String: any CAAction]? {
        get { extras.actions }
        set { extras.actions = newValue }
    }

    /// This has no effect: nothing turns its back.
    public var isDoubleSided: Bool {
        get { extras.isDoubleSided }
        set { extras.isDoubleSided = newValue }
    }

    /// This has no effect, which the log says.
    public var isGeometryFlipped: Bool {
        get { extras.isGeometryFlipped }
        set {
            extras.isGeometryFlipped = newValue
            if newValue { Absent.note("CALayer.isGeometryFlipped", "y points down") }
        }
    }

    /// A transform of all sublayers; without effect, which the log says.
    public var sublayerTransform: CATransform3D {
        get { extras.sublayerTransform }
        set {
            extras.sublayerTransform = newValue
            if !CATransform3DIsIdentity(newValue) {
                Absent.note("CALayer.sublayerTransform", "each sublayer has its own transform alone")
            }
        }
    }

    /// This has no effect: the plane has no depth.
    public var anchorPointZ: CGFloat {
        get { extras.anchorPointZ }
        set { extras.anchorPointZ = newValue }
    }

    /// This has no effect: what is in a layer always fades with it.
    public var allowsGroupOpacity: Bool {
        get { extras.allowsGroupOpacity }
        set { extras.allowsGroupOpacity = newValue }
    }

    /// This has no effect, as the page draws.
    public var allowsEdgeAntialiasing: Bool {
        get { extras.allowsEdgeAntialiasing }
        set { extras.allowsEdgeAntialiasing = newValue }
    }

    /// This has no effect: the page draws anew by itself.
    public var needsDisplayOnBoundsChange: Bool {
        get { extras.needsDisplayOnBoundsChange }
        set { extras.needsDisplayOnBoundsChange = newValue }
    }

    /// The way in which a picture is made smaller, which a layer does not show.
    public var minificationFilter: CALayerContentsFilter {
        get { extras.minificationFilter }
        set { extras.minificationFilter = newValue }
    }

    /// The way in which a picture is made larger, which a layer does not show.
    public var magnificationFilter: CALayerContentsFilter {
        get { extras.magnificationFilter }
        set { extras.magnificationFilter = newValue }
    }

    /// The part of a picture that is stretched, which a layer does not show.
    public var contentsCenter: CGRect {
        get { extras.contentsCenter }
        set { extras.contentsCenter = newValue }
    }

    /// This has no effect, as the page draws.
    public var edgeAntialiasingMask: CAEdgeAntialiasingMask {
        get { extras.edgeAntialiasingMask }
        set { extras.edgeAntialiasingMask = newValue }
    }

    /// Filters of what is in the layer; on iOS they are without effect as well.
    public var filters: [Any]? {
        get { extras.filters }
        set { extras.filters = newValue }
    }

    /// A filter with what is below; on iOS it is without effect as well.
    public var compositingFilter: Any? {
        get { extras.compositingFilter }
        set { extras.compositingFilter = newValue }
    }

    /// Filters of what is below; on iOS they are without effect as well.
    public var backgroundFilters: [Any]? {
        get { extras.backgroundFilters }
        set { extras.backgroundFilters = newValue }
    }

    /// The part of the bounds that no layer around this one cuts off: all of them.
    public var visibleRect: CGRect { bounds }

    /// The layer as it is set: no copy moves in this process.
    public func presentation() -> Self? { self }

    /// The layer itself.
    public func model() -> Self { self }

    /// Puts a layer in the place of another that is here.
    public func replaceSublayer(_ oldLayer: CALayer, with newLayer: CALayer) {
        guard onMain(self.replaceSublayer(oldLayer, with: newLayer)) else { return }
        guard oldLayer.superlayer === self, oldLayer !== newLayer else { return }
        insertSublayer(newLayer, above: oldLayer)
        oldLayer.removeFromSuperlayer()
    }

    /// True for a point of the bounds.
    public func contains(_ p: CGPoint) -> Bool { bounds.contains(p) }

    /// The highest layer at a point of the one above, if there is one.
    public func hitTest(_ p: CGPoint) -> CALayer? {
        guard !isHidden, alpha >= 0.01 else { return nil }
        let here = convert(p, from: superlayer)
        guard contains(here) else { return nil }
        return (sublayers ?? []).reversed().lazy.compactMap { $0.hitTest(here) }.first ?? self
    }

    // MARK: Coordinates

    /// A point of another layer in the coordinates of this one.
    public func convert(_ p: CGPoint, from l: CALayer?) -> CGPoint {
        let way = l?.wayToRoot ?? .identity
        return p.applying(way.concatenating(wayToRoot.inverted()))
    }

    /// A point of this layer in the coordinates of another.
    public func convert(_ p: CGPoint, to l: CALayer?) -> CGPoint {
        p.applying(wayToRoot.concatenating((l?.wayToRoot ?? .identity).inverted()))
    }

    /// A rectangle of another layer in the coordinates of this one.
    public func convert(_ r: CGRect, from l: CALayer?) -> CGRect {
        r.applying((l?.wayToRoot ?? .identity).concatenating(wayToRoot.inverted()))
    }

    /// A rectangle of this layer in the coordinates of another.
    public func convert(_ r: CGRect, to l: CALayer?) -> CGRect {
        r.applying(wayToRoot.concatenating((l?.wayToRoot ?? .identity).inverted()))
    }

    /// The way from the coordinates of this layer to those around the highest one.
    private var wayToRoot: CGAffineTransform {
        var way = CGAffineTransform.identity
        var next: CALayer? = self
        while let layer = next {
            let anchor = CGPoint(
                x: layer.bounds.minX + layer.anchorPoint.x * layer.bounds.width,
                y: layer.bounds.minY + layer.anchorPoint.y * layer.bounds.height
            )
            way = way.concatenating(CGAffineTransform(translationX: -anchor.x, y: -anchor.y))
                .concatenating(layer.affineTransform())
                .concatenating(CGAffineTransform(translationX: layer.position.x, y: layer.position.y))
            next = layer.superlayer
        }
        return way
    }
}
