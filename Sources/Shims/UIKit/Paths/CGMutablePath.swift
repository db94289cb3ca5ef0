// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: used by one thread at a time, as Apple's is.
/// A path that can be added to.
///
/// Source: Apple, "CGMutablePath".
public final class CGMutablePath: CGPath, @unchecked Sendable {
    /// The steps that a path may have; more are left out, and the log says so once.
    private static let elementLimit = 10_000

    /// A path without steps.
    public init() {
        super.init([])
    }

    private func add(_ added: [PathElement], _ transform: CGAffineTransform, made shape: PathShape? = nil) {
        guard elements.count + added.count <= Self.elementLimit else {
            return Absent.note("a path of more than \(Self.elementLimit) steps", "the others are left out")
        }
        made = elements.isEmpty ? shape?.applying(transform) : nil
        elements += transform.isIdentity ? added : added.map { $0.applying(transform) }
    }

    /// Begins a part at a point.
    public func move(to point: CGPoint, transform: CGAffineTransform = .identity) { add([.move(point)], transform) }

    /// Adds a straight line.
    public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) {
        add([elements.isEmpty ? .move(point) : .line(point)], transform)
    }

    /// Adds straight lines from point to point.
    public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
        guard let first = points.first else { return }
        add([.move(first)] + points.dropFirst().map { .line($0) }, transform)
    }

    /// Adds a curve with one control point.
    public func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
        add([.quad(control, end)], transform)
    }

    /// Adds a curve with two control points.
    public func addCurve(
        to end: CGPoint,
        control1: CGPoint,
        control2: CGPoint,
        transform: CGAffineTransform = .identity
    ) {
        add([.curve(control1, control2, end)], transform)
    }

    /// Adds a rectangle.
    public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) {
        let rect = rect.standardized
        let corners = [
            CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
            CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
        ]
        add(
            [.move(corners[0])] + corners.dropFirst().map { .line($0) } + [.close],
            transform,
            made: .rectangle(rect, 0)
        )
    }

    /// Adds rectangles.
    public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
        for rect in rects { addRect(rect, transform: transform) }
    }

    /// Adds a rectangle with round corners.
    public func addRoundedRect(
        in rect: CGRect,
        cornerWidth: CGFloat,
        cornerHeight: CGFloat,
        transform: CGAffineTransform = .identity
    ) {
        let rect = rect.standardized
        let (width, height) = (min(max(0, cornerWidth), rect.width / 2), min(max(0, cornerHeight), rect.height / 2))
        guard width > 0, height > 0 else { return addRect(rect, transform: transform) }
        let corners = CGSize(width: width, height: height)
        let shape = abs(width - height) < 1e-6 ? PathShape.rectangle(rect, width) : nil
        add(Self.rounded(rect, corners, .allCorners), transform, made: shape)
    }

    /// Adds a rectangle of which some corners are round.
    func addRect(_ rect: CGRect, rounding corners: UIRectCorner, by radii: CGSize) {
        let radius = CGSize(
            width: min(max(0, radii.width), rect.width / 2),
            height: min(max(0, radii.height), rect.height / 2)
        )
        add(Self.rounded(rect, radius, corners), .identity, made: .cornered(rect, radius.width, corners))
    }

    /// The share of a radius at which the control points of a quarter of a circle are.
    private static let quarter = 0.5522847498

    private static func rounded(_ rect: CGRect, _ radii: CGSize, _ round: UIRectCorner) -> [PathElement] {
        // Each corner with the directions in which the path comes to it and leaves it.
        let corners: [(UIRectCorner, CGPoint, CGVector, CGVector)] = [
            (.topRight, CGPoint(x: rect.maxX, y: rect.minY), CGVector(dx: 1, dy: 0), CGVector(dx: 0, dy: 1)),
            (.bottomRight, CGPoint(x: rect.maxX, y: rect.maxY), CGVector(dx: 0, dy: 1), CGVector(dx: -1, dy: 0)),
            (.bottomLeft, CGPoint(x: rect.minX, y: rect.maxY), CGVector(dx: -1, dy: 0), CGVector(dx: 0, dy: -1)),
            (.topLeft, CGPoint(x: rect.minX, y: rect.minY), CGVector(dx: 0, dy: -1), CGVector(dx: 1, dy: 0)),
        ]
        func point(_ corner: CGPoint, _ direction: CGVector, _ part: CGFloat) -> CGPoint {
            CGPoint(
                x: corner.x + direction.dx * radii.width * part,
                y: corner.y + direction.dy * radii.height * part
            )
        }
        let isRound = round.contains(.topLeft)
        var steps: [PathElement] = [.move(CGPoint(x: rect.minX + (isRound ? radii.width : 0), y: rect.minY))]
        for (name, corner, coming, leaving) in corners {
            guard round.contains(name) else {
                steps.append(.line(corner))
                continue
            }
            let (control, end) = (1 - quarter, CGFloat(1))
            steps.append(.line(point(corner, coming, -end)))
            steps.append(
                .curve(point(corner, coming, -control), point(corner, leaving, control), point(corner, leaving, end))
            )
        }
        return steps + [.close]
    }

    /// Adds an oval in a rectangle.
    public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
        let rect = rect.standardized
        let radii = CGSize(width: rect.width / 2, height: rect.height / 2)
        add(Self.rounded(rect, radii, .allCorners), transform, made: .oval(rect))
    }

    /// Adds a part of a circle, with a line to its beginning if there is something before it.
    ///
    /// Angles are radians from the right. As with Apple, where y points down, `clockwise` false is what a person sees
    /// as clockwise.
    public func addArc(
        center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool,
        transform: CGAffineTransform = .identity
    ) {
        guard [center.x, center.y, radius, startAngle, endAngle].allSatisfy(\.isFinite), radius >= 0 else { return }
        let full = 2 * CGFloat.pi
        var turn = endAngle - startAngle
        let isWhole = abs(turn) >= full - 1e-6
        if isWhole {
            turn = clockwise ? -full : full
        } else if clockwise, turn > 0 {
            turn -= full
        } else if !clockwise, turn < 0 {
            turn += full
        }
        func place(_ angle: CGFloat) -> CGPoint {
            CGPoint(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
        }
        let count = max(1, Int((abs(turn) / (.pi / 2)).rounded(.up)))
        let step = turn / CGFloat(count)
        let length = radius * 4 / 3 * tan(step / 4)
        var steps: [PathElement] = [elements.isEmpty ? .move(place(startAngle)) : .line(place(startAngle))]
        for index in 0..<count {
            let (from, to) = (startAngle + step * CGFloat(index), startAngle + step * CGFloat(index + 1))
            let (begin, end) = (place(from), place(to))
            steps.append(
                .curve(
                    CGPoint(x: begin.x - length * sin(from), y: begin.y + length * cos(from)),
                    CGPoint(x: end.x + length * sin(to), y: end.y - length * cos(to)),
                    end
                )
            )
        }
        let box = CGRect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius)
        add(steps, transform, made: isWhole ? .oval(box) : nil)
    }

    /// Adds a part of a circle by the angle that it goes on.
    public func addRelativeArc(
        center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        delta: CGFloat,
        transform: CGAffineTransform = .identity
    ) {
        addArc(
            center: center,
            radius: radius,
            startAngle: startAngle,
            endAngle: startAngle + delta,
            clockwise: delta < 0,
            transform: transform
        )
    }

    /// Adds the steps of a path.
    public func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) {
        add(path.elements, transform, made: path.made)
    }

    /// Closes the part by a line to its beginning.
    public func closeSubpath() {
        guard !elements.isEmpty, elements.last != .close else { return }
        // A closed oval is still one.
        let shape = made
        add([.close], .identity)
        made = shape
    }
}
