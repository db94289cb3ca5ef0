// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import HostRuntime
import Logging

/// Looks at workers while they live: at their memory and processor time, at what they store, and at their scratch
/// folders.
///
/// Belongs to the supervisor's actor and is called on its loop's thread alone. One deadline serves all workers. What an
/// extension stores is on the host's disk and is looked at as long as the extension works; that takes time of a thread
/// of its own.
final class WorkerWatch {
    private static let storageInterval = Duration.milliseconds(100)

    private let equipment: Equipment
    private let pool: WorkerPool
    private let staffing: Staffing
    private let listener: WorkerListener
    private let scratch: ScratchDesk
    private let timetable: Timetable<WorkerWatch>
    /// The instant of the next look at the workers, and its deadline; `nil` when none is to come.
    private var nextLook: (instant: Duration, deadline: DeadlineQueue.ID)?
    /// The sites whose storage is looked at, by their numbers.
    private var watchedStorages: Set<Int> = []

    init(
        _ equipment: Equipment,
        pool: WorkerPool,
        staffing: Staffing,
        listener: WorkerListener,
        scratch: ScratchDesk,
        timetable: Timetable<WorkerWatch>
    ) {
        self.equipment = equipment
        self.pool = pool
        self.staffing = staffing
        self.listener = listener
        self.scratch = scratch
        self.timetable = timetable
    }

    /// The instant of the next look at the workers, for tests; `nil` when none is to come.
    var nextInstant: Duration? { nextLook?.instant }

    /// There is nobody to look at any more.
    func stop() {
        nextLook.take().map { timetable.cancel($0.deadline) }
    }

    // MARK: Memory and processor

    private func watch(at instant: Duration) {
        if let next = nextLook {
            guard instant < next.instant else { return }
            timetable.cancel(next.deadline)
        }
        nextLook = (instant, timetable.schedule(at: instant) { $0.look() })
    }

    private func look() {
        nextLook = nil
        let now = timetable.now
        for worker in pool.all where worker.killCause == nil && worker.hasSaidReady {
            if !worker.requests.isEmpty || worker.usage.isDueAtRest(now: now) { look(at: worker, now: now) }
        }
        pool.recallFromSlow(now: now)
        let isAnyWaiting = pool.settleWaiting()
        pool.retireIdle(now: now)
        if isAnyWaiting || pool.hasRequests {
            watch(at: now + WorkerRules.busyInterval)
        } else if !pool.isEmpty {
            watch(at: now + WorkerRules.restInterval)
        }
    }

    private func look(at worker: WorkerProcess, now: Duration) {
        guard let memory = worker.readMemory(now: now) else { return }
        let limit = worker.site.configuration.memoryLimitByteCount
        let used = worker.processorTime
        worker.takeTurns(used: used)
        if memory > limit { return endOverLimit(worker) }
        if let isBurning = worker.usage.isBurning(used: used, now: now) {
            staffing.looked(at: worker, isBurning: isBurning)
        }
        let sinceBegin = used - worker.processorTimeAtFirstLook(used)
        let hasServed = staffing.hasServed(worker)
        let verdict = WorkerRules.verdict(
            isBusy: !worker.requests.isEmpty,
            hasServed: hasServed,
            memoryByteCount: memory,
            limitByteCount: limit,
            processorTime: sinceBegin,
            processorTimeOfLife: used
        )
        switch verdict {
        case .fine: return
        case .lower: lower(worker)
        case .recycle: break
        }
        if !hasServed { staffing.spareFailed(in: worker.site.index) }
        pool.retire(worker)
        pool.settle(worker.site.index)
    }

    private func endOverLimit(_ worker: WorkerProcess) {
        // What it completed before counts.
        listener.drain(worker)
        guard worker.killCause == nil else { return }
        equipment.logger.notice(
            "memory limit exceeded",
            metadata: [
                "worker.pid": "\(worker.pid)", "push.topic": "\(worker.site.configuration.app)",
                "worker.peakMemoryBytes": "\(worker.peakMemoryByteCount ?? 0)",
            ]
        )
        pool.end(worker, .memory, .memoryLimitExceeded)
    }

    /// Puts a worker behind all others, so that one app's endless loop does not delay another's notifications.
    private func lower(_ worker: WorkerProcess) {
        guard !worker.usage.isLowered else { return }
        worker.usage.isLowered = true
        staffing.count(of: worker.site.index) { $0.lowered += 1 }
        worker.lowerPriority(through: equipment.launcher)
        equipment.logger.notice(
            "priority lowered",
            metadata: ["worker.pid": "\(worker.pid)", "push.topic": "\(worker.site.configuration.app)"]
        )
    }

    // MARK: Storage

    private func lookAtStorageLater(of site: ExtensionSite) {
        _ = timetable.schedule(at: timetable.now + Self.storageInterval) { $0.lookAtStorage(of: site) }
    }

    private func lookAtStorage(of site: ExtensionSite) {
        guard let storage = site.storage, staffing.openCount(of: site.index) > 0, !equipment.gate.isEnding else {
            watchedStorages.remove(site.index)
            return
        }
        let limit = site.configuration.storageLimit
        equipment.storageQueue.async { [timetable] in
            let isExceeded = storage.exceeds(limit)
            timetable.perform { $0.lookedAtStorage(of: site, isExceeded) }
        }
    }

    private func lookedAtStorage(of site: ExtensionSite, _ isExceeded: Bool) {
        if isExceeded {
            for worker in pool.all where worker.site === site && !worker.requests.isEmpty { endOverStorage(worker) }
        }
        lookAtStorageLater(of: site)
    }

    private func endOverStorage(_ worker: WorkerProcess) {
        // What it completed before counts.
        listener.drain(worker)
        guard worker.killCause == nil else { return }
        equipment.logger.warning(
            "storage limit",
            metadata: [
                "worker.pid": "\(worker.pid)", "push.topic": "\(worker.site.configuration.app)",
                "app.storage": "\(worker.site.storage?.path ?? "")",
            ]
        )
        pool.end(worker, .storage, .crashed(signal: SIGKILL))
    }
}

extension WorkerWatch: WorkerWatching {
    func watchSoon() {
        watch(at: timetable.now + WorkerRules.busyInterval)
    }

    func watchStorage(of site: ExtensionSite) {
        guard site.storage != nil, watchedStorages.insert(site.index).inserted else { return }
        lookAtStorageLater(of: site)
    }

    func needsRest(_ worker: WorkerProcess) -> Bool {
        hasPrivateScratch(worker) && worker.usage.isScratchDue(now: timetable.now)
    }

    private func hasPrivateScratch(_ worker: WorkerProcess) -> Bool {
        equipment.launcher.hasOwnRoot && worker.hasScratch
    }

    /// A worker that leaves its private folder half full makes room for a fresh one.
    func lookAtScratch(of worker: WorkerProcess) {
        let limit = worker.site.configuration.scratchByteCount
        guard hasPrivateScratch(worker), worker.usage.isScratchDue(now: timetable.now), worker.killCause == nil,
            !equipment.gate.isEnding
        else { return }
        worker.usage.askedAboutScratch(now: timetable.now)
        scratch.take("", of: worker) { [weak pool] answer in
            guard answer.error == 0, answer.usedByteCount > limit / 2 else { return }
            pool?.retire(worker)
            pool?.settle(worker.site.index)
        }
    }
}
