// SPDX-License-Identifier: Apache-2.0

/// Decides which partitions a session takes, keeps and gives back, from what the database says once a second.
///
/// A value without a clock and without a connection: it is told what is and what time it is, and returns what to do.
/// Every member decides for itself by the same rules. Two that decide otherwise, for one saw the members before the
/// other did, meet in the database, where one of them finds that the epoch has changed. Times are the host's own and
/// monotonic; none of them is compared with another machine's.
package struct FleetBoard: Sendable {
    /// The next thing for the session to do.
    package enum Step: Sendable, Equatable {
        /// Ask the database for partitions that `holder` had, and tell `took` what came of it.
        case take([FleetSnapshot.Holding], from: Int64?)
        /// Load what waits in these partitions, and start it.
        case begin([FleetSnapshot.Holding])
        /// Start nothing of these any more, and tell `areQuiet` when nothing of them is at work.
        case stop([Partition])
        /// Give back partitions of which nothing is at work, and tell `released` when they are, or were already.
        case release([Partition])
        /// Tell the database that the session ends, with what it still holds; the board is of no use any more.
        case depart
        /// Forget everything that is held, without a write, and join anew on a new connection; the board is of no use
        /// any more.
        case end(End)
    }

    package enum End: Sendable, Equatable {
        /// Another session has taken over, or another server is the primary than when this session began.
        case fenced
        /// The database was not heard of for so long that it is about to say so.
        case unheard
    }

    /// Rules in numbers.
    package struct Rules: Sendable {
        /// The lease that the session named when it joined.
        package var lease: Duration = .seconds(5)
        /// A session that hears nothing ends itself so long before its lease.
        package var margin: Duration = .seconds(2)
        /// A host that is not the first for a partition waits so long for each that is before it.
        package var courtesy: Duration = .seconds(2)
        /// A partition whose first host is another is given back after so long.
        package var patience: Duration = .seconds(30)
        /// Partitions that are given back together, but in a drain.
        package var movingAtOnce = 16
        /// A drain ends after so long, whatever is at work.
        package var drainLimit: Duration = .seconds(5)

        package init() {}
    }

    private enum Phase: Sendable {
        case working
        /// Another host is the first for the partition, since then.
        case another(since: Duration)
        case stopping
        case releasing

        /// True if pushes may start.
        var isWorking: Bool {
            switch self {
            case .working, .another: true
            case .stopping, .releasing: false
            }
        }
    }

    private struct Held: Sendable {
        let epoch: Int64
        var phase: Phase
    }

    private let session: Int64
    private let rules: Rules
    private var held: [Partition: Held] = [:]
    /// The last epoch of each partition that this session has given back: what is not newer is old news.
    private var past: [Partition: Int64] = [:]
    /// Since when each partition that nobody works on has been seen so, and in which epoch.
    private var orphans: [Partition: (since: Duration, epoch: Int64)] = [:]
    /// Partitions that were asked for, until the answer.
    private var asked: Set<Partition> = []
    private var ranking = PartitionRanking()
    /// The time at which the last beat that went well was sent.
    private var lastBeat: Duration
    private var drainEnd: Duration?
    private var hasEnded = false

    /// Makes the board of a session that has joined `now`.
    package init(session: Int64, rules: Rules = Rules(), now: Duration) {
        self.session = session
        self.rules = rules
        lastBeat = now
    }

    /// Partitions of which pushes may start.
    package var working: Set<Partition> {
        Set(held.filter { $0.value.phase.isWorking }.keys)
    }

    /// Every partition that the session holds, as far as it knows.
    package var holding: Set<Partition> { Set(held.keys) }

    // MARK: What the database says

    /// Takes in what the database answered to a beat that was sent at `sent`.
    package mutating func look(_ snapshot: FleetSnapshot, sent: Duration, now: Duration) -> [Step] {
        guard !hasEnded else { return [] }
        lastBeat = max(lastBeat, sent)
        let living = snapshot.members.filter { !$0.isDead }
        guard living.contains(where: { $0.session == session }) else { return end(.fenced) }
        // Where all leave, one of them works on: a host that an operator drains, if no other is there any more.
        let staying = living.filter { !$0.isLeaving }
        ranking.update(staying.isEmpty ? living : staying, session: session)
        let alive = Set(living.map(\.session))

        var steps: [Step] = []
        var found: [FleetSnapshot.Holding] = []
        var again: [Partition] = []
        var wanted: [Int64?: [FleetSnapshot.Holding]] = [:]
        for holding in snapshot.holdings {
            if holding.epoch <= past[holding.part] ?? -1 { continue }
            if let mine = held[holding.part] {
                switch mine.phase {
                case .releasing where holding.epoch > mine.epoch:
                    // The answer to a `release` was lost.
                    past[holding.part] = mine.epoch
                    held[holding.part] = nil
                case .releasing where holding.holder == session: again.append(holding.part)
                // What another has taken, with a newer epoch, was taken from a session that was fenced.
                case _ where holding.epoch > mine.epoch: return end(.fenced)
                default: break
                }
                continue
            }
            if holding.holder == session {
                // The answer to a `take` was lost.
                found.append(holding)
            } else if holding.holder.map({ !alive.contains($0) }) ?? true {
                if wants(holding, now: now) { wanted[holding.holder, default: []].append(holding) }
            } else {
                orphans[holding.part] = nil
            }
        }
        if !found.isEmpty { steps += begin(found) }
        for (holder, parts) in wanted.sorted(by: { $0.key ?? -1 < $1.key ?? -1 }) {
            asked.formUnion(parts.map(\.part))
            steps.append(.take(parts, from: holder))
        }
        if !again.isEmpty { steps.append(.release(again)) }
        return steps + move(now: now) + departIfEmpty() + tick(now: now)
    }

    /// Tells what came of a `take`: those that were taken; the others are somebody else's, or nothing is known.
    package mutating func took(_ taken: [FleetSnapshot.Holding], of parts: [FleetSnapshot.Holding]) -> [Step] {
        guard !hasEnded else { return [] }
        asked.subtract(parts.map(\.part))
        return begin(taken) + departIfEmpty()
    }

    private mutating func begin(_ parts: [FleetSnapshot.Holding]) -> [Step] {
        let new = parts.filter { held[$0.part] == nil && $0.epoch > past[$0.part] ?? -1 }
        for holding in new {
            held[holding.part] = Held(epoch: holding.epoch, phase: .working)
            orphans[holding.part] = nil
        }
        guard !new.isEmpty else { return [] }
        // What comes during a drain goes at once.
        return drainEnd == nil ? [.begin(new)] : [.begin(new)] + stop(new.map(\.part))
    }

    /// Returns whether a partition that nobody works on is to be taken by this session, and now.
    private mutating func wants(_ holding: FleetSnapshot.Holding, now: Duration) -> Bool {
        guard drainEnd == nil, !asked.contains(holding.part), let rank = ranking.rank(of: holding.part) else {
            return false
        }
        if orphans[holding.part]?.epoch != holding.epoch { orphans[holding.part] = (now, holding.epoch) }
        let since = orphans[holding.part]?.since ?? now
        return now - since >= rules.courtesy * rank
    }

    /// Gives back what others are the first for, some of it at a time; at once if this host is to take nothing.
    private mutating func move(now: Duration) -> [Step] {
        guard drainEnd == nil else { return [] }
        let patience = ranking.takesPart ? rules.patience : .zero
        var moving = held.values.count { if case .stopping = $0.phase { true } else { false } }
        var parts: [Partition] = []
        for part in held.keys.sorted() {
            switch held[part]?.phase {
            case .working where ranking.rank(of: part) != 0: held[part]?.phase = .another(since: now)
            case .another where ranking.rank(of: part) == 0: held[part]?.phase = .working
            case .another(let since) where now - since >= patience && moving < rules.movingAtOnce:
                moving += 1
                parts.append(part)
            default: break
            }
        }
        return stop(parts)
    }

    private mutating func stop(_ parts: [Partition]) -> [Step] {
        for part in parts { held[part]?.phase = .stopping }
        return parts.isEmpty ? [] : [.stop(parts)]
    }

    // MARK: What the session says

    /// Notes that nothing is at work any more of partitions that were to stop.
    package mutating func areQuiet(_ parts: [Partition]) -> [Step] {
        guard !hasEnded else { return [] }
        let stopped = parts.filter { if case .stopping = held[$0]?.phase { true } else { false } }
        for part in stopped { held[part]?.phase = .releasing }
        return stopped.isEmpty ? [] : [.release(stopped)]
    }

    /// Notes that the database has partitions back.
    package mutating func released(_ parts: [Partition]) -> [Step] {
        guard !hasEnded else { return [] }
        for part in parts {
            guard let gone = held.removeValue(forKey: part) else { continue }
            past[part] = gone.epoch
        }
        return departIfEmpty()
    }

    /// Begins to give back everything, and takes nothing any more.
    package mutating func drain(now: Duration) -> [Step] {
        guard !hasEnded, drainEnd == nil else { return [] }
        drainEnd = now + rules.drainLimit
        let parts = held.filter { $0.value.phase.isWorking }.keys.sorted()
        return stop(parts) + departIfEmpty()
    }

    /// Tells what time it is: a session that hears nothing ends itself, and a drain has an end.
    package mutating func tick(now: Duration) -> [Step] {
        guard !hasEnded else { return [] }
        if let drainEnd, now >= drainEnd { return depart() }
        return now - lastBeat >= max(rules.lease - rules.margin, rules.lease / 2) ? end(.unheard) : []
    }

    /// Notes that the database refused a write of this session.
    package mutating func wasFenced() -> [Step] { hasEnded ? [] : end(.fenced) }

    private mutating func departIfEmpty() -> [Step] {
        !hasEnded && drainEnd != nil && held.isEmpty && asked.isEmpty ? depart() : []
    }

    private mutating func depart() -> [Step] {
        hasEnded = true
        held = [:]
        return [.depart]
    }

    private mutating func end(_ end: End) -> [Step] {
        hasEnded = true
        held = [:]
        return [.end(end)]
    }
}
