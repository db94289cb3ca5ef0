// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// A time in seconds.
public typealias CFTimeInterval = TimeInterval

/// The look of a layer before and behind its animation.
public struct CAMediaTimingFillMode: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The last value stays.
    public static let forwards = CAMediaTimingFillMode(rawValue: "forwards")
    /// The first value is there from the beginning.
    public static let backwards = CAMediaTimingFillMode(rawValue: "backwards")
    /// Both.
    public static let both = CAMediaTimingFillMode(rawValue: "both")
    /// The layer's own value is there but for the animation.
    public static let removed = CAMediaTimingFillMode(rawValue: "removed")
}

/// The older name of `CAMediaTimingFillMode.forwards`.
public let kCAFillModeForwards = CAMediaTimingFillMode.forwards
/// The older name of `CAMediaTimingFillMode.backwards`.
public let kCAFillModeBackwards = CAMediaTimingFillMode.backwards
/// The older name of `CAMediaTimingFillMode.both`.
public let kCAFillModeBoth = CAMediaTimingFillMode.both
/// The older name of `CAMediaTimingFillMode.removed`.
public let kCAFillModeRemoved = CAMediaTimingFillMode.removed

/// The times of an animation or a layer.
///
/// Source: Apple, "CAMediaTiming".
@preconcurrency @MainActor public protocol CAMediaTiming {
    /// The time at which it begins; 0 means at once.
    var beginTime: CFTimeInterval { get set }
    /// Seconds.
    var duration: CFTimeInterval { get set }
    /// The seconds of a second.
    var speed: Float { get set }
    /// The seconds that are over at the beginning.
    var timeOffset: CFTimeInterval { get set }
    /// The rounds; 0 means one.
    var repeatCount: Float { get set }
    /// The seconds of all rounds; 0 means that `repeatCount` counts.
    var repeatDuration: CFTimeInterval { get set }
    /// True for one that goes back after each round.
    var autoreverses: Bool { get set }
    /// The look before and behind it.
    var fillMode: CAMediaTimingFillMode { get set }
}

/// The times of an animation or a layer, as they were set.
struct MediaTiming {
    var beginTime: CFTimeInterval = 0
    var duration: CFTimeInterval = 0
    var speed: Float = 1
    var timeOffset: CFTimeInterval = 0
    var repeatCount: Float = 0
    var repeatDuration: CFTimeInterval = 0
    var autoreverses = false
    var fillMode = CAMediaTimingFillMode.removed

    /// The seconds of one way, without the way back; `usual` stands for none.
    func roundSeconds(usual: Double) -> Double {
        let seconds = duration > 0 ? duration : usual
        return speed > 0 ? seconds / Double(speed) : seconds
    }

    /// The rounds; infinite ones have no end.
    func rounds(of seconds: Double) -> Double {
        if repeatDuration > 0, seconds > 0 { return repeatDuration / (seconds * (autoreverses ? 2 : 1)) }
        return repeatCount > 0 ? Double(repeatCount) : 1
    }
}

extension CALayer: CAMediaTiming {
    /// This has no effect: the layers here have no time of their own.
    public var beginTime: CFTimeInterval {
        get { extras.timing.beginTime }
        set { extras.timing.beginTime = newValue }
    }
    /// This has no effect: the layers here have no time of their own.
    public var duration: CFTimeInterval {
        get { extras.timing.duration }
        set { extras.timing.duration = newValue }
    }
    /// This has no effect, which the log says: animations cannot be held.
    public var speed: Float {
        get { extras.timing.speed }
        set {
            extras.timing.speed = newValue
            if newValue != 1 { Absent.note("CALayer.speed", "animations run in their own time") }
        }
    }
    /// This has no effect: animations cannot be held.
    public var timeOffset: CFTimeInterval {
        get { extras.timing.timeOffset }
        set { extras.timing.timeOffset = newValue }
    }
    /// This has no effect: the layers here have no time of their own.
    public var repeatCount: Float {
        get { extras.timing.repeatCount }
        set { extras.timing.repeatCount = newValue }
    }
    /// This has no effect: the layers here have no time of their own.
    public var repeatDuration: CFTimeInterval {
        get { extras.timing.repeatDuration }
        set { extras.timing.repeatDuration = newValue }
    }
    /// This has no effect: the layers here have no time of their own.
    public var autoreverses: Bool {
        get { extras.timing.autoreverses }
        set { extras.timing.autoreverses = newValue }
    }
    /// This has no effect: the layers here have no time of their own.
    public var fillMode: CAMediaTimingFillMode {
        get { extras.timing.fillMode }
        set { extras.timing.fillMode = newValue }
    }

    /// The time of the layer, which is the time of all.
    public func convertTime(_ t: CFTimeInterval, from l: CALayer?) -> CFTimeInterval { t }

    /// The time of the layer, which is the time of all.
    public func convertTime(_ t: CFTimeInterval, to l: CALayer?) -> CFTimeInterval { t }
}

/// The seconds since this process began to show its view.
@preconcurrency @MainActor public func CACurrentMediaTime() -> CFTimeInterval { Stage.current.timeline.seconds }

/// The name of a curve of time.
public struct CAMediaTimingFunctionName: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The same all the way.
    public static let linear = CAMediaTimingFunctionName(rawValue: "linear")
    /// Slow at the beginning.
    public static let easeIn = CAMediaTimingFunctionName(rawValue: "easeIn")
    /// Slow at the end.
    public static let easeOut = CAMediaTimingFunctionName(rawValue: "easeOut")
    /// Slow at both ends.
    public static let easeInEaseOut = CAMediaTimingFunctionName(rawValue: "easeInEaseOut")
    /// The usual one.
    public static let `default` = CAMediaTimingFunctionName(rawValue: "default")
}

/// The older name of `CAMediaTimingFunctionName.linear`.
public let kCAMediaTimingFunctionLinear = CAMediaTimingFunctionName.linear
/// The older name of `CAMediaTimingFunctionName.easeIn`.
public let kCAMediaTimingFunctionEaseIn = CAMediaTimingFunctionName.easeIn
/// The older name of `CAMediaTimingFunctionName.easeOut`.
public let kCAMediaTimingFunctionEaseOut = CAMediaTimingFunctionName.easeOut
/// The older name of `CAMediaTimingFunctionName.easeInEaseOut`.
public let kCAMediaTimingFunctionEaseInEaseOut = CAMediaTimingFunctionName.easeInEaseOut
/// The older name of `CAMediaTimingFunctionName.default`.
public let kCAMediaTimingFunctionDefault = CAMediaTimingFunctionName.default

/// A curve of time; the page draws the one of its four that is nearest.
///
/// Source: Apple, "CAMediaTimingFunction".
@preconcurrency @MainActor open class CAMediaTimingFunction: NSObject {
    let curve: SceneMotion.Curve

    /// One of Apple's curves.
    public init(name: CAMediaTimingFunctionName) {
        switch name {
        case .linear: curve = .linear
        case .easeIn: curve = .easeIn
        case .easeOut: curve = .easeOut
        default: curve = .easeInOut
        }
        super.init()
    }

    /// A curve by its two points.
    public init(controlPoints c1x: Float, _ c1y: Float, _ c2x: Float, _ c2y: Float) {
        let first = CGPoint(x: CGFloat(c1x), y: CGFloat(c1y))
        curve = UIView.AnimationCurve(nearest: first, CGPoint(x: CGFloat(c2x), y: CGFloat(c2y))).sceneCurve
        super.init()
    }
}
