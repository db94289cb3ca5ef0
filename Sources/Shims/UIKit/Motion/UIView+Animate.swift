// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoundationCompatibility
import SceneModel

/// Animations: the page moves what the block changes, and the completion is called when the time is over.
///
/// A change before or behind a block in the same turn of the main queue does not move. A layout that waits is
/// a part of the block only if it is made there, by `layoutIfNeeded()`, as with Apple. A completion always hears
/// `true`. It comes with the next turn if the block has changed nothing that is shown. Springs are drawn as motions
/// that are slow at the end. Source: Apple, "UIView".
extension UIView {
    /// Moves what a block changes.
    public class func animate(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        options: AnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        guard
            onMain(
                self.animate(
                    withDuration: duration,
                    delay: delay,
                    options: options,
                    animations: animations,
                    completion: completion
                )
            )
        else { return }
        let block = MotionBlock(seconds: duration, delay: delay, curve: options.curve)
        Stage.current.animate(block, options, animations, completion)
    }

    /// Moves what a block changes, slow at both ends.
    public class func animate(
        withDuration duration: TimeInterval,
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        animate(withDuration: duration, delay: 0, options: [], animations: animations, completion: completion)
    }

    /// Moves what a block changes; the spring is drawn as a motion that is slow at the end.
    public class func animate(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        usingSpringWithDamping dampingRatio: CGFloat,
        initialSpringVelocity velocity: CGFloat,
        options: AnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        guard
            onMain(
                self.animate(
                    withDuration: duration,
                    delay: delay,
                    usingSpringWithDamping: dampingRatio,
                    initialSpringVelocity: velocity,
                    options: options,
                    animations: animations,
                    completion: completion
                )
            )
        else { return }
        let block = MotionBlock(seconds: duration, delay: delay, curve: .easeOut)
        Stage.current.animate(block, options, animations, completion)
    }

    /// Moves what a block changes; the spring is drawn as a motion that is slow at the end.
    public class func animate(
        springDuration duration: TimeInterval = 0.5,
        bounce: CGFloat = 0.0,
        initialSpringVelocity: CGFloat = 0.0,
        delay: TimeInterval = 0.0,
        options: AnimationOptions = [],
        animations: () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        // A block that may be called now alone is called here: its changes go to the main thread one by one.
        guard onMain(Stage.current.end(after: 0, completion)) else { return animations() }
        let block = MotionBlock(seconds: duration, delay: delay, curve: .easeOut)
        Stage.current.animate(block, options, animations, completion)
    }

    // MARK: Transitions

    /// Moves what a block changes in a view; what cannot move, as a text or a picture, is there at once.
    public class func transition(
        with view: UIView,
        duration: TimeInterval,
        options: AnimationOptions = [],
        animations: (() -> Void)?,
        completion: ((Bool) -> Void)? = nil
    ) {
        guard
            onMain(
                self.transition(
                    with: view,
                    duration: duration,
                    options: options,
                    animations: animations,
                    completion: completion
                )
            )
        else { return }
        let block = MotionBlock(seconds: duration, delay: 0, curve: options.curve)
        Stage.current.animate(block, options, animations ?? {}, completion, isLasting: true)
    }

    /// Puts a view in the place of another, which is taken away, or hidden with `showHideTransitionViews`.
    ///
    /// The new one fades in, whatever the transition.
    public class func transition(
        from fromView: UIView,
        to toView: UIView,
        duration: TimeInterval,
        options: AnimationOptions = [],
        completion: ((Bool) -> Void)? = nil
    ) {
        guard
            onMain(
                self.transition(
                    from: fromView,
                    to: toView,
                    duration: duration,
                    options: options,
                    completion: completion
                )
            )
        else { return }
        let alpha = toView.alpha
        toView.alpha = 0
        if options.contains(.showHideTransitionViews) {
            fromView.isHidden = true
            toView.isHidden = false
        } else {
            if toView.superview == nil { fromView.superview?.insertSubview(toView, aboveSubview: fromView) }
            fromView.removeFromSuperview()
        }
        let block = MotionBlock(seconds: duration, delay: 0, curve: options.curve)
        Stage.current.animate(block, options, { toView.alpha = alpha }, completion, isLasting: true)
    }

    /// Lets views vanish, and takes them away when they have.
    public class func perform(
        _ animation: SystemAnimation,
        on views: [UIView],
        options: AnimationOptions = [],
        animations parallelAnimations: (() -> Void)?,
        completion: ((Bool) -> Void)? = nil
    ) {
        guard
            onMain(
                self.perform(
                    animation,
                    on: views,
                    options: options,
                    animations: parallelAnimations,
                    completion: completion
                )
            )
        else { return }
        animate(withDuration: 0.3, delay: 0, options: options) {
            for view in views { view.alpha = 0 }
            parallelAnimations?()
        } completion: { isFinished in
            for view in views { view.removeFromSuperview() }
            completion?(isFinished)
        }
    }

    // MARK: Without animation

    /// Runs a block whose changes do not move, inside an animation too.
    public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
        guard MainThread.isCurrent else { return actionsWithoutAnimation() }
        Stage.current.runStill(actionsWithoutAnimation)
    }

    /// True while animations move; completions come with the next turn otherwise.
    public class var areAnimationsEnabled: Bool { Stage.current.areAnimationsEnabled }

    /// Has animations move, or not.
    public class func setAnimationsEnabled(_ enabled: Bool) {
        guard onMain(self.setAnimationsEnabled(enabled)) else { return }
        Stage.current.areAnimationsEnabled = enabled
    }

    /// The seconds of the animation block that is under way; 0 outside of one.
    public class var inheritedAnimationDuration: TimeInterval { Stage.current.block?.seconds ?? 0 }

    /// Says how often the animations of a block repeat.
    public class func modifyAnimations(
        withRepeatCount count: CGFloat,
        autoreverses: Bool,
        animations: () -> Void
    ) {
        guard MainThread.isCurrent else { return animations() }
        let stage = Stage.current
        let block = stage.block ?? MotionBlock(seconds: 0, delay: 0, curve: .easeInOut)
        stage.repeat(block, rounds: Double(count), isReversed: autoreverses, animations)
    }
}

extension Stage {
    /// Runs an animation of Apple's API.
    ///
    /// `isLasting` has the completion come at the end though nothing has changed.
    func animate(
        _ block: MotionBlock,
        _ options: UIView.AnimationOptions,
        _ animations: () -> Void,
        _ completion: ((Bool) -> Void)?,
        isLasting: Bool = false
    ) {
        func changes() {
            animations()
            guard options.contains(.layoutSubviews) else { return }
            for window in windows { window.layoutIfNeeded() }
        }
        guard areAnimationsEnabled else {
            changes()
            return end(after: 0, completion)
        }
        if options.contains(.repeat) || options.contains(.autoreverse) {
            let isEndless = options.contains(.repeat)
            let isReversed = options.contains(.autoreverse)
            self.repeat(block, rounds: isEndless ? .infinity : 1, isReversed: isReversed, changes)
            // Apple's is over when somebody ends it.
            if !isEndless { end(after: block.delay + block.seconds * (isReversed ? 2 : 1), completion) }
            return
        }
        if let outer = self.block, !outer.isStill, !options.hasOwnTime {
            changes()
            return end(after: outer.wholeSeconds, completion)
        }
        let hasChanged = run(block.inside(self.block, options), changes)
        end(after: hasChanged || isLasting ? block.wholeSeconds : 0, completion)
    }

    /// Calls a completion after a time.
    func end(after seconds: Double, _ completion: ((Bool) -> Void)?) {
        guard let completion else { return }
        timeline.call(after: seconds) { completion(true) }
    }

    /// Runs a block whose changes do not move.
    func runStill(_ changes: () -> Void) {
        let wasEnabled = areAnimationsEnabled
        areAnimationsEnabled = false
        defer { areAnimationsEnabled = wasEnabled }
        guard isMoving || block != nil else { return changes() }
        var still = MotionBlock(seconds: 0, delay: 0, curve: .linear)
        still.isStill = true
        run(still, changes)
    }

    /// Runs a block whose changes the page makes and takes back again and again.
    func `repeat`(_ block: MotionBlock, rounds: Double, isReversed: Bool, _ changes: () -> Void) {
        guard areAnimationsEnabled, rounds > 0 else { return changes() }
        let motion = SceneMotion(
            seconds: min(block.seconds, SceneMotion.times.upperBound),
            curve: block.curve
        )
        var recordings = windows.map { MotionRecording($0) }
        blocks.append(block)
        changes()
        blocks.removeLast()
        for index in recordings.indices {
            let there = recordings[index].take()
            let here = recordings[index].finish()
            guard !here.isEmpty else { continue }
            var legs = [MotionPlay.Leg(start: block.delay, motion: motion, looks: there)]
            if isReversed { legs.append(.init(start: block.delay + block.seconds, motion: motion, looks: here)) }
            MotionPlay(
                in: recordings[index].window,
                of: self,
                from: here,
                legs,
                seconds: block.delay + block.seconds * (isReversed ? 2 : 1),
                rounds: rounds
            ).begin()
        }
    }
}

extension UIView.AnimationOptions {
    /// True for an animation that has its own time or curve inside another.
    fileprivate var hasOwnTime: Bool {
        !isDisjoint(with: [.overrideInheritedDuration, .overrideInheritedCurve, .overrideInheritedOptions])
    }
}

extension MotionBlock {
    /// The block inside another one, from which it takes what its options do not say.
    fileprivate func inside(_ outer: MotionBlock?, _ options: UIView.AnimationOptions) -> MotionBlock {
        guard let outer, !outer.isStill, !options.contains(.overrideInheritedOptions) else { return self }
        var block = self
        if !options.contains(.overrideInheritedDuration) { (block.seconds, block.delay) = (outer.seconds, outer.delay) }
        if !options.contains(.overrideInheritedCurve) { block.curve = outer.curve }
        return block
    }
}
