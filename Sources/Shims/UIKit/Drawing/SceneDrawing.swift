// SPDX-License-Identifier: Apache-2.0

import Foundation
package import SceneModel

/// One drawing of a tree of layers into the nodes of a scene.
///
/// A layer keeps the number of its node as long as it is drawn. What a scene has no room for is left out, from the
/// last on, and the log says so once.
@MainActor package struct SceneDrawing {
    /// The place for which the scene is drawn.
    package let environment: ViewEnvironment
    /// Gives a picture a number under which nodes can name it; `nil` for one that cannot be shown.
    private let number: @MainActor (UIImage) -> UInt32?
    /// Gives a film or a sound a number under which nodes can name it; `nil` for one that cannot be played.
    private let media: @MainActor (URL) -> UInt32?
    /// Gives a layer the number of its node: the one that it has, or a new one if no node of that number is there.
    private let nextID: @MainActor (UInt32) -> UInt32
    /// The nodes in the order of drawing, each behind the one that it is in.
    private(set) var nodes: [SceneNode] = []
    /// The views of the nodes by their numbers.
    private(set) var views: [UInt32: UIView] = [:]
    /// The objects that draw layers in the place of their views, by the numbers of the nodes.
    private(set) var contents: [UInt32: DrawnContent] = [:]
    /// True below a view that takes no events.
    package private(set) var isDead = false
    private var depth = 0

    init(
        _ environment: ViewEnvironment,
        number: @escaping @MainActor (UIImage) -> UInt32?,
        media: @escaping @MainActor (URL) -> UInt32? = WindowMotion.noMedia,
        nextID: @escaping @MainActor (UInt32) -> UInt32
    ) {
        self.environment = environment
        self.number = number
        self.media = media
        self.nextID = nextID
    }

    /// Returns the number under which nodes name a picture; `nil` for one that cannot be shown.
    func file(of image: UIImage?) -> UInt32? { image.flatMap { number($0) } }

    /// Returns the number under which nodes name a film or a sound; `nil` for one that the page cannot be given.
    package func media(of url: URL) -> UInt32? { media(url) }

    /// Draws the view that fills the box, and the strip below it.
    mutating func draw(_ view: UIView, strip: UIView?) {
        _ = draw(view.layer, below: 0, isRoot: true)
        if let strip { _ = draw(strip.layer, below: 0, isStrip: true) }
        let fit = SceneFit(nodes)
        nodes = fit.nodes
        if fit.isCut { Absent.note("a text or a look beyond the limits of a scene", "it is cut, or not drawn") }
    }

    /// Draws a layer with all that is in it, and returns the number of its node.
    private mutating func draw(
        _ layer: CALayer,
        below up: UInt32,
        isRoot: Bool = false,
        isStrip: Bool = false
    ) -> UInt32? {
        guard depth < SceneLimits.depth, nodes.count < SceneLimits.nodeCount else {
            Absent.note("a view beyond 512, or deeper than 32", "it is not drawn")
            return nil
        }
        layer.sceneID = nextID(layer.sceneID)
        let (wasDead, index) = (isDead, nodes.count)
        defer { isDead = wasDead }
        let view = layer.owner
        isDead = isDead || view?.isUserInteractionEnabled == false
        let label = view?.accessibilityLabel?.cut(toByteCount: SceneLimits.titleByteCount)
        var node = SceneNode(
            id: layer.sceneID,
            up: up,
            kind(of: layer),
            frame: isRoot ? nil : isStrip ? layer.sceneFrame.atOrigin : layer.sceneFrame,
            style: layer.sceneStyle,
            isStrip: isStrip,
            label: label
        )
        let animated = layer.animatedValues
        if !animated.isEmpty { layer.showAnimated(animated, in: &node) }
        if let content = layer.content { contents[node.id] = DrawnContent(content: content) }
        if let view {
            views[node.id] = view
            view.dress(&node.style)
            let heard = isDead ? [] : (view.gestureRecognizers ?? []).filter(\.isEnabled).map(\.heard)
            let isControl = node.kind.isDisabled != nil
            node.isTappable = !isControl && (heard.contains(.tap) || !isDead && view.isTappable)
            node.isHoldable = !isControl && heard.contains(.longPress)
        }
        nodes.append(node)
        depth += 1
        let unseen = isRoot ? Stage.current.unseen : []
        let children = ((layer.sublayers ?? []).sortedByHeight + unseen).prefix(SceneLimits.childCount)
            .compactMap { draw($0, below: node.id) }
        depth -= 1
        // Children whose numbers rise stand in their order by themselves.
        if children != children.sorted() { nodes[index].order = children }
        return node.id
    }
}

extension SceneDrawing {
    /// The kind of a layer's node.
    private mutating func kind(of layer: CALayer) -> SceneKind {
        layer.content?.sceneKind(self) ?? layer.owner?.sceneKind(&self) ?? layer.sceneKind(&self)
    }
}

extension [CALayer] {
    /// The layers in the order of drawing: by `zPosition`, and those of one in their order.
    @MainActor fileprivate var sortedByHeight: [CALayer] {
        guard contains(where: { $0.zPosition != 0 }) else { return self }
        return enumerated().sorted { ($0.element.zPosition, $0.offset) < ($1.element.zPosition, $1.offset) }
            .map(\.element)
    }
}

extension SceneFrame {
    /// The rectangle of a strip, which has its place from the page.
    fileprivate var atOrigin: SceneFrame { SceneFrame(0, 0, width, height) }
}

extension CALayer {
    /// The rectangle in the node above, without the transform.
    var sceneFrame: SceneFrame {
        let box = untransformedFrame
        let frame = drawnBounds.offsetBy(dx: box.minX - bounds.minX, dy: box.minY - bounds.minY)
        let origin = superlayer?.drawnBounds.origin ?? .zero
        return SceneFrame(
            Double(frame.minX - origin.x).scene(SceneLimits.number),
            Double(frame.minY - origin.y).scene(SceneLimits.number),
            Double(frame.width).scene(SceneLimits.length),
            Double(frame.height).scene(SceneLimits.length)
        )
    }

    var sceneStyle: SceneStyle {
        var style = SceneStyle(
            opacity: Double(alpha).scene(SceneLimits.opacity),
            background: fill?.sceneColor,
            gradient: sceneGradient(),
            radius: Double(cornerRadius).scene(SceneLimits.extent),
            clips: masksToBounds,
            border: borderWidth > 0
                ? SceneStyle.Border(
                    width: Double(borderWidth).scene(SceneLimits.extent),
                    color: borderColor.map { UIColor(cgColor: $0).sceneColor } ?? SceneColor(0x0000_00FF)
                ) : nil,
            shadow: sceneShadow,
            transform: sceneTransform(affineTransform()),
            isHidden: isHidden
        )
        dress(&style)
        cut(&style)
        return style
    }

    /// Gives a layer with a mask the round corners of that.
    private func cut(_ style: inout SceneStyle) {
        guard let mask else { return }
        guard let radius = (mask as? CAShapeLayer)?.radius(cutting: bounds) else {
            return Absent.note("a CALayer.mask that is no shape with round corners", "what it would cut is drawn whole")
        }
        style.radius = Double(radius).scene(SceneLimits.extent)
        style.clips = true
    }

    private var sceneShadow: SceneStyle.Shadow? {
        guard shadowOpacity > 0 else { return nil }
        let color = shadowColor.map { UIColor(cgColor: $0) } ?? .black
        return SceneStyle.Shadow(
            x: Double(shadowOffset.width).scene(SceneLimits.number),
            y: Double(shadowOffset.height).scene(SceneLimits.number),
            blur: Double(shadowRadius * 2).scene(SceneLimits.extent),
            color: color.withAlphaComponent(color.cgColor.alpha * CGFloat(min(1, shadowOpacity))).sceneColor
        )
    }

    /// The transform about the middle; that of the layer is about its anchor.
    func sceneTransform(_ own: CGAffineTransform) -> [Double]? {
        guard !own.isIdentity else { return nil }
        let dx = bounds.minX + anchorPoint.x * bounds.width - drawnBounds.midX
        let dy = bounds.minY + anchorPoint.y * bounds.height - drawnBounds.midY
        let moved = CGAffineTransform(translationX: -dx, y: -dy).concatenating(own)
            .concatenating(CGAffineTransform(translationX: dx, y: dy))
        return [moved.a, moved.b, moved.c, moved.d, moved.tx, moved.ty].map { Double($0).scene(SceneLimits.number) }
    }
}

extension Double {
    /// The number as a scene may have it: inside the bounds, with three places, 0 for none.
    func scene(_ bounds: ClosedRange<Double>) -> Double {
        guard isFinite else { return Swift.min(Swift.max(0, bounds.lowerBound), bounds.upperBound) }
        let rounded = (self * 1000).rounded() / 1000
        return Swift.min(Swift.max(rounded, bounds.lowerBound), bounds.upperBound)
    }
}
