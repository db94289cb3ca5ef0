// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The shapes that a node can have: rectangles, with round corners too, and ovals.
enum PathShape: Equatable {
    /// With the radius of its corners.
    case rectangle(CGRect, CGFloat)
    /// A rectangle with some round corners.
    case cornered(CGRect, CGFloat, UIRectCorner)
    case oval(CGRect)
    /// A line from side to side, or from top to bottom.
    case line(CGPoint, CGPoint)

    /// The shape of a path; `nil` for what a node cannot be.
    init?(_ path: CGPath) {
        if let made = path.made {
            self = made
            return
        }
        guard let shape = Self.upright(path.elements) else { return nil }
        self = shape
    }

    /// A rectangle or a line that was made of steps.
    private static func upright(_ elements: [PathElement]) -> PathShape? {
        var points: [CGPoint] = []
        for (index, element) in elements.enumerated() {
            switch element {
            case .move(let point):
                guard index == 0 else { return nil }
                points.append(point)
            case .line(let point): points.append(point)
            case .close: if index != elements.count - 1 { return nil }
            case .quad, .curve: return nil
            }
        }
        if points.count == 5, points[0] == points[4] { points.removeLast() }
        if points.count == 2, points[0].x == points[1].x || points[0].y == points[1].y {
            return .line(points[0], points[1])
        }
        guard points.count == 4 else { return nil }
        let (one, two, three, four) = (points[0], points[1], points[2], points[3])
        let isAcross = one.y == two.y && two.x == three.x && three.y == four.y && four.x == one.x
        let isDown = one.x == two.x && two.y == three.y && three.x == four.x && four.y == one.y
        guard isAcross || isDown else { return nil }
        let rect = CGRect(x: one.x, y: one.y, width: three.x - one.x, height: three.y - one.y)
        return .rectangle(rect.standardized, 0)
    }

    /// The smallest rectangle around the shape.
    var box: CGRect {
        switch self {
        case .rectangle(let rect, _), .cornered(let rect, _, _), .oval(let rect): rect
        case .line(let from, let to):
            CGRect(x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y).standardized
        }
    }

    /// The shape moved by a transform; `nil` if that turns it, or makes its corners other than parts of circles.
    func applying(_ transform: CGAffineTransform) -> PathShape? {
        if transform.isIdentity { return self }
        guard transform.b == 0, transform.c == 0 else { return nil }
        let isEven = abs(abs(transform.a) - abs(transform.d)) < 1e-9
        switch self {
        case .rectangle(let rect, let radius):
            guard radius == 0 || isEven else { return nil }
            return .rectangle(rect.applying(transform), radius * abs(transform.a))
        case .cornered(let rect, let radius, let corners):
            guard isEven, transform.a > 0, transform.d > 0 else { return nil }
            return .cornered(rect.applying(transform), radius * transform.a, corners)
        case .oval(let rect): return .oval(rect.applying(transform))
        case .line(let from, let to): return .line(from.applying(transform), to.applying(transform))
        }
    }
}
