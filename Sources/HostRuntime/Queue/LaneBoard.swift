// SPDX-License-Identifier: Apache-2.0

/// Decides which pushes are in memory, which of them are at work, and who is next.
///
/// A device's pushes of one topic are a lane: first accepted, first started, one at a time. Of a topic so many lanes
/// are at work together; those that wait get their turns by the priority of their first push, then in the order of
/// asking. Of a topic so many pushes are in memory; once one of them had to stay on the disk, all later ones do, until
/// the disk has no more: so the order holds.
struct LaneBoard {
    private struct Lane {
        var waiting = Backlog<IncomingPush>()
        var isAtWork = false
    }

    private struct Topic {
        /// Pushes that are in memory, at work or not.
        var loaded = 0
        /// All up to this number were in memory.
        var lastLoaded: Int64 = 0
        /// There are later ones on the disk.
        var hasMore = false
        var isLoading = false
        /// True if something came while it was loading, which the answer may not have.
        var wasAnnounced = false
        var lanesAtWork = 0
        var ready = ReadyLanes()
    }

    private let limits: QueueLimits
    private var lanes: [LaneKey: Lane] = [:]
    private var topics: [String: Topic] = [:]
    private var loadedByteCount = 0
    private(set) var lanesAtWork = 0
    private(set) var loaded = 0

    init(limits: QueueLimits) {
        self.limits = limits
    }

    /// Takes in a push that was stored after all others; nil when its lane is at work or waits for a turn.
    mutating func stored(_ push: IncomingPush) -> IncomingPush? {
        if topics[push.topic]?.hasMore != true {
            if mayLoad(push.topic) { return load(push) }
            topics[push.topic, default: Topic()].hasMore = true
            // What came before was in memory, concluded or not.
            topics[push.topic]?.lastLoaded = (push.number ?? 1) - 1
        }
        return nil
    }

    /// Pushes of this topic are on the disk, and were not taken in when they were stored.
    mutating func takeUp(topic: String) {
        topics[topic, default: Topic()].hasMore = true
        if topics[topic]?.isLoading == true { topics[topic]?.wasAnnounced = true }
    }

    /// A wish to read of a topic: pushes behind a number, so many at most.
    struct Load {
        let topic: String
        let after: Int64
        let limit: Int
    }

    /// Begins to read more of a topic; nil for nothing to read or no room.
    mutating func nextLoad(of topic: String) -> Load? {
        guard wantsLoad(topic), let known = topics[topic] else { return nil }
        topics[topic]?.isLoading = true
        topics[topic]?.wasAnnounced = false
        return Load(topic: topic, after: known.lastLoaded, limit: max(1, min(256, limits.loadedPerTopic / 2)))
    }

    /// Every topic of which something is on the disk only.
    var topicsOnDisk: [String] { topics.filter(\.value.hasMore).map(\.key) }

    /// Takes in what was read, and returns those that start now.
    mutating func loaded(_ pushes: [IncomingPush], by reading: Load) -> [IncomingPush] {
        topics[reading.topic]?.isLoading = false
        let mayHaveMore = pushes.count == reading.limit || topics[reading.topic]?.wasAnnounced == true
        if !mayHaveMore { topics[reading.topic]?.hasMore = false }
        return pushes.compactMap { load($0) }
    }

    /// Undoes `nextLoad(of:)` after the journal could not be read.
    mutating func notLoaded(_ reading: Load) {
        topics[reading.topic]?.isLoading = false
    }

    /// Takes out a push that is at work, and returns the next that starts in its place.
    mutating func finished(_ push: IncomingPush, startsNext: Bool) -> IncomingPush? {
        loaded -= 1
        loadedByteCount -= push.payloadByteCount
        topics[push.topic]?.loaded -= 1
        endTurn(of: push)
        return startsNext ? nextTurn(of: push.topic) : nil
    }

    /// Takes out what waits of a partition, and returns it; what is at work of it goes on.
    ///
    /// Somebody else keeps from being loaded what is on the disk only.
    mutating func release(_ partition: Int16) -> [IncomingPush] {
        var released: [IncomingPush] = []
        for (key, lane) in lanes {
            // A lane is one device's, so all of its pushes are of one partition.
            guard let first = lane.waiting.first, first.partition == partition else { continue }
            let pushes = lanes[key]?.waiting.removeAll() ?? []
            loaded -= pushes.count
            loadedByteCount -= pushes.reduce(0) { $0 + $1.payloadByteCount }
            topics[key.topic]?.loaded -= pushes.count
            if !lane.isAtWork {
                lanes[key] = nil
                topics[key.topic]?.ready.remove(key)
                forgetIfEmpty(key.topic)
            }
            released += pushes
        }
        return released
    }

    /// Returns whether something of the topic is on the disk only, and there is room for it.
    func wantsLoad(_ topic: String) -> Bool {
        guard let known = topics[topic], known.hasMore, !known.isLoading else { return false }
        return known.loaded <= limits.loadedPerTopic / 2 && mayLoad(topic)
    }

    private func mayLoad(_ topic: String) -> Bool {
        let count = topics[topic]?.loaded ?? 0
        return count < limits.loadedPerTopic && (loadedByteCount < limits.loadedByteCount || count < 64)
    }

    private mutating func load(_ push: IncomingPush) -> IncomingPush? {
        loaded += 1
        loadedByteCount += push.payloadByteCount
        topics[push.topic, default: Topic()].loaded += 1
        topics[push.topic]?.lastLoaded = push.number ?? 0
        let key = push.laneKey
        lanes[key, default: Lane()].waiting.append(push)
        guard let lane = lanes[key], !lane.isAtWork, lane.waiting.count == 1 else { return nil }
        topics[push.topic]?.ready.append(key, push.priority)
        return nextTurn(of: push.topic)
    }

    private mutating func endTurn(of push: IncomingPush) {
        let key = push.laneKey
        lanesAtWork -= 1
        topics[push.topic]?.lanesAtWork -= 1
        lanes[key]?.isAtWork = false
        if let next = lanes[key]?.waiting.first {
            topics[push.topic]?.ready.append(key, next.priority)
        } else {
            lanes[key] = nil
        }
    }

    private mutating func nextTurn(of topic: String) -> IncomingPush? {
        guard let known = topics[topic] else { return nil }
        guard known.lanesAtWork < limits.lanesPerTopic, let key = topics[topic]?.ready.popFirst() else {
            forgetIfEmpty(topic)
            return nil
        }
        topics[topic]?.lanesAtWork += 1
        lanesAtWork += 1
        lanes[key]?.isAtWork = true
        return lanes[key]?.waiting.popFirst()
    }

    private mutating func forgetIfEmpty(_ topic: String) {
        guard let known = topics[topic], known.loaded == 0, !known.hasMore, !known.isLoading else { return }
        topics[topic] = nil
    }
}

/// The key of a lane: one device's pushes of one topic.
private struct LaneKey: Hashable {
    let deviceToken: String
    let topic: String
}

/// Lanes that wait for a turn: by priority, then first come, first served.
private struct ReadyLanes {
    private var immediate = Backlog<LaneKey>()
    private var powerAware = Backlog<LaneKey>()
    private var low = Backlog<LaneKey>()

    mutating func append(_ lane: LaneKey, _ priority: PushPriority) {
        switch priority {
        case .immediate: immediate.append(lane)
        case .powerAware: powerAware.append(lane)
        case .low: low.append(lane)
        }
    }

    mutating func popFirst() -> LaneKey? {
        immediate.popFirst() ?? powerAware.popFirst() ?? low.popFirst()
    }

    /// Takes out a lane, which waits for one turn at most.
    mutating func remove(_ lane: LaneKey) {
        immediate.remove { $0 == lane }
        powerAware.remove { $0 == lane }
        low.remove { $0 == lane }
    }
}

extension IncomingPush {
    /// Topics are kept apart, with the suffix that those of calls have: its push type may say otherwise.
    fileprivate var laneKey: LaneKey { LaneKey(deviceToken: deviceToken, topic: topic) }
}
