// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// The object that hears of the beginning and the end of an animation.
@preconcurrency @MainActor public protocol CAAnimationDelegate {
    /// The animation has begun; the default does nothing.
    func animationDidStart(_ anim: CAAnimation)
    /// The animation is over: by itself, or with `false` because it was taken away; the default does nothing.
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool)
}

extension CAAnimationDelegate {
    /// Does nothing.
    public func animationDidStart(_ anim: CAAnimation) {}
    /// Does nothing.
    public func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {}
}

/// The effect of a change of a layer; a change has none here.
@preconcurrency @MainActor public protocol CAAction {}

/// A change of a layer's look over a time, which does not change the layer itself.
///
/// Source: Apple, "CAAnimation".
@preconcurrency @MainActor open class CAAnimation: NSObject, CAAction, CAMediaTiming {
    var timing = MediaTiming()
    private var values: [String: Any] = [:]

    public override required init() {
        super.init()
    }

    /// The pace of the whole; an even one without it.
    open var timingFunction: CAMediaTimingFunction?
    /// The object that hears of beginning and end; the animation keeps it alive.
    open var delegate: (any CAAnimationDelegate)?
    /// False for an animation that stays on its layer when it is over.
    open var isRemovedOnCompletion = true

    open var beginTime: CFTimeInterval {
        get { timing.beginTime }
        set { timing.beginTime = newValue }
    }
    open var duration: CFTimeInterval {
        get { timing.duration }
        set { timing.duration = newValue }
    }
    open var speed: Float {
        get { timing.speed }
        set { timing.speed = newValue }
    }
    /// This has no effect: an animation begins at its beginning.
    open var timeOffset: CFTimeInterval {
        get { timing.timeOffset }
        set { timing.timeOffset = newValue }
    }
    open var repeatCount: Float {
        get { timing.repeatCount }
        set { timing.repeatCount = newValue }
    }
    open var repeatDuration: CFTimeInterval {
        get { timing.repeatDuration }
        set { timing.repeatDuration = newValue }
    }
    open var autoreverses: Bool {
        get { timing.autoreverses }
        set { timing.autoreverses = newValue }
    }
    open var fillMode: CAMediaTimingFillMode {
        get { timing.fillMode }
        set { timing.fillMode = newValue }
    }

    /// The value that code keeps with the animation.
    open func value(forKey key: String) -> Any? { values[key] }

    /// Keeps a value with the animation.
    open func setValue(_ value: Any?, forKey key: String) { values[key] = value }

    /// The ways of its properties, in a time of `seconds`.
    func tracks(on layer: CALayer, seconds: Double) -> [AnimationTrack] { [] }

    /// The seconds of one way; `usual` stands for none.
    func roundSeconds(usual: Double) -> Double { timing.roundSeconds(usual: usual) }
}

/// An animation of one property.
///
/// Drawn are `opacity`, `position`, `bounds`, `transform` and their parts, `backgroundColor`, `cornerRadius`,
/// `borderWidth` and `hidden`; of others the log says that nothing moves.
/// Source: Apple, "CAPropertyAnimation".
@preconcurrency @MainActor open class CAPropertyAnimation: CAAnimation {
    /// The property.
    open var keyPath: String?
    /// Adds values to those of the layer.
    open var isAdditive = false
    /// This has no effect: each round begins at the first value.
    open var isCumulative = false

    /// Makes an empty one.
    public required init() {
        super.init()
    }

    /// An animation of a property.
    public convenience init(keyPath path: String?) {
        self.init()
        keyPath = path
    }

    /// The points of time from 0 to 1 with their values, each as numbers.
    func points(on layer: CALayer, of property: AnimatedProperty) -> [AnimationTrack.Point] { [] }

    /// The curves of the parts, where there are some.
    var partCurves: [SceneMotion.Curve]? { nil }

    override func tracks(on layer: CALayer, seconds: Double) -> [AnimationTrack] {
        guard let keyPath else { return [] }
        guard let property = AnimatedProperty(keyPath: keyPath) else {
            Absent.note("an animation of \"\(keyPath)\"", "nothing moves, and the layer has its own value")
            return []
        }
        var points = points(on: layer, of: property)
        if isAdditive, let own = property.value(of: layer) {
            points = points.map { .init(time: $0.time, value: AnimatedProperty.sum(own, $0.value)) }
        }
        guard points.count >= 2 else { return [] }
        return [
            AnimationTrack(
                property: property,
                points: points,
                curve: timingFunction?.curve ?? .linear,
                partCurves: partCurves,
                isDiscrete: (self as? CAKeyframeAnimation)?.calculationMode == .discrete
            ).scaled(to: seconds)
        ]
    }
}

/// An animation from one value to another.
///
/// Source: Apple, "CABasicAnimation".
@preconcurrency @MainActor open class CABasicAnimation: CAPropertyAnimation {
    /// The value at the beginning; the layer's own without it.
    open var fromValue: Any?
    /// The value at the end; the layer's own without it.
    open var toValue: Any?
    /// The difference to the value that is there.
    open var byValue: Any?

    override func points(on layer: CALayer, of property: AnimatedProperty) -> [AnimationTrack.Point] {
        let own = property.value(of: layer)
        let (from, to, by) = (property.numbers(fromValue), property.numbers(toValue), property.numbers(byValue))
        let ends: ([Double]?, [Double]?) =
            switch (from, to, by) {
            case (let from?, let to?, _): (from, to)
            case (let from?, nil, let by?): (from, AnimatedProperty.sum(from, by))
            case (nil, let to?, let by?): (AnimatedProperty.sum(to, by.map { -$0 }), to)
            case (let from?, nil, nil): (from, own)
            case (nil, let to?, nil): (own, to)
            case (nil, nil, let by?): (own, own.map { AnimatedProperty.sum($0, by) })
            case (nil, nil, nil): (nil, nil)
            }
        guard let first = ends.0, let last = ends.1, first.count == last.count else { return [] }
        return [.init(time: 0, value: first), .init(time: 1, value: last)]
    }
}

/// An animation of a spring, which is drawn as a motion that is slow at the end.
///
/// Source: Apple, "CASpringAnimation".
@preconcurrency @MainActor open class CASpringAnimation: CABasicAnimation {
    /// The mass at the spring.
    open var mass: CGFloat = 1
    /// The strength of the spring.
    open var stiffness: CGFloat = 100
    /// The strength that slows it down.
    open var damping: CGFloat = 10
    /// The speed at the beginning; without effect.
    open var initialVelocity: CGFloat = 0

    /// The seconds until the spring is at rest, as far as one can see; 10 at most.
    open var settlingDuration: CFTimeInterval {
        Spring(mass: Double(mass), stiffness: Double(stiffness), damping: Double(damping)).seconds
    }

    override var partCurves: [SceneMotion.Curve]? { [.easeOut] }
}

/// An animation along many values.
///
/// Source: Apple, "CAKeyframeAnimation".
@preconcurrency @MainActor open class CAKeyframeAnimation: CAPropertyAnimation {
    /// The values.
    open var values: [Any]?
    /// A way of places, of which the points between lines and curves are passed in straight lines.
    open var path: CGPath?
    /// The points of time of the values, from 0 to 1; even ones without them.
    open var keyTimes: [NSNumber]?
    /// The paces from value to value.
    open var timingFunctions: [CAMediaTimingFunction]?
    /// The way between values: straight lines, or jumps.
    open var calculationMode = CAAnimationCalculationMode.linear
    /// The turning along a path; without effect.
    open var rotationMode: CAAnimationRotationMode?

    /// The values that count, as many as a page can be told.
    private static let valueLimit = 128

    override func points(on layer: CALayer, of property: AnimatedProperty) -> [AnimationTrack.Point] {
        let all =
            path.map { path in path.points.map { [Double($0.x), Double($0.y)] } }
            ?? (values ?? []).compactMap { property.numbers($0) }
        let values = all.prefix(Self.valueLimit)
        guard values.count >= 2, let first = values.first, values.allSatisfy({ $0.count == first.count }) else {
            return []
        }
        let times = keyTimes?.map(\.doubleValue) ?? []
        let isTimed = times.count == values.count && times == times.sorted() && times.allSatisfy((0...1).contains)
        return values.enumerated().map { index, value in
            .init(time: isTimed ? times[index] : Double(index) / Double(values.count - 1), value: value)
        }
    }

    override var partCurves: [SceneMotion.Curve]? { timingFunctions?.map(\.curve) }
}

/// The way between the values of keyframes.
public struct CAAnimationCalculationMode: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Straight lines.
    public static let linear = CAAnimationCalculationMode(rawValue: "linear")
    /// Jumps.
    public static let discrete = CAAnimationCalculationMode(rawValue: "discrete")
    /// Straight lines.
    public static let paced = CAAnimationCalculationMode(rawValue: "paced")
    /// Straight lines.
    public static let cubic = CAAnimationCalculationMode(rawValue: "cubic")
    /// Straight lines.
    public static let cubicPaced = CAAnimationCalculationMode(rawValue: "cubicPaced")
}

/// The turning of a layer along a path.
public struct CAAnimationRotationMode: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Along the path.
    public static let rotateAuto = CAAnimationRotationMode(rawValue: "auto")
    /// Against the path.
    public static let rotateAutoReverse = CAAnimationRotationMode(rawValue: "autoReverse")
}

/// Animations that run at once, in a common time.
///
/// Source: Apple, "CAAnimationGroup".
@preconcurrency @MainActor open class CAAnimationGroup: CAAnimation {
    /// The animations, each of which begins at its `beginTime` in the group, and is cut at the group's end.
    open var animations: [CAAnimation]?

    override func tracks(on layer: CALayer, seconds: Double) -> [AnimationTrack] {
        (animations ?? []).prefix(16).flatMap { animation in
            let start = animation.beginTime > 0 ? animation.beginTime : 0
            let own = animation.roundSeconds(usual: seconds)
            return animation.tracks(on: layer, seconds: own).map { $0.delayed(by: start) }
        }
    }
}

/// A passage from one look of a layer to the next, which is not drawn: what can move does not move by it.
///
/// Source: Apple, "CATransition".
@preconcurrency @MainActor open class CATransition: CAAnimation {
    /// The kind of the passage.
    open var type = CATransitionType.fade
    /// The side from which it comes.
    open var subtype: CATransitionSubtype?
    /// The part of the passage at which it begins.
    open var startProgress: Float = 0
    /// The part of the passage at which it ends.
    open var endProgress: Float = 1

    override func tracks(on layer: CALayer, seconds: Double) -> [AnimationTrack] {
        Absent.note("CATransition", "the new look is there at once")
        return []
    }
}

/// The kind of a passage.
public struct CATransitionType: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Fades.
    public static let fade = CATransitionType(rawValue: "fade")
    /// Moves in over the old look.
    public static let moveIn = CATransitionType(rawValue: "moveIn")
    /// Pushes the old look out.
    public static let push = CATransitionType(rawValue: "push")
    /// Moves the old look away.
    public static let reveal = CATransitionType(rawValue: "reveal")
}

/// The side from which a passage comes.
public struct CATransitionSubtype: Hashable, Sendable, RawRepresentable {
    /// The value by which Apple knows it.
    public let rawValue: String

    /// Takes the value by which Apple knows it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// From the right.
    public static let fromRight = CATransitionSubtype(rawValue: "fromRight")
    /// From the left.
    public static let fromLeft = CATransitionSubtype(rawValue: "fromLeft")
    /// From above.
    public static let fromTop = CATransitionSubtype(rawValue: "fromTop")
    /// From below.
    public static let fromBottom = CATransitionSubtype(rawValue: "fromBottom")
}
