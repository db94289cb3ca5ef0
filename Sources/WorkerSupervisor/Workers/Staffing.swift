// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// The roster and the counts: the workers of each app, and what its extension has done so far.
///
/// No worker is started or ended here. Belongs to the supervisor's actor.
final class Staffing {
    private struct Team {
        var counts = ExtensionCounts()
        /// A worker was given something a moment ago: a spare that nobody waits for would only take processor time from
        /// it.
        var isSpareHeldBack = false
    }

    private var roster: Roster
    /// The teams by their apps' numbers.
    private var teams: [Team]

    init(_ terms: [Roster.Terms], bounds: Roster.Bounds) {
        roster = Roster(terms, bounds: bounds)
        teams = terms.map { _ in Team() }
    }

    /// Appends a site, which has no worker.
    func add(_ terms: Roster.Terms) {
        roster.add(terms)
        teams.append(Team())
    }

    // MARK: Apps

    func nextStep(for app: Int, _ demand: Roster.Demand, now: Duration) -> Roster.Step? {
        roster.nextStep(for: app, demand, now: now)
    }

    /// The app that starts next, if there is room for an order.
    func nextPostponed() -> Int? { roster.nextPostponed() }

    /// Apps without a worker that need one and found no room, in the order of their need.
    var hungry: [Int] { roster.hungry }

    /// Starts keep failing, and there is no worker from before.
    func isPaused(_ app: Int, now: Duration) -> Bool { now < roster.staffs[app].notBefore && isVacant(app) }

    /// No worker serves or will.
    func isVacant(_ app: Int) -> Bool { roster.staffs[app].isVacant }

    /// No process is left, not even one that is ending.
    func isDeserted(_ app: Int) -> Bool { roster.staffs[app].members.isEmpty }

    /// A worker is past its start.
    func hasWorker(_ app: Int) -> Bool { roster.staffs[app].hasWorker }

    /// Notifications that an app's workers have, or are about to get.
    func openCount(of app: Int) -> Int { roster.staffs[app].openCount }

    func isSpareHeldBack(of app: Int) -> Bool { teams[app].isSpareHeldBack }
    func bringSpare(of app: Int) { teams[app].isSpareHeldBack = false }

    /// A notification arrived.
    func needed(_ app: Int) { roster.needed(app) }

    func started(_ serial: UInt64, for app: Int) { roster.started(serial, for: app) }
    func removed(_ serial: UInt64, of app: Int) { roster.remove(serial, of: app) }
    func evict(_ serial: UInt64) { roster.evict(serial) }

    func startFailed(in app: Int, now: Duration) { roster.startFailed(in: app, now: now) }
    func spareFailed(in app: Int) { roster.spareFailed(in: app) }
    func excuse(_ app: Int) -> Bool { roster.excuse(app) }

    /// Workers that have had nothing to do for long.
    func idleWorkers(now: Duration) -> [UInt64] { roster.idleWorkers(now: now).map(\.serial) }

    // MARK: Workers

    func hasServed(_ worker: WorkerProcess) -> Bool { member(worker)?.servedCount ?? 0 > 0 }
    func isStarting(_ worker: WorkerProcess) -> Bool { member(worker)?.stage == .starting }
    /// `nil` means that the worker is not in the roster.
    func isRetiring(_ worker: WorkerProcess) -> Bool? { member(worker)?.isRetiring }
    func isBusy(_ worker: WorkerProcess) -> Bool { openCount(of: worker) > 0 }
    /// The notifications that the worker has, those whose files are still being put into its folder included.
    func openCount(of worker: WorkerProcess) -> Int { member(worker)?.openCount ?? 0 }

    func orderAnswered(_ worker: WorkerProcess) { roster.orderAnswered(worker.serial, of: worker.site.index) }

    func becameReady(_ worker: WorkerProcess, now: Duration) {
        roster.becameReady(worker.serial, of: worker.site.index, ahead: worker.announcedAhead, now: now)
    }

    /// A notification goes to the worker; true when the worker never had one.
    func requestBegan(with worker: WorkerProcess, now: Duration) -> Bool {
        let isFresh = member(worker)?.servedCount == 0
        roster.requestBegan(with: worker.serial, of: worker.site.index, now: now)
        teams[worker.site.index].isSpareHeldBack = true
        return isFresh
    }

    /// The time of one of the worker's requests is nearly up.
    func lastCallCame(to worker: WorkerProcess) { roster.lastCallCame(to: worker.serial, of: worker.site.index) }

    func requestEnded(with worker: WorkerProcess, now: Duration) {
        roster.requestEnded(with: worker.serial, of: worker.site.index, now: now)
    }

    /// The worker proved that the app's extension works, and how fast.
    ///
    /// `isAmongFiles` is true when the content has files, and while those of another request are being put into the
    /// worker's folder.
    func completed(_ worker: WorkerProcess, after time: Duration, isAmongFiles: Bool) {
        roster.completed(worker.serial, of: worker.site.index, after: time, isAmongFiles: isAmongFiles)
    }

    /// The worker gets nothing ahead before its next quick completion.
    func holdBack(_ worker: WorkerProcess) { roster.holdBack(worker.serial, of: worker.site.index) }

    /// Notes whether the worker computed or waited since its load was last measured.
    func looked(at worker: WorkerProcess, isBurning: Bool) {
        roster.looked(at: worker.serial, of: worker.site.index, isBurning: isBurning)
    }

    /// The worker gets nothing new.
    func retire(_ worker: WorkerProcess) { roster.retire(worker.serial, of: worker.site.index) }

    private func member(_ worker: WorkerProcess) -> Roster.Member? {
        roster.member(worker.serial, of: worker.site.index)
    }

    // MARK: Counts

    func count(of app: Int, _ change: (inout ExtensionCounts) -> Void) { change(&teams[app].counts) }

    func counts(of app: Int) -> ExtensionCounts { teams[app].counts }

    var stages: HostActivity.Workers {
        var stages = HostActivity.Workers()
        for member in roster.staffs.flatMap(\.members) {
            switch member.stage {
            case .starting: stages.starting += 1
            case .ready: stages.ready += 1
            case .serving: stages.serving += 1
            case .retiring: stages.retiring += 1
            }
        }
        return stages
    }

    /// For tests.
    var staffs: [Roster.Staff] { roster.staffs }
}
