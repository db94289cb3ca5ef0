// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// An animation on its layer.
@MainActor final class RunningAnimation {
    let key: String?
    let animation: CAAnimation
    var play: LayerPlay?
    /// The calls of the timeline that are to come.
    var calls: [UInt64] = []

    init(_ animation: CAAnimation, key: String?) {
        self.animation = animation
        self.key = key
    }
}

extension CALayer {
    /// The animations that a layer runs at once; the oldest one goes beyond.
    private static let animationLimit = 32

    /// Runs an animation, in the place of one of the same key.
    ///
    /// The page draws it as ways from value to value, and the layer has its own values before and behind it.
    /// `fillMode` keeps the last ones on an animation that stays. An animation that repeats is drawn if its ways take
    /// 50 milliseconds or more. Not drawn are what a person does not want who asks for less motion, and what runs
    /// beside 16 others; beginning and end are told all the same.
    public func add(_ anim: CAAnimation, forKey key: String?) {
        guard onMain(self.add(anim, forKey: key)) else { return }
        if let key { removeAnimation(forKey: key) }
        if extras.animations.count >= Self.animationLimit, let oldest = extras.animations.first { remove(oldest) }
        let stage = Stage.current
        let running = RunningAnimation(anim, key: key)
        extras.animations.append(running)
        let way = anim.roundSeconds(usual: stage.transaction?.duration ?? LayerTransaction.usualSeconds)
        let rounds = anim.timing.rounds(of: way)
        let delay = anim.beginTime > 0 ? max(0, anim.beginTime - stage.timeline.seconds) : 0
        let whole = delay + way * (anim.autoreverses ? 2 : 1) * rounds
        stage.noteEnd(after: whole)
        let begin: @MainActor () -> Void = { [weak self, weak running] in
            guard let self, let running else { return }
            self.play(running, way: way, rounds: rounds)
        }
        if delay > 0 { running.calls.append(stage.timeline.call(after: delay, begin)) } else { begin() }
        running.calls.append(
            stage.timeline.call(after: delay) { [weak running] in
                guard let animation = running?.animation else { return }
                animation.delegate?.animationDidStart(animation)
            }
        )
        guard whole.isFinite else { return }
        running.calls.append(
            stage.timeline.call(after: whole) { [weak self, running] in
                self?.end(running)
                running.animation.delegate?.animationDidStop(running.animation, finished: true)
            }
        )
    }

    private func play(_ running: RunningAnimation, way: Double, rounds: Double) {
        let animation = running.animation
        let fills = animation.fillMode == .forwards || animation.fillMode == .both
        running.play = LayerPlay(
            on: self,
            of: Stage.current,
            way: way,
            isReversed: animation.autoreverses,
            rounds: rounds,
            isKept: fills && !animation.isRemovedOnCompletion
        ) { [weak self] in
            self.map { animation.tracks(on: $0, seconds: way) } ?? []
        }
        if running.play?.begin() == false { changed() }
    }

    /// Takes in that an animation is over by itself.
    private func end(_ running: RunningAnimation) {
        running.calls = []
        guard running.animation.isRemovedOnCompletion else { return }
        extras.animations.removeAll { $0 === running }
        if running.play?.values != nil { running.play?.stop() }
    }

    /// Takes an animation away, whose delegate hears that it did not finish.
    private func remove(_ running: RunningAnimation) {
        extras.animations.removeAll { $0 === running }
        running.play?.stop()
        let isOver = running.calls.isEmpty
        let stage = Stage.current
        for call in running.calls { stage.timeline.cancel(call) }
        guard !isOver else { return }
        let animation = running.animation
        stage.timeline.call(after: 0) { animation.delegate?.animationDidStop(animation, finished: false) }
    }

    /// Takes the animation of a key away.
    public func removeAnimation(forKey key: String) {
        guard onMain(self.removeAnimation(forKey: key)) else { return }
        for running in extras.animations where running.key == key { remove(running) }
    }

    /// Takes all animations away, those of `UIView.animate` that repeat too.
    public func removeAllAnimations() {
        guard onMain(self.removeAllAnimations()) else { return }
        for running in extras.animations { remove(running) }
        shownIn?.motion.unmask([sceneID])
        changed()
    }

    /// The keys of the animations, in the order in which they were added; `nil` without one.
    public func animationKeys() -> [String]? {
        let keys = extras.animations.compactMap(\.key)
        return keys.isEmpty ? nil : keys
    }

    /// The animation of a key, if there is one.
    public func animation(forKey key: String) -> CAAnimation? {
        extras.animations.last { $0.key == key }?.animation
    }

    /// The action at a change: none, since a layer changes at once.
    public func action(forKey event: String) -> (any CAAction)? { nil }

    /// The values that animations give the layer now.
    var animatedValues: [(AnimatedProperty, [Double])] { extras.animations.flatMap { $0.play?.values ?? [] } }
}
