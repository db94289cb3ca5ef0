// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// The values that an animation gives a layer one after the other, by the timeline.
///
/// The first ones are there at once. The page is told of the way to the next ones once it has the first.
@MainActor final class LayerPlay {
    private struct Leg {
        var start: Double
        var end: Double
        var curve: SceneMotion.Curve
        var isJump: Bool
        var values: [(AnimatedProperty, [Double])]
    }

    /// The ways of one round.
    private static let legLimit = 256
    /// The shortest mean time from way to way in an animation that repeats.
    private static let leastSeconds = 0.05

    private weak var layer: CALayer?
    private let stage: Stage
    private let makeTracks: () -> [AnimationTrack]
    private var first: [(AnimatedProperty, [Double])] = []
    private var legs: [Leg] = []
    /// The seconds of one way.
    private let way: Double
    private let isReversed: Bool
    private var roundsLeft: Double
    private let isKept: Bool
    private var call: UInt64?
    private var isOver = false
    /// The values that the layer is drawn with; `nil` means its own.
    private(set) var values: [(AnimatedProperty, [Double])]?

    /// A play of tracks in rounds of so many seconds, there and back if it is reversed.
    ///
    /// The tracks are asked for when the play begins and once more when the turn is over, because what is set behind
    /// the animation in one turn counts as the layer's own.
    init(
        on layer: CALayer,
        of stage: Stage,
        way: Double,
        isReversed: Bool,
        rounds: Double,
        isKept: Bool,
        tracks makeTracks: @escaping () -> [AnimationTrack]
    ) {
        self.layer = layer
        self.stage = stage
        self.way = way
        self.isReversed = isReversed
        roundsLeft = rounds
        self.isKept = isKept
        self.makeTracks = makeTracks
    }

    /// The seconds of a round.
    private var seconds: Double { way * (isReversed ? 2 : 1) }

    /// Makes the ways of a round; false if there are none.
    private func makeLegs() -> Bool {
        let (tracks, way) = (makeTracks(), way)
        guard !tracks.isEmpty, way > 0 else { return false }
        let inner = tracks.flatMap { $0.points.map(\.time) }.filter { $0 > 0 && $0 < way - 1e-9 }
        let times = [0] + Set(inner).sorted().prefix(Self.legLimit) + [way]
        let isJump = tracks.allSatisfy(\.isDiscrete)
        func values(at time: Double) -> [(AnimatedProperty, [Double])] {
            tracks.map { ($0.property, $0.value(at: time)) }
        }
        let ways = Array(zip(times, times.dropFirst()))
        first = values(at: 0)
        legs = ways.map { from, to in
            let curve = tracks.count == 1 || times.count == 2 ? tracks[0].curve(to: to) : .linear
            return Leg(start: from, end: to, curve: curve, isJump: isJump, values: values(at: to))
        }
        guard isReversed else { return true }
        let back = zip(ways, legs).reversed().map { times, leg in
            Leg(
                start: 2 * way - times.1,
                end: 2 * way - times.0,
                curve: leg.curve.reversed,
                isJump: isJump,
                values: values(at: times.0)
            )
        }
        legs += back
        return true
    }

    /// Gives the layer the first values, and begins with the next drawing; false if the page is not told of the play.
    func begin() -> Bool {
        let hasLegs = makeLegs()
        let isRare = roundsLeft <= 1 || seconds / Double(max(1, legs.count)) >= Self.leastSeconds
        guard hasLegs, let window = layer?.shownIn, isRare, !Surroundings.environment.reducedMotion, stage.takePlay()
        else {
            if isKept { values = legs.last?.values }
            isOver = true
            return false
        }
        values = first
        window.motion.waiting.append { [self] in
            if makeLegs() { play(0, at: 0) } else { leave() }
        }
        layer?.changed()
        return true
    }

    /// Gives the layer its own values again.
    func stop() {
        if let call { stage.timeline.cancel(call) }
        leave()
        values = nil
        layer?.changed()
    }

    /// Goes on with a way, at so many seconds of the round.
    private func play(_ index: Int, at seconds: Double) {
        guard !isOver, layer != nil else { return leave() }
        guard index < legs.count else {
            return wait(self.seconds - seconds) { [self] in endRound() }
        }
        let leg = legs[index]
        wait((leg.isJump ? leg.end : leg.start) - seconds) { [self] in
            let motion = SceneMotion(
                seconds: min(leg.end - leg.start, SceneMotion.times.upperBound),
                curve: leg.curve
            )
            show(leg.values, leg.isJump ? nil : motion)
            play(index + 1, at: leg.isJump ? leg.end : leg.start)
        }
    }

    private func endRound() {
        roundsLeft -= 1
        guard roundsLeft > 0 else {
            leave()
            if !isKept { show(nil, nil) }
            return
        }
        show(first, nil)
        play(0, at: 0)
    }

    private func leave() {
        if !isOver { stage.playCount -= 1 }
        isOver = true
    }

    private func wait(_ seconds: Double, _ body: @escaping @MainActor () -> Void) {
        call = nil
        if seconds > 0 { call = stage.timeline.call(after: seconds, body) } else { body() }
    }

    private func show(_ values: [(AnimatedProperty, [Double])]?, _ motion: SceneMotion?) {
        let window = layer?.shownIn
        window?.seal(nil)
        self.values = values
        layer?.changed()
        window?.seal(motion)
    }
}

extension SceneMotion.Curve {
    fileprivate var reversed: SceneMotion.Curve {
        switch self {
        case .easeIn: .easeOut
        case .easeOut: .easeIn
        case .linear, .easeInOut: self
        }
    }
}

extension CALayer {
    /// The window that shows the layer.
    var shownIn: UIWindow? {
        var layer = self
        while layer.owner == nil, let above = layer.superlayer { layer = above }
        return layer.owner?.window
    }
}
