// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// A layer of the shape of a path: a rectangle, with round corners too, an oval, or a straight line.
///
/// Nothing is drawn of a path of another shape, which the log says, nor of a part of a line that goes around one. Of a
/// straight line a part is drawn as well.
/// Source: Apple, "CAShapeLayer".
@preconcurrency @MainActor open class CAShapeLayer: CALayer {
    /// The path in the coordinates of the layer.
    @_OnMainThread open var path: CGPath? { didSet { pathChanged() } }
    /// The colour inside.
    @_OnMainThread open var fillColor: CGColor? = .black { didSet { changed() } }
    /// The rule by which the inside is known; the shapes here have none of which it would tell.
    open var fillRule = CAShapeLayerFillRule.nonZero
    /// The colour of the line; no line without one.
    @_OnMainThread open var strokeColor: CGColor? { didSet { changed() } }
    /// The part of the line at which it begins; with another one than 0 a line around a shape is not drawn.
    @_OnMainThread open var strokeStart: CGFloat = 0 { didSet { changed() } }
    /// The part of the line at which it ends; with another one than 1 a line around a shape is not drawn.
    @_OnMainThread open var strokeEnd: CGFloat = 1 { didSet { changed() } }
    /// The width of the line, half of which is outside.
    @_OnMainThread open var lineWidth: CGFloat = 1 { didSet { changed() } }
    /// The ends of a straight line.
    @_OnMainThread open var lineCap = CAShapeLayerLineCap.butt { didSet { changed() } }
    /// This has no effect: corners are those of the shape.
    open var lineJoin = CAShapeLayerLineJoin.miter
    /// This has no effect: corners are those of the shape.
    open var miterLimit: CGFloat = 10
    /// This has no effect: the line is whole, which the log says.
    @_OnMainThread open var lineDashPattern: [NSNumber]? {
        didSet {
            if lineDashPattern?.isEmpty == false { Absent.note("CAShapeLayer.lineDashPattern", "the line is whole") }
        }
    }
    /// This has no effect: the line is whole.
    open var lineDashPhase: CGFloat = 0

    private var shape: PathShape?

    /// Makes an empty one.
    public required init() {
        super.init()
    }

    private func pathChanged() {
        shape = path.flatMap { PathShape($0) }
        if let path, !path.isEmpty, shape == nil {
            Absent.note(
                "a path that is no rectangle, oval or straight line",
                "the CAShapeLayer is empty"
            )
        }
        if case .cornered = shape { Absent.note("a rectangle with some round corners", "all of its corners are round") }
        changed()
    }

    /// The width of the line that is drawn.
    private var drawnWidth: CGFloat {
        guard strokeColor != nil, lineWidth > 0 else { return 0 }
        if case .line = shape { return strokeEnd > strokeStart ? lineWidth : 0 }
        guard strokeStart <= 0, strokeEnd >= 1 else {
            if strokeEnd > strokeStart { Absent.note("a part of a CAShapeLayer's line", "no line is drawn") }
            return 0
        }
        return lineWidth
    }

    override var drawnBounds: CGRect {
        guard let shape else { return bounds }
        if case .line(let from, let to) = shape { return rectangle(ofLineFrom: from, to: to) }
        return shape.box.insetBy(dx: -drawnWidth / 2, dy: -drawnWidth / 2)
    }

    /// The rectangle of the part of a straight line that is drawn, with its ends.
    private func rectangle(ofLineFrom from: CGPoint, to: CGPoint) -> CGRect {
        let (start, end) = (min(max(0, strokeStart), 1), min(max(0, strokeEnd), 1))
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let part = CGRect(
            x: from.x + dx * start,
            y: from.y + dy * start,
            width: dx * (end - start),
            height: dy * (end - start)
        )
        let (side, ending) = (-drawnWidth / 2, lineCap == .butt ? 0 : -drawnWidth / 2)
        return part.standardized.insetBy(dx: dy == 0 ? ending : side, dy: dy == 0 ? side : ending)
    }

    override func dress(_ style: inout SceneStyle) {
        guard let shape else { return }
        let line = drawnWidth
        switch shape {
        case .line:
            style.background = line > 0 ? strokeColor?.sceneColor : nil
            style.radius = Double(lineCap == .round ? line / 2 : 0).scene(SceneLimits.extent)
            return
        case .rectangle(_, let radius), .cornered(_, let radius, _):
            style.radius = Double(radius > 0 ? radius + line / 2 : 0).scene(SceneLimits.extent)
        case .oval(let rect):
            if abs(rect.width - rect.height) > 0.5 {
                Absent.note("an oval that is no circle", "its ends are half circles")
            }
            style.radius = Double(min(rect.width, rect.height) / 2 + line / 2).scene(SceneLimits.extent)
        }
        style.background = fillColor?.sceneColor
        style.border =
            line > 0
            ? strokeColor.map { .init(width: Double(line).scene(SceneLimits.extent), color: $0.sceneColor) } : nil
    }

    /// The radius with which a shape cuts a layer of that size, as its mask; `nil` if it does not.
    func radius(cutting bounds: CGRect) -> CGFloat? {
        guard let shape else { return nil }
        let box = shape.box.offsetBy(dx: frame.minX - self.bounds.minX, dy: frame.minY - self.bounds.minY)
        guard abs(box.minX - bounds.minX) < 0.5, abs(box.minY - bounds.minY) < 0.5,
            abs(box.width - bounds.width) < 0.5, abs(box.height - bounds.height) < 0.5
        else { return nil }
        return switch shape {
        case .rectangle(_, let radius), .cornered(_, let radius, _): radius
        case .oval(let rect): min(rect.width, rect.height) / 2
        case .line: nil
        }
    }
}

/// The rule by which the inside of a shape layer is known.
public struct CAShapeLayerFillRule: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Inside is what the path winds around.
    public static let nonZero = CAShapeLayerFillRule(rawValue: "non-zero")
    /// Inside is what the path crosses an odd number of times.
    public static let evenOdd = CAShapeLayerFillRule(rawValue: "even-odd")
}

/// The ends of a shape layer's line.
public struct CAShapeLayerLineCap: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Straight, at the end point.
    public static let butt = CAShapeLayerLineCap(rawValue: "butt")
    /// Round.
    public static let round = CAShapeLayerLineCap(rawValue: "round")
    /// Straight, half a width beyond the end point.
    public static let square = CAShapeLayerLineCap(rawValue: "square")
}

/// The corners of a shape layer's line.
public struct CAShapeLayerLineJoin: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Pointed.
    public static let miter = CAShapeLayerLineJoin(rawValue: "miter")
    /// Round.
    public static let round = CAShapeLayerLineJoin(rawValue: "round")
    /// Cut off.
    public static let bevel = CAShapeLayerLineJoin(rawValue: "bevel")
}
