// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// The kind of a curve of time.
public enum UITimingCurveType: Int, Sendable {
    /// One of the four of UIKit.
    case builtin
    /// A curve of two points.
    case cubic
    /// A spring.
    case spring
    /// A spring over a curve.
    case composed
}

/// A curve of time.
@preconcurrency @MainActor public protocol UITimingCurveProvider: NSObjectProtocol {
    /// The kind of the curve.
    var timingCurveType: UITimingCurveType { get }
    /// The curve of two points, if it is one.
    var cubicTimingParameters: UICubicTimingParameters? { get }
    /// The spring, if it is one.
    var springTimingParameters: UISpringTimingParameters? { get }
}

/// A curve of time by two points; the page draws the one of its four that is nearest.
///
/// Source: Apple, "UICubicTimingParameters".
@preconcurrency @MainActor open class UICubicTimingParameters: NSObject, UITimingCurveProvider {
    /// The curve of UIKit.
    public let animationCurve: UIView.AnimationCurve
    /// The first point.
    public let controlPoint1: CGPoint
    /// The second point.
    public let controlPoint2: CGPoint
    private let isBuiltin: Bool

    /// One of UIKit's curves.
    public init(animationCurve curve: UIView.AnimationCurve) {
        animationCurve = curve
        (controlPoint1, controlPoint2) = curve.controlPoints
        isBuiltin = true
        super.init()
    }

    /// A curve by its two points.
    public init(controlPoint1 point1: CGPoint, controlPoint2 point2: CGPoint) {
        (controlPoint1, controlPoint2) = (point1, point2)
        animationCurve = UIView.AnimationCurve(nearest: point1, point2)
        isBuiltin = false
        super.init()
    }

    /// Slow at both ends.
    public convenience override init() {
        self.init(animationCurve: .easeInOut)
    }

    open var timingCurveType: UITimingCurveType { isBuiltin ? .builtin : .cubic }
    open var cubicTimingParameters: UICubicTimingParameters? { self }
    open var springTimingParameters: UISpringTimingParameters? { nil }
}

/// A spring, which is drawn as a motion that is slow at the end.
///
/// Source: Apple, "UISpringTimingParameters".
@preconcurrency @MainActor open class UISpringTimingParameters: NSObject, UITimingCurveProvider {
    /// The speed at the beginning.
    public let initialVelocity: CGVector
    /// The seconds in which a spring of mass, stiffness and damping comes to rest, as far as its motion is seen.
    let settlingSeconds: Double?

    /// A spring by the share of its motion that is damped, from 0 to 1.
    public init(dampingRatio ratio: CGFloat, initialVelocity velocity: CGVector) {
        (initialVelocity, settlingSeconds) = (velocity, nil)
        super.init()
    }

    /// A spring by the share of its motion that is damped, from 0 to 1.
    public convenience init(dampingRatio ratio: CGFloat) {
        self.init(dampingRatio: ratio, initialVelocity: .zero)
    }

    /// A spring of a mass; its time is in the numbers, and an animator's duration does not count.
    public init(mass: CGFloat, stiffness: CGFloat, damping: CGFloat, initialVelocity velocity: CGVector) {
        initialVelocity = velocity
        settlingSeconds = Spring(mass: Double(mass), stiffness: Double(stiffness), damping: Double(damping)).seconds
        super.init()
    }

    /// A spring by the time of a swing and by how much it bounces, from 0 to 1.
    public init(duration: TimeInterval = 0.5, bounce: CGFloat = 0.0, initialVelocity: CGVector = .zero) {
        (self.initialVelocity, settlingSeconds) = (initialVelocity, duration)
        super.init()
    }

    /// UIKit's own spring.
    public convenience override init() {
        self.init(mass: 3, stiffness: 1000, damping: 500, initialVelocity: .zero)
    }

    open var timingCurveType: UITimingCurveType { .spring }
    open var cubicTimingParameters: UICubicTimingParameters? { nil }
    open var springTimingParameters: UISpringTimingParameters? { self }
}

/// A mass on a spring.
struct Spring {
    var mass: Double
    var stiffness: Double
    var damping: Double

    /// The seconds until a thousandth of the way is left, from 0 to 10.
    ///
    /// Source: the slowest exponential of a damped oscillator, of which ln 1000 is the time.
    var seconds: Double {
        guard mass > 0, stiffness > 0, damping > 0 else { return 0 }
        let root = damping * damping - 4 * mass * stiffness
        let rate = root > 0 ? (damping - root.squareRoot()) / (2 * mass) : damping / (2 * mass)
        let seconds = log(1000) / rate
        return seconds.isFinite ? min(seconds, SceneMotion.times.upperBound) : SceneMotion.times.upperBound
    }
}

extension UIView.AnimationCurve {
    /// The points of the curve.
    ///
    /// Source: Apple, "CAMediaTimingFunctionName".
    var controlPoints: (CGPoint, CGPoint) {
        switch self {
        case .easeInOut: (CGPoint(x: 0.42, y: 0), CGPoint(x: 0.58, y: 1))
        case .easeIn: (CGPoint(x: 0.42, y: 0), CGPoint(x: 1, y: 1))
        case .easeOut: (CGPoint(x: 0, y: 0), CGPoint(x: 0.58, y: 1))
        case .linear: (CGPoint(x: 0, y: 0), CGPoint(x: 1, y: 1))
        }
    }

    /// The curve that is slow at the ends at which one of these points is.
    init(nearest point1: CGPoint, _ point2: CGPoint) {
        // A curve is slow where its first or last part is flatter than the way itself.
        let (isSlowAtStart, isSlowAtEnd) = (point1.x - point1.y > 0.1, point2.y - point2.x > 0.1)
        self =
            switch (isSlowAtStart, isSlowAtEnd) {
            case (true, true): .easeInOut
            case (true, false): .easeIn
            case (false, true): .easeOut
            case (false, false): .linear
            }
    }
}
