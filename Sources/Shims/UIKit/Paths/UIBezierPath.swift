// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog

// SAFETY: used by one thread at a time, as Apple's is.
/// A path with the look of its line, for shape layers.
///
/// Nothing draws in this process: `fill()`, `stroke()` and `addClip()` do nothing, which the log says.
/// Source: Apple, "UIBezierPath".
open class UIBezierPath: NSObject, NSCopying, @unchecked Sendable {
    private var path = CGMutablePath()

    /// A path without steps.
    public override init() {
        super.init()
    }

    /// A rectangle.
    public convenience init(rect: CGRect) {
        self.init()
        path.addRect(rect)
    }

    /// An oval in a rectangle.
    public convenience init(ovalIn rect: CGRect) {
        self.init()
        path.addEllipse(in: rect)
    }

    /// A rectangle with round corners.
    public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
        self.init()
        let radius = min(cornerRadius, rect.width / 2, rect.height / 2)
        path.addRoundedRect(in: rect, cornerWidth: radius, cornerHeight: radius)
    }

    /// A rectangle of which some corners are round; the width of the radii counts.
    public convenience init(roundedRect rect: CGRect, byRoundingCorners corners: UIRectCorner, cornerRadii: CGSize) {
        self.init()
        let radius = min(cornerRadii.width, rect.width / 2, rect.height / 2)
        if corners.isSuperset(of: [.topLeft, .topRight, .bottomLeft, .bottomRight]) {
            path.addRoundedRect(in: rect, cornerWidth: radius, cornerHeight: radius)
        } else {
            path.addRect(rect.standardized, rounding: corners, by: CGSize(width: radius, height: radius))
        }
    }

    /// A part of a circle, clockwise as a person sees it.
    public convenience init(
        arcCenter center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        self.init()
        addArc(
            withCenter: center,
            radius: radius,
            startAngle: startAngle,
            endAngle: endAngle,
            clockwise: clockwise
        )
    }

    /// The steps of a path.
    public convenience init(cgPath: CGPath) {
        self.init()
        path.addPath(cgPath)
    }

    /// The steps.
    open var cgPath: CGPath {
        get { path.copy() ?? CGMutablePath() }
        set { path = newValue.mutableCopy() ?? CGMutablePath() }
    }

    /// The width of the line; that of a shape layer counts.
    open var lineWidth: CGFloat = 1
    /// The ends of the line; a shape layer draws straight ones.
    open var lineCapStyle = CGLineCap.butt
    /// The corners of the line; those of a shape layer count.
    open var lineJoinStyle = CGLineJoin.miter
    /// This has no effect: nothing draws.
    open var miterLimit: CGFloat = 10
    /// This has no effect: nothing draws.
    open var flatness: CGFloat = 0.6
    /// True if what is crossed an even number of times is outside.
    open var usesEvenOddFillRule = false

    /// True for a path without steps.
    open var isEmpty: Bool { path.isEmpty }
    /// The smallest rectangle around the path; zero for an empty one.
    open var bounds: CGRect { path.isEmpty ? .zero : path.boundingBoxOfPath }
    /// The end of the last step.
    open var currentPoint: CGPoint { path.currentPoint }

    /// True for a point inside.
    open func contains(_ point: CGPoint) -> Bool {
        path.contains(point, using: usesEvenOddFillRule ? .evenOdd : .winding)
    }

    /// Begins a part at a point.
    open func move(to point: CGPoint) { path.move(to: point) }

    /// Adds a straight line.
    open func addLine(to point: CGPoint) { path.addLine(to: point) }

    /// Adds a curve with two control points.
    open func addCurve(to endPoint: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        path.addCurve(to: endPoint, control1: controlPoint1, control2: controlPoint2)
    }

    /// Adds a curve with one control point.
    open func addQuadCurve(to endPoint: CGPoint, controlPoint: CGPoint) {
        path.addQuadCurve(to: endPoint, control: controlPoint)
    }

    /// Adds a part of a circle, clockwise as a person sees it.
    open func addArc(
        withCenter center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        // Core Graphics means the other way, because there y points up.
        path.addArc(
            center: center,
            radius: radius,
            startAngle: startAngle,
            endAngle: endAngle,
            clockwise: !clockwise
        )
    }

    /// Closes the part by a line to its beginning.
    open func close() { path.closeSubpath() }

    /// Takes all steps away.
    open func removeAllPoints() { path = CGMutablePath() }

    /// Adds the steps of another path.
    open func append(_ bezierPath: UIBezierPath) { path.addPath(bezierPath.path) }

    /// Moves the path by a transform.
    open func apply(_ transform: CGAffineTransform) {
        let moved = CGMutablePath()
        moved.addPath(path, transform: transform)
        path = moved
    }

    /// The path the other way round, which looks the same.
    open func reversing() -> UIBezierPath { UIBezierPath(cgPath: path) }

    open func copy(with zone: NSZone? = nil) -> Any {
        let other = UIBezierPath(cgPath: path)
        (other.lineWidth, other.lineCapStyle, other.lineJoinStyle) = (lineWidth, lineCapStyle, lineJoinStyle)
        (other.miterLimit, other.flatness) = (miterLimit, flatness)
        other.usesEvenOddFillRule = usesEvenOddFillRule
        return other
    }

    // MARK: Drawing

    /// Fills the path; without effect, which the log says.
    open func fill() { Self.warnOfDrawing() }

    /// Draws the line; without effect, which the log says.
    open func stroke() { Self.warnOfDrawing() }

    /// Cuts what is drawn; without effect, which the log says.
    open func addClip() { Self.warnOfDrawing() }

    private static func warnOfDrawing() {
        HostLog.warnOnce("nothing draws here: UIBezierPath's fill(), stroke() and addClip() do nothing")
    }
}
