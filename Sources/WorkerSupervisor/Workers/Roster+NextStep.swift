// SPDX-License-Identifier: Apache-2.0

extension Roster {
    /// The next step for an app; asked for again until there is none.
    enum Step: Equatable {
        /// The first notification that waits goes to this worker.
        case give(to: UInt64)
        case start
        /// This worker of another app ends at once, to make room; the start follows its end.
        case evict(UInt64)
        /// This worker has served as often as it may.
        case retire(UInt64)
    }

    /// The time in which no worker of an app takes or ends a notification before the spare takes the one that waits.
    ///
    /// Longer than fast extensions take, of which one worker serves thousands a second, and than a start.
    static let standstill = Duration.milliseconds(50)
    /// The time for which a notification waits behind others before the spare takes it, although the line moves.
    ///
    /// Longer than a crowd of 256 devices waits for an extension of a fraction of a millisecond.
    static let patience = Duration.milliseconds(250)

    /// The time of a completion up to which a worker is quick: behind the next request of a quick one others wait in
    /// the worker's hands, and are asked back when that takes longer.
    ///
    /// Longer than a busy machine keeps a fast worker or the host from its turn, and shorter than the standstill after
    /// which another worker takes what waits.
    static let quickness = Duration.milliseconds(20)
    /// The most requests that a worker is given beyond those that it works on.
    static let aheadLimit = 7

    /// Decides by one rule for both kinds of isolation: a worker that has served takes more as long as its terms allow;
    /// beside those that serve, every app has one worker that never has, the spare.
    ///
    /// The death, the recycling or the isolation of a worker thus costs the next notification no start, and an idle app
    /// keeps one fresh process. An app grows through its spare: when time shows that those who serve are not enough,
    /// the spare takes the notification that has waited longest, and another spare is started. The first worker of an
    /// app may evict an idle one of another; further ones take only room that no app without a worker could claim, so
    /// that no app crowds out another, however long its extensions hang.
    mutating func nextStep(for app: Int, _ demand: Demand, now: Duration) -> Step? {
        let step = wantedStep(for: app, demand, now: now)
        guard step == .start, orderCount >= Self.orderLimit else { return step }
        postpone(app, isUrgent: demand.count > 0 && staffs[app].isVacant)
        return nil
    }

    private mutating func wantedStep(for app: Int, _ demand: Demand, now: Duration) -> Step? {
        let staff = staffs[app]
        let waiting = demand.count
        if let spent = staff.members.first(where: { $0.stage == .ready && $0.servedCount >= staff.terms.servedLimit }) {
            return .retire(spent.serial)
        }
        if waiting > 0 {
            if let worker = staff.receptive { return .give(to: worker.serial) }
            if demand.mayGoAhead, let worker = staff.receptiveAhead { return .give(to: worker.serial) }
            if let spare = staff.readySpare, mayGrow(staff, since: demand.since ?? now, now: now) {
                return .give(to: spare.serial)
            }
        }
        // Who pauses claims no place meanwhile.
        if waiting == 0 || !staff.isVacant || now < staff.notBefore { hungry.removeAll { $0 == app } }
        guard now >= staff.notBefore else { return nil }
        if waiting > 0, staff.isVacant { return stepTowardsStart(of: app) }
        guard staff.wantsSpare || waiting > 0, staff.unusedCount == 0, hasRoomToSpare(for: app) else { return nil }
        return .start
    }

    /// Tells whether another worker is to serve beside those that do.
    ///
    /// More workers than cores help where extensions wait, for a network mostly, and not where they compute: an app
    /// whose workers keep all cores busy gets no further one. A worker that computes for long is lowered and retires,
    /// and is not counted any more, so that endless loops hold up nobody.
    private func mayGrow(_ staff: Staff, since: Duration, now: Duration) -> Bool {
        guard staff.crewCount > 0 else { return true }
        guard leavesWorker(to: staff), staff.burningCount < bounds.processors else { return false }
        guard staff.isReturning else { return true }
        return now - max(since, staff.lastUse) >= Self.standstill || now - since >= Self.patience
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
        let claim = hungry.firstIndex(of: app) ?? hungry.count
        if processCount + claim < bounds.processes { return .start }
        if claim == hungry.count { hungry.append(app) }
        // Places that are being cleared go to the apps in the order of their need.
        return tally.leaving > claim ? nil : leastRecentlyUsed.map { .evict($0) }
    }

    /// An idle worker of the app that can miss it best: one of several before an only one, then whose last use is
    /// longest ago.
    private var leastRecentlyUsed: UInt64? {
        // In a crowd every app that waits for a place asks at every look, and nobody is idle.
        guard readyCount > 0 else { return nil }
        let candidates = staffs.filter { staff in staff.members.contains { $0.stage == .ready } }
        let best = candidates.min { ($0.liveCount > 1 ? 0 : 1, $0.lastUse) < ($1.liveCount > 1 ? 0 : 1, $1.lastUse) }
        return best?.members.filter { $0.stage == .ready }.min { $0.servedCount < $1.servedCount }?.serial
    }
}

extension Roster.Staff {
    var openCount: Int { members.reduce(0) { $0 + $1.openCount } }

    /// No worker that serves or will.
    var isVacant: Bool { !members.contains { !$0.isRetiring } }

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

    /// Workers that were started, and not given anything yet.
    fileprivate var unusedCount: Int { members.count { !$0.isRetiring && $0.servedCount == 0 } }

    /// The worker that takes the next notification at once: of those with room that have served, the one given most.
    fileprivate var receptive: Roster.Member? {
        members.lazy.filter { $0.servedCount > 0 && $0.hasRoom(under: terms) }.max { $0.servedCount < $1.servedCount }
    }

    /// The worker into whose hands the next notification goes, behind others: the one with the fewest that has room.
    fileprivate var receptiveAhead: Roster.Member? {
        members.lazy.filter { $0.hasRoomAhead(under: terms) }.min { $0.openCount < $1.openCount }
    }

    fileprivate var readySpare: Roster.Member? {
        members.first { $0.servedCount == 0 && $0.stage == .ready }
    }

    /// A worker that has its hands full takes the next notification when it is done.
    fileprivate var isReturning: Bool {
        members.contains { !$0.isRetiring && $0.servedCount > 0 && $0.servedCount < terms.servedLimit }
    }

    /// Workers that serve, or will again.
    var crewCount: Int { members.count(where: \.isCrew) }

    fileprivate var burningCount: Int { members.count { $0.isBurning && $0.openCount > 0 && !$0.isRetiring } }
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

    /// The worker serves, or will again; one that outstays a budget beside other requests does neither, and is left
    /// aside for one budget at most.
    fileprivate var isCrew: Bool { servedCount > 0 && stage != .retiring(0) && !(isRetiring && hasLastCall) }

    fileprivate func hasRoom(under terms: Roster.Terms) -> Bool { takes(terms.requestsPerWorker, under: terms) }

    fileprivate func hasRoomAhead(under terms: Roster.Terms) -> Bool {
        ahead > 0 && takes(terms.requestsPerWorker + ahead, under: terms)
    }

    /// Tells whether the worker takes another request as long as it has fewer than `most`.
    private func takes(_ most: Int, under terms: Roster.Terms) -> Bool {
        switch stage {
        case .starting, .retiring: false
        case .ready, .serving: !hasLastCall && openCount < most && servedCount < terms.servedLimit
        }
    }
}
