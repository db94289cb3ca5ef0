// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// Looks that nodes go through one after the other: the keyframes of an animation, or the ways of one that repeats.
///
/// A node whose own look is changed meanwhile leaves the play and shows that. The play ends by itself once it has no
/// node left.
@MainActor final class MotionPlay {
    /// The way to looks, that begins so many seconds after the play.
    struct Leg {
        var start: Double
        var motion: SceneMotion?
        var looks: [UInt32: SceneLook]
    }

    /// The plays of a stage that run at once; more of them would tell the page more than it draws.
    static let limit = 16
    /// The shortest time from leg to leg in a play that repeats, so that the page is told 20 a second at most.
    private static let leastSeconds = 0.05

    private weak var window: UIWindow?
    private let stage: Stage
    /// The looks at the beginning of each round.
    private let first: [UInt32: SceneLook]
    private let legs: [Leg]
    /// The seconds of a round.
    private let seconds: Double
    private var roundsLeft: Double

    init(
        in window: UIWindow,
        of stage: Stage,
        from first: [UInt32: SceneLook],
        _ legs: [Leg],
        seconds: Double,
        rounds: Double = 1
    ) {
        self.window = window
        self.stage = stage
        self.first = first
        self.legs = legs.sorted { $0.start < $1.start }
        self.seconds = seconds
        roundsLeft = rounds
    }

    /// True if the page can be told of the play: not too often, and not for a person who wants less motion.
    private var isPlayable: Bool {
        guard !Surroundings.environment.reducedMotion, seconds > 0 else { return false }
        return roundsLeft <= 1 || seconds / Double(max(1, legs.count)) >= Self.leastSeconds
    }

    /// Begins; nodes are masked with their first looks already.
    func begin() {
        guard isPlayable, stage.takePlay() else { return stop() }
        play(0, at: 0)
    }

    /// Shows the nodes as they are, at once.
    func stop() {
        window?.motion.unmask(first.keys)
        window?.sceneChanged()
    }

    /// Goes on with a leg, at so many seconds of the round.
    private func play(_ index: Int, at seconds: Double) {
        guard let window, first.keys.contains(where: { window.motion.maskedLook(of: $0) != nil }) else {
            return leave()
        }
        guard index < legs.count else {
            return wait(self.seconds - seconds) { [self] in endRound() }
        }
        wait(legs[index].start - seconds) { [self] in
            show(legs[index].looks, legs[index].motion)
            play(index + 1, at: legs[index].start)
        }
    }

    private func endRound() {
        roundsLeft -= 1
        guard roundsLeft > 0 else {
            leave()
            return stop()
        }
        show(first, nil)
        play(0, at: 0)
    }

    private func leave() { stage.playCount -= 1 }

    private func wait(_ seconds: Double, _ body: @escaping @MainActor () -> Void) {
        if seconds > 0 { stage.timeline.call(after: seconds, body) } else { body() }
    }

    /// Gives the nodes that are still in the play other looks.
    private func show(_ looks: [UInt32: SceneLook], _ motion: SceneMotion?) {
        guard let window else { return }
        window.seal(nil)
        for (id, look) in looks {
            if let own = window.motion.maskedLook(of: id) { window.motion.mask(id, own: own, with: look) }
        }
        window.sceneChanged()
        window.seal(motion)
    }
}

/// The looks that nodes of a window get while code runs, before the page is told.
@MainActor struct MotionRecording {
    let window: UIWindow
    private let before: [UInt32: SceneLook]
    private var step: WindowMotion.Step?
    private var own: [UInt32: SceneLook] = [:]

    /// Begins with the window as it is.
    init(_ window: UIWindow) {
        self.window = window
        window.seal(nil)
        before = Dictionary(uniqueKeysWithValues: window.drawnNodes.map { ($0.id, SceneLook($0)) })
    }

    /// Returns the looks that have changed since the last call, of nodes that were there at the beginning.
    mutating func take() -> [UInt32: SceneLook] {
        guard let next = window.difference() else { return [:] }
        step?.take(next)
        step = step ?? next
        var changed: [UInt32: SceneLook] = [:]
        for node in next.set where before[node.id] != nil { changed[node.id] = SceneLook(node) }
        own.merge(changed) { $1 }
        return changed
    }

    /// True if something has changed that is shown.
    var hasChanged: Bool { step != nil }

    /// Masks all that has changed with its look of the beginning, has the page told, and returns those looks.
    mutating func finish() -> [UInt32: SceneLook] {
        let first = before.filter { own[$0.key] != nil }
        for (id, look) in first { if let own = own[id] { window.motion.mask(id, own: own, with: look) } }
        window.sceneChanged()
        if let next = window.difference() {
            step?.take(next)
            step = step ?? next
        }
        if let step { window.motion.add(step) }
        window.sceneChanged()
        return first
    }
}
