// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// The place at which an animation ends.
public enum UIViewAnimatingPosition: Int, Sendable {
    case end, start, current
}

/// The state of an animation.
public enum UIViewAnimatingState: Int, Sendable {
    /// The animation is not begun, or over.
    case inactive
    /// Begun.
    case active
    /// Ended by a call, and not finished.
    case stopped
}

/// An animation that is begun and ended by calls.
@preconcurrency @MainActor public protocol UIViewAnimating: NSObjectProtocol {
    /// The state of the animation.
    var state: UIViewAnimatingState { get }
    /// True while the page moves.
    var isRunning: Bool { get }
    /// True for an animation that goes back.
    var isReversed: Bool { get set }
    /// The part of the animation that is done, from 0 to 1.
    var fractionComplete: CGFloat { get set }
    func startAnimation()
    func startAnimation(afterDelay delay: TimeInterval)
    func pauseAnimation()
    func stopAnimation(_ withoutFinishing: Bool)
    func finishAnimation(at finalPosition: UIViewAnimatingPosition)
}

/// An animation that can be begun when it is wanted.
///
/// Once begun it runs to its end: the page cannot be told to hold a motion, so that pausing, reversing and setting
/// `fractionComplete` are without effect, which the log says.
/// Source: Apple, "UIViewPropertyAnimator".
@preconcurrency @MainActor open class UIViewPropertyAnimator: NSObject, UIViewAnimating {
    /// The curve of time.
    public let timingParameters: (any UITimingCurveProvider)?
    /// Seconds.
    public let duration: TimeInterval
    /// The seconds that the page waited before it began.
    open private(set) var delay: TimeInterval = 0
    open private(set) var state = UIViewAnimatingState.inactive
    /// True while the page moves.
    open private(set) var isRunning = false
    /// This has no effect: controls always take events.
    open var isUserInteractionEnabled = true
    /// This has no effect: nobody takes hold of an animation.
    open var isInterruptible = true
    /// This has no effect, as an animation is never held.
    open var scrubsLinearly = true
    /// True for one that stays active at its end.
    open var pausesOnCompletion = false
    /// This has no effect, which the log says.
    @_OnMainThread open var isReversed = false {
        didSet { if isReversed { Absent.note("UIViewPropertyAnimator.isReversed", "the animation runs to its end") } }
    }

    private let curve: SceneMotion.Curve
    private var animations: [() -> Void] = []
    private var completions: [(UIViewAnimatingPosition) -> Void] = []
    private let stage = Stage.current
    private var call: UInt64?
    private var startSeconds = 0.0

    /// An animation with a curve or a spring; one of a spring with a mass has the spring's time.
    public init(duration: TimeInterval, timingParameters parameters: any UITimingCurveProvider) {
        timingParameters = parameters
        self.duration = parameters.springTimingParameters?.settlingSeconds ?? duration
        curve = parameters.cubicTimingParameters?.animationCurve.sceneCurve ?? .easeOut
        super.init()
    }

    /// An animation with one of UIKit's curves.
    public convenience init(duration: TimeInterval, curve: UIView.AnimationCurve, animations: (() -> Void)? = nil) {
        self.init(duration: duration, timingParameters: UICubicTimingParameters(animationCurve: curve))
        if let animations { addAnimations(animations) }
    }

    /// An animation with a curve of two points.
    public convenience init(
        duration: TimeInterval,
        controlPoint1 point1: CGPoint,
        controlPoint2 point2: CGPoint,
        animations: (() -> Void)? = nil
    ) {
        let parameters = UICubicTimingParameters(controlPoint1: point1, controlPoint2: point2)
        self.init(duration: duration, timingParameters: parameters)
        if let animations { addAnimations(animations) }
    }

    /// An animation of a spring.
    public convenience init(
        duration: TimeInterval,
        dampingRatio ratio: CGFloat,
        animations: (() -> Void)? = nil
    ) {
        self.init(duration: duration, timingParameters: UISpringTimingParameters(dampingRatio: ratio))
        if let animations { addAnimations(animations) }
    }

    /// Begins an animation, and returns it.
    @discardableResult
    open class func runningPropertyAnimator(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        options: UIView.AnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((UIViewAnimatingPosition) -> Void)? = nil
    ) -> UIViewPropertyAnimator {
        let curve: UIView.AnimationCurve =
            switch options.curve {
            case .easeIn: .easeIn
            case .easeOut: .easeOut
            case .linear: .linear
            case .easeInOut: .easeInOut
            }
        let animator = UIViewPropertyAnimator(duration: duration, curve: curve, animations: animations)
        if let completion { animator.addCompletion(completion) }
        animator.startAnimation(afterDelay: delay)
        return animator
    }

    /// Adds changes; those of an animation that runs move in the time that it has left.
    open func addAnimations(_ animation: @escaping () -> Void) { addAnimations(animation, delayFactor: 0) }

    /// Adds changes that begin at a part of the time, from 0 to 1.
    open func addAnimations(_ animation: @escaping () -> Void, delayFactor: CGFloat) {
        guard onMain(self.addAnimations(animation, delayFactor: delayFactor)) else { return }
        let stage = stage
        let (seconds, curve) = (duration, curve)
        let part = delayFactor > 0 ? min(Double(delayFactor), 1) : 0
        if isRunning {
            let left = max(0, delay + duration - (stage.timeline.seconds - startSeconds))
            stage.run(MotionBlock(seconds: left * (1 - part), delay: left * part, curve: curve), animation)
        } else if part == 0 {
            animations.append(animation)
        } else {
            animations.append { [weak self] in
                let wait = (self?.delay ?? 0) + seconds * part
                stage.run(MotionBlock(seconds: seconds * (1 - part), delay: wait, curve: curve), animation)
            }
        }
    }

    /// Adds a function that is called at the end.
    open func addCompletion(_ completion: @escaping (UIViewAnimatingPosition) -> Void) {
        guard onMain(self.addCompletion(completion)) else { return }
        completions.append(completion)
    }

    /// Begins.
    open func startAnimation() { startAnimation(afterDelay: 0) }

    /// Begins, and has the page wait for so many seconds.
    open func startAnimation(afterDelay delay: TimeInterval) {
        guard onMain(self.startAnimation(afterDelay: delay)) else { return }
        guard state != .stopped, !isRunning, !animations.isEmpty || state == .inactive else { return }
        self.delay = delay > 0 ? delay : 0
        (state, isRunning, startSeconds) = (.active, true, stage.timeline.seconds)
        let (changes, block) = (animations, MotionBlock(seconds: duration, delay: self.delay, curve: curve))
        animations = []
        if stage.areAnimationsEnabled {
            stage.run(block) { for change in changes { change() } }
        } else {
            for change in changes { change() }
        }
        call = stage.timeline.call(after: stage.areAnimationsEnabled ? block.wholeSeconds : 0) { [self] in
            call = nil
            isRunning = false
            guard !pausesOnCompletion else { return }
            end(at: .end)
        }
    }

    /// This has no effect, which the log says: the animation runs to its end.
    ///
    /// One that was not begun becomes active.
    open func pauseAnimation() {
        guard onMain(self.pauseAnimation()) else { return }
        if state == .inactive { state = .active }
        Absent.note("UIViewPropertyAnimator.pauseAnimation", "the animation runs to its end")
    }

    /// Goes on with one that was held; begins one that was not begun.
    open func continueAnimation(
        withTimingParameters parameters: (any UITimingCurveProvider)?,
        durationFactor: CGFloat
    ) { startAnimation() }

    /// Ends the animation, whose completions are called by `finishAnimation(at:)`, or not with `true`.
    open func stopAnimation(_ withoutFinishing: Bool) {
        guard onMain(self.stopAnimation(withoutFinishing)), state == .active else { return }
        if let call { stage.timeline.cancel(call) }
        (call, isRunning) = (nil, false)
        state = withoutFinishing ? .inactive : .stopped
        if withoutFinishing { completions = [] }
    }

    /// Ends an animation that was stopped, and calls the completions; the views stay at the end.
    open func finishAnimation(at finalPosition: UIViewAnimatingPosition) {
        guard onMain(self.finishAnimation(at: finalPosition)), state == .stopped else { return }
        if finalPosition == .start {
            Absent.note("UIViewPropertyAnimator.finishAnimation(at: .start)", "the views stay at the end")
        }
        end(at: finalPosition)
    }

    private func end(at position: UIViewAnimatingPosition) {
        state = .inactive
        let completions = completions
        self.completions = []
        for completion in completions { completion(position) }
    }

    /// The part of the time that is over; setting it is without effect, which the log says.
    open var fractionComplete: CGFloat {
        get {
            guard isRunning else { return state == .active && pausesOnCompletion ? 1 : 0 }
            guard duration > 0 else { return 1 }
            let part = (stage.timeline.seconds - startSeconds - delay) / duration
            return CGFloat(min(max(0, part), 1))
        }
        set { Absent.note("UIViewPropertyAnimator.fractionComplete", "the animation runs to its end") }
    }
}
