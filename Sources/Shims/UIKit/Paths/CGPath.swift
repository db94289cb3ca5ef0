// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A step of a path.
enum PathElement: Hashable {
    case move(CGPoint)
    case line(CGPoint)
    case quad(CGPoint, CGPoint)
    case curve(CGPoint, CGPoint, CGPoint)
    case close

    /// The points of the step, of which the last one is its end.
    var points: [CGPoint] {
        switch self {
        case .move(let end), .line(let end): [end]
        case .quad(let control, let end): [control, end]
        case .curve(let first, let second, let end): [first, second, end]
        case .close: []
        }
    }

    func applying(_ transform: CGAffineTransform) -> PathElement {
        switch self {
        case .move(let end): .move(end.applying(transform))
        case .line(let end): .line(end.applying(transform))
        case .quad(let control, let end): .quad(control.applying(transform), end.applying(transform))
        case .curve(let first, let second, let end):
            .curve(first.applying(transform), second.applying(transform), end.applying(transform))
        case .close: .close
        }
    }
}

// SAFETY: changed by a `CGMutablePath` alone, which as Apple's is used by one thread at a time.
/// Lines and curves; a shape layer draws those of which `PathShape` knows the shape.
///
/// Source: Apple, "CGPath".
open class CGPath: Hashable, @unchecked Sendable {
    var elements: [PathElement]
    /// The shape that the path was made as, while nothing is added.
    var made: PathShape?

    init(_ elements: [PathElement], made: PathShape? = nil) {
        (self.elements, self.made) = (elements, made)
    }

    /// A rectangle.
    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        let path = CGMutablePath()
        path.addRect(rect, transform: unsafe transform?.pointee ?? .identity)
        self.init(path.elements, made: path.made)
    }

    /// An oval in a rectangle.
    public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        let path = CGMutablePath()
        path.addEllipse(in: rect, transform: unsafe transform?.pointee ?? .identity)
        self.init(path.elements, made: path.made)
    }

    /// A rectangle with round corners.
    public convenience init(
        roundedRect rect: CGRect,
        cornerWidth: CGFloat,
        cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>?
    ) {
        let path = CGMutablePath()
        path.addRoundedRect(
            in: rect,
            cornerWidth: cornerWidth,
            cornerHeight: cornerHeight,
            transform: unsafe transform?.pointee ?? .identity
        )
        self.init(path.elements, made: path.made)
    }

    /// True for a path without steps.
    public var isEmpty: Bool { elements.isEmpty }

    /// The end of the last step.
    public var currentPoint: CGPoint {
        guard elements.last == .close else { return elements.last?.points.last ?? .zero }
        let start = elements.last { if case .move = $0 { true } else { false } }
        return start?.points.last ?? .zero
    }

    /// The smallest rectangle around all points, control points too; null for an empty path.
    public var boundingBox: CGRect { Self.box(of: elements.flatMap(\.points)) }

    /// The smallest rectangle around the path, which is that around the ends of straight lines and extremes of curves.
    public var boundingBoxOfPath: CGRect { Self.box(of: points) }

    private static func box(of points: [CGPoint]) -> CGRect {
        guard let first = points.first else { return .null }
        var (low, high) = (first, first)
        for point in points {
            low = CGPoint(x: min(low.x, point.x), y: min(low.y, point.y))
            high = CGPoint(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        return CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    /// The parts into which a curve is cut for its points.
    private static let pieces = 16

    /// The ends of lines, and points on the curves.
    var points: [CGPoint] {
        var points: [CGPoint] = []
        var last = CGPoint.zero
        for element in elements {
            switch element {
            case .move(let end), .line(let end): points.append(end)
            case .quad(let control, let end):
                points += (1...Self.pieces).map {
                    Self.bezier([last, control, end], CGFloat($0) / CGFloat(Self.pieces))
                }
            case .curve(let first, let second, let end):
                points += (1...Self.pieces).map {
                    Self.bezier([last, first, second, end], CGFloat($0) / CGFloat(Self.pieces))
                }
            case .close: break
            }
            last = points.last ?? last
        }
        return points
    }

    /// A point of a curve by de Casteljau's way.
    private static func bezier(_ points: [CGPoint], _ part: CGFloat) -> CGPoint {
        var points = points
        while points.count > 1 {
            points = zip(points, points.dropFirst()).map {
                CGPoint(x: $0.x + ($1.x - $0.x) * part, y: $0.y + ($1.y - $0.y) * part)
            }
        }
        return points[0]
    }

    /// The rectangle that the path is, if it is one.
    ///
    /// True writes it to `rect`, unless that is nil.
    public func isRect(_ rect: UnsafeMutablePointer<CGRect>?) -> Bool {
        guard case .rectangle(let found, let radius)? = PathShape(self), radius == 0 else { return false }
        if let rect = unsafe rect { unsafe rect.pointee = found }
        return true
    }

    /// True for a point inside, by the rule of windings or by that of odd crossings.
    public func contains(
        _ point: CGPoint,
        using rule: CGPathFillRule = .winding,
        transform: CGAffineTransform = .identity
    ) -> Bool {
        let place = point.applying(transform)
        var (crossings, winding) = (0, 0)
        for outline in outlines {
            for (from, to) in zip(outline, outline.dropFirst() + outline.prefix(1))
            where (from.y > place.y) != (to.y > place.y) {
                let x = from.x + (place.y - from.y) / (to.y - from.y) * (to.x - from.x)
                guard x > place.x else { continue }
                crossings += 1
                winding += to.y > from.y ? 1 : -1
            }
        }
        return rule == .evenOdd ? crossings % 2 == 1 : winding != 0
    }

    /// The points of each part that begins with a move.
    private var outlines: [[CGPoint]] {
        var parts: [[PathElement]] = []
        for element in elements {
            if case .move = element { parts.append([]) }
            if !parts.isEmpty { parts[parts.count - 1].append(element) }
        }
        return parts.map { CGPath($0).points }
    }

    /// The same path.
    public func copy() -> CGPath? { CGPath(elements, made: made) }

    /// The path moved by a transform.
    public func copy(using transform: UnsafePointer<CGAffineTransform>?) -> CGPath? {
        guard let transform = unsafe transform?.pointee else { return copy() }
        return CGPath(elements.map { $0.applying(transform) }, made: made?.applying(transform))
    }

    /// A path that can be added to.
    public func mutableCopy() -> CGMutablePath? {
        let path = CGMutablePath()
        path.elements = elements
        path.made = made
        return path
    }

    /// Tells whether both have the same steps.
    public static func == (left: CGPath, right: CGPath) -> Bool { left.elements == right.elements }
    /// Feeds the steps.
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

/// The rule by which the inside of a path is known.
public enum CGPathFillRule: Int, Sendable {
    case winding, evenOdd
}

/// The end of a line.
public enum CGLineCap: Int32, Sendable {
    case butt, round, square
}

/// The corner of a line.
public enum CGLineJoin: Int32, Sendable {
    case miter, round, bevel
}
