// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Logging

/// What a worker may use.
enum WorkerRules {
    /// How often a worker with a request is looked at, and one without.
    static let busyInterval = Duration.milliseconds(5)
    static let restInterval = Duration.milliseconds(250)
    /// Processor time of one request, after which the worker steps back behind all others.
    static let processorTimeOfRequest = Duration.seconds(1)
    static let processorTimeAtRest = Duration.seconds(1)
    static let processorTimeOfLife = Duration.seconds(300)
    /// How long a worker is seen to compute or to wait before it counts as doing so.
    static let loadInterval = Duration.milliseconds(50)

    /// What is to become of a worker that is not over its memory limit.
    enum Verdict: Equatable {
        case fine
        /// Last in line for the processor, and no further request.
        case lower
        /// No further request.
        case recycle
    }

    /// `processorTime` of a busy worker counts from its oldest request, of one at rest from its last.
    ///
    /// What a worker has before it served, the next would have as well: its memory is no reason to recycle it.
    static func verdict(
        isBusy: Bool,
        hasServed: Bool,
        memoryByteCount: UInt64,
        limitByteCount: UInt64,
        processorTime: Duration,
        processorTimeOfLife life: Duration
    ) -> Verdict {
        if isBusy, processorTime > processorTimeOfRequest { return .lower }
        if !isBusy, processorTime > processorTimeAtRest { return .lower }
        if life > processorTimeOfLife { return .recycle }
        if !isBusy, hasServed, memoryByteCount > limitByteCount / 2 { return .recycle }
        return .fine
    }
}

// The watch over memory and processor time: one deadline for all workers.
extension WorkerSupervisor {
    /// A worker became busy or ready: it is looked at within a busy worker's interval.
    func watchSoon() {
        watch(at: clock.now + WorkerRules.busyInterval)
    }

    private func watch(at instant: Duration) {
        if let next = nextLook {
            guard instant < next.instant else { return }
            deadlines.cancel(next.deadline)
        }
        nextLook = (instant, schedule(at: instant) { $0.look() })
    }

    private func look() {
        nextLook = nil
        let now = clock.now
        for worker in Array(workers.values) where worker.killCause == nil && worker.wasEverReady {
            if !worker.runs.isEmpty {
                look(at: worker, now: now)
            } else if now - worker.lookedAtAtRest >= WorkerRules.restInterval {
                worker.lookedAtAtRest = now
                look(at: worker, now: now)
            }
        }
        var isAnyWaiting = false
        for pool in orderedPools where pool.isSpareHeldBack || !pool.waiting.isEmpty {
            isAnyWaiting = isAnyWaiting || !pool.waiting.isEmpty
            pool.isSpareHeldBack = false
            settle(pool)
        }
        for (_, serial) in roster.idleWorkers(now: now) {
            guard let worker = workers[serial] else { continue }
            retire(worker)
            settle(worker.pool)
        }
        if isAnyWaiting || workers.values.contains(where: { !$0.runs.isEmpty }) {
            watch(at: now + WorkerRules.busyInterval)
        } else if !workers.isEmpty {
            watch(at: now + WorkerRules.restInterval)
        }
    }

    private func look(at worker: WorkerProcess, now: Duration) {
        guard let memory = worker.readMemory(now: now) else { return }
        let limit = worker.pool.configuration.memoryLimitByteCount
        let used = worker.processorTime
        worker.takeTurns(used: used)
        if memory > limit { return endOverLimit(worker) }
        if let isBurning = worker.isBurning(used: used, now: now) {
            roster.looked(at: worker.serial, of: worker.pool.index, isBurning: isBurning)
        }
        let sinceBegin = used - worker.processorTimeAtFirstLook(used)
        let app = worker.pool.index
        let hasServed = roster.member(worker.serial, of: app).map { $0.servedCount > 0 } ?? false
        let verdict = WorkerRules.verdict(
            isBusy: !worker.runs.isEmpty,
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
        if !hasServed { roster.spareFailed(in: app) }
        retire(worker)
        settle(worker.pool)
    }

    private func endOverLimit(_ worker: WorkerProcess) {
        // What it completed before counts.
        drainPackets(of: worker)
        guard worker.killCause == nil else { return }
        logger.notice(
            "memory limit exceeded",
            metadata: [
                "worker.pid": "\(worker.pid)", "push.topic": "\(worker.pool.configuration.app)",
                "worker.peakMemoryBytes": "\(worker.peakMemoryByteCount ?? 0)",
            ]
        )
        end(worker, .memory) { _ in .memoryLimitExceeded }
    }

    /// So that one app's endless loop does not delay another's notifications.
    private func lower(_ worker: WorkerProcess) {
        guard !worker.isLowered else { return }
        worker.isLowered = true
        worker.pool.counts.lowered += 1
        worker.lowerPriority(through: launcher)
        logger.notice(
            "priority lowered",
            metadata: ["worker.pid": "\(worker.pid)", "push.topic": "\(worker.pool.configuration.app)"]
        )
    }
}

extension WorkerProcess {
    /// Short turns and the weight of everybody are earned by a completion.
    func earnTurns(through launcher: Launcher) {
        // A launcher that has no room for the message hears it at the next one.
        guard hasShortTurns == nil, killCause == nil else { return }
        // First, because it writes back the weight that it has read, and the launcher changes that in its own time.
        shortenTurns()
        guard isLowered || raisePriority(through: launcher) else { return }
        processorTimeAtLook = processorTime
        hasShortTurns = true
    }

    /// Whether it used a quarter of a core at least since its load was last told; nil when that is too short ago.
    ///
    /// A quarter, because four that compute share a core.
    fileprivate func isBurning(used: Duration, now: Duration) -> Bool? {
        guard let mark = loadMark else {
            loadMark = (now, used)
            return nil
        }
        guard now - mark.instant >= WorkerRules.loadInterval else { return nil }
        loadMark = (now, used)
        return (used - mark.used) * 4 >= now - mark.instant
    }

    /// And they are for those that need little.
    fileprivate func takeTurns(used: Duration) {
        guard let hadShortTurns = hasShortTurns else { return }
        let isShort = used - processorTimeAtLook <= ProcessorTurns.longestUse
        processorTimeAtLook = used
        guard isShort != hadShortTurns else { return }
        hasShortTurns = isShort
        if isShort { shortenTurns() } else { lengthenTurns() }
    }

    /// From when on its use of the processor is counted: since its oldest request, or since it has none.
    ///
    /// The first look at either is where the count starts, so that a request that is over before costs no look.
    fileprivate func processorTimeAtFirstLook(_ used: Duration) -> Duration {
        guard !runs.isEmpty else {
            processorTimeAtRest = processorTimeAtRest ?? used
            return processorTimeAtRest ?? used
        }
        return runs.values.reduce(used) { oldest, run in
            run.processorTime = run.processorTime ?? used
            return min(oldest, run.processorTime ?? used)
        }
    }
}
