// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// Lets 30 scenes a second through that answer no event, 60 at once; the others are merged into one that comes later.
///
/// A pure value. A scene that answers an event is let through at once, with what was held. A merged update is made from
/// the scene itself: every node that is not as the other side knows it, and the nodes that it knows and that are gone.
/// One that makes the whole box brighter or darker waits as well beyond three of them a second: a view that nobody
/// works does not flicker.
struct SceneThrottle {
    /// The span after which what is held may go.
    static let interval = Duration.milliseconds(34)

    private var bucket = TokenBucket(capacity: 60, perSecond: 30)
    /// Scenes that nobody sees: as many as two views would make that move all the time.
    private var vain = TokenBucket(capacity: 10_000, perSecond: 60)
    /// Changes of the brightness of the whole box.
    private var changes = TokenBucket(capacity: 3, perSecond: 3)
    private var acknowledged: UInt64 = 0
    /// The scene as the other side has it.
    private var told = SceneTree()
    /// The parts beside nodes of the updates that are held; `nil` means that none is.
    private var beside: SceneUpdate?

    /// True if an update waits.
    var holds: Bool { beside != nil }

    /// Too much that nobody can see.
    struct Chatter: Error {}

    /// Returns the update that goes out now, of a scene that has taken it; `nil` means that it is held.
    mutating func take(_ update: SceneUpdate, of scene: SceneTree, now: Duration) throws(Chatter) -> SceneUpdate? {
        let isAnswer = update.acknowledged.map { $0 > acknowledged } ?? false
        if let seq = update.acknowledged { acknowledged = max(acknowledged, seq) }
        let mayGo = isAnswer || (bucket.take(now: now) && mayBeSeen(scene, now: now))
        if mayGo, beside == nil {
            told = scene
            return update
        }
        try hold(update)
        if mayGo { return release(of: scene) }
        guard vain.take(now: now) else { throw Chatter() }
        return nil
    }

    /// Returns what is held, if it may go now.
    mutating func release(of scene: SceneTree, now: Duration) -> SceneUpdate? {
        guard beside != nil, bucket.take(now: now), mayBeSeen(scene, now: now) else { return nil }
        return release(of: scene)
    }

    /// Returns what is held, whatever the time; `nil` when nothing is.
    mutating func release(of scene: SceneTree) -> SceneUpdate? {
        guard var update = beside.take() else { return nil }
        // Parents come before their children, as the scene has them.
        update.set = scene.inOrder.filter { told[$0.id] != $0 }
        update.gone = told.ids.filter { scene[$0] == nil }.sorted()
        told = scene
        return update
    }

    /// True if a scene is as bright as the one that the other side has, or may be another one now.
    private mutating func mayBeSeen(_ scene: SceneTree, now: Duration) -> Bool {
        guard !told.isEmpty, SceneBrightness(scene).differs(from: SceneBrightness(told)) else { return true }
        return changes.take(now: now)
    }

    /// Keeps what stands beside nodes, within the bounds of one update.
    private mutating func hold(_ update: SceneUpdate) throws(Chatter) {
        var held = beside ?? SceneUpdate()
        held.takeBeside(update)
        guard held.calls.count <= SceneLimits.callCount else { throw Chatter() }
        beside = held
    }
}
