// SPDX-License-Identifier: Apache-2.0

extension Roster {
    /// What is to be done next for an app; asked again until there is nothing.
    enum Step: Equatable {
        /// The first notification that waits goes to this worker.
        case give(to: UInt64)
        case start
        /// This worker of another app ends at once, to make room; the start follows its end.
        case evict(UInt64)
        /// This worker has served as often as it may.
        case retire(UInt64)
    }

    /// Decides by one rule for both kinds of isolation: a worker that has served takes more as long as its terms allow;
    /// beside those that serve, every app has one worker that never has, the spare.
    ///
    /// So the death, the recycling or the isolation of a worker costs the next notification no start, and an idle app
    /// keeps one fresh process. An app never has more notifications open than its configuration says. The first worker
    /// of an app may evict an idle one of another; further ones take only room that no app without a worker could claim,
    /// so that no app crowds out another, however long its extensions hang.
    mutating func nextStep(for app: Int, waiting: Int, now: Duration) -> Step? {
        let step = wantedStep(for: app, waiting: waiting, now: now)
        guard step == .start, orderCount >= Self.orderLimit else { return step }
        postpone(app, isUrgent: waiting > 0)
        return nil
    }

    private mutating func wantedStep(for app: Int, waiting: Int, now: Duration) -> Step? {
        let staff = staffs[app]
        if let spent = staff.members.first(where: { $0.stage == .ready && $0.servedCount >= staff.terms.servedLimit }) {
            return .retire(spent.serial)
        }
        let places = max(0, min(waiting, staff.terms.maxConcurrentRequests - staff.openCount))
        if places > 0, let worker = staff.receptive { return .give(to: worker.serial) }
        guard now >= staff.notBefore else { return nil }
        let perWorker = staff.terms.requestsPerWorker
        let needed = (places + perWorker - 1) / perWorker
        let unused = staff.unusedCount
        if needed > unused { return stepTowardsStart(of: app) }
        hungry.removeAll { $0 == app }
        guard staff.wantsSpare, needed == 0, unused == 0, hasRoomToSpare(for: app) else { return nil }
        return .start
    }

    /// Workers that have had nothing to do for so long that the app is served by its spare from now on.
    func idleWorkers(now: Duration, after limit: Duration = .seconds(60)) -> [(app: Int, serial: UInt64)] {
        staffs.indices.flatMap { app in
            staffs[app].members
                .filter { $0.stage == .ready && $0.servedCount > 0 && now - $0.idleSince >= limit }
                .map { (app, $0.serial) }
        }
    }

    private mutating func stepTowardsStart(of app: Int) -> Step? {
        if !staffs[app].isVacant { return hasRoomToSpare(for: app) ? .start : nil }
        let claim = hungry.firstIndex(of: app) ?? hungry.count
        if processCount + claim < processLimit { return .start }
        if claim == hungry.count { hungry.append(app) }
        // Places that are being cleared go to the apps in the order of their need.
        let leaving = staffs.reduce(0) { $0 + $1.members.count(where: \.isEvicted) }
        return leaving > claim ? nil : leastRecentlyUsed.map { .evict($0) }
    }

    /// Room beyond one worker for every app.
    private func hasRoomToSpare(for app: Int) -> Bool {
        let vacant = staffs.indices.count { $0 != app && staffs[$0].isVacant }
        return hungry.isEmpty && processCount + (staffs[app].isVacant ? 0 : vacant) < processLimit
    }

    /// An idle worker of the app that can miss it best: one of several before an only one, then whose last use is
    /// longest ago.
    private var leastRecentlyUsed: UInt64? {
        let candidates = staffs.filter { staff in staff.members.contains { $0.stage == .ready } }
        let best = candidates.min { ($0.liveCount > 1 ? 0 : 1, $0.lastUse) < ($1.liveCount > 1 ? 0 : 1, $1.lastUse) }
        return best?.members.filter { $0.stage == .ready }.min { $0.servedCount < $1.servedCount }?.serial
    }
}

extension Roster.Staff {
    var openCount: Int { members.reduce(0) { $0 + $1.openCount } }

    /// No worker that serves or will.
    var isVacant: Bool { liveCount == 0 }

    /// A worker that is past its start.
    var hasWorker: Bool {
        members.contains { member in
            switch member.stage {
            case .ready, .serving: true
            case .starting, .retiring: false
            }
        }
    }

    fileprivate var liveCount: Int { members.count { !$0.isRetiring } }

    /// Started, and not given anything yet.
    fileprivate var unusedCount: Int { members.count { !$0.isRetiring && $0.servedCount == 0 } }

    /// Who takes the next notification: the busiest that has room, and of the unused the oldest.
    fileprivate var receptive: Roster.Member? {
        members.filter { $0.hasRoom(under: terms) }.max { $0.servedCount < $1.servedCount }
    }
}

extension Roster.Member {
    var openCount: Int {
        switch stage {
        case .starting, .ready: 0
        case .serving(let open), .retiring(let open): open
        }
    }

    var isRetiring: Bool {
        if case .retiring = stage { true } else { false }
    }

    fileprivate func hasRoom(under terms: Roster.Terms) -> Bool {
        switch stage {
        case .starting, .retiring: false
        case .ready, .serving: openCount < terms.requestsPerWorker && servedCount < terms.servedLimit
        }
    }
}
