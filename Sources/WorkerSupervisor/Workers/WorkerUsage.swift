// SPDX-License-Identifier: Apache-2.0

/// The limits on a worker's use of processor and memory, and the intervals at which it is looked at.
enum WorkerRules {
    /// The interval between looks at a worker with a request.
    static let busyInterval = Duration.milliseconds(5)
    /// The interval between looks at a worker without a request.
    static let restInterval = Duration.milliseconds(250)
    /// The time after which a worker that closed its socket, or keeps a request that was asked back, is given up.
    static let silenceLimit = Duration.milliseconds(500)
    /// Processor time of one request, after which the worker steps back behind all others.
    static let processorTimeOfRequest = Duration.seconds(1)
    static let processorTimeAtRest = Duration.seconds(1)
    static let processorTimeOfLife = Duration.seconds(300)
    /// The shortest time over which a worker is seen to compute or to wait before it counts as doing so.
    static let loadInterval = Duration.milliseconds(50)

    /// The consequence of a look at a worker that is not over its memory limit.
    enum Verdict: Equatable {
        case fine
        /// Last in line for the processor, and no further request.
        case lower
        /// No further request.
        case recycle
    }

    /// `processorTime` of a busy worker counts from its oldest request, of one at rest from its last.
    ///
    /// Memory that a worker has before it served, the next would have as well: it is no reason to recycle the worker.
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

/// A worker's use of the processor and of its scratch folder, as it was seen: a value that looks at nothing itself.
struct WorkerUsage {
    /// The priority of the worker is the lowest there is.
    var isLowered = false
    /// The instant of the last look at the worker without a request, or of the start of its rest.
    private var lookedAtAtRest = Duration.zero
    /// The processor time that the worker had used at the first look since it became idle; `nil` before that look.
    private var timeAtRest: Duration?
    /// The processor time that the worker had used at its first completion or at the last look.
    private var timeAtLook = Duration.zero
    /// The instant at which the worker's load was last measured, and the processor time that it had used then.
    private var loadMark: (instant: Duration, used: Duration)?
    /// `nil` means that the worker has not completed a request: its turns have the kernel's own length until then.
    private(set) var hasShortTurns: Bool?
    private var askedAboutScratch: Duration?

    mutating func enteredService(now: Duration) { lookedAtAtRest = now }

    mutating func becameIdle(now: Duration) {
        timeAtRest = nil
        lookedAtAtRest = now
    }

    /// Tells whether it is time to look at a worker without a request; if so, notes the look as done.
    mutating func isDueAtRest(now: Duration) -> Bool {
        guard now - lookedAtAtRest >= WorkerRules.restInterval else { return false }
        lookedAtAtRest = now
        return true
    }

    /// Tells whether it is time to ask about the scratch folder.
    func isScratchDue(now: Duration) -> Bool {
        askedAboutScratch.map { now >= $0 + WorkerRules.restInterval } ?? true
    }

    mutating func askedAboutScratch(now: Duration) { askedAboutScratch = now }

    /// Short turns were earned by a completion.
    mutating func earnedTurns(used: Duration) {
        timeAtLook = used
        hasShortTurns = true
    }

    /// Tells whether the turns are to be short from now on; `nil` means that they stay as they are.
    ///
    /// Short turns are for workers that need little.
    mutating func turns(used: Duration) -> Bool? {
        guard let hadShortTurns = hasShortTurns else { return nil }
        let isShort = used - timeAtLook <= ProcessorTurns.longestUse
        timeAtLook = used
        guard isShort != hadShortTurns else { return nil }
        hasShortTurns = isShort
        return isShort
    }

    /// Tells whether the worker used a quarter of a core at least since its load was last measured; `nil` means that
    /// this is too short ago.
    ///
    /// The bound is a quarter because four workers that compute may share a core.
    mutating func isBurning(used: Duration, now: Duration) -> Bool? {
        guard let mark = loadMark else {
            loadMark = (now, used)
            return nil
        }
        guard now - mark.instant >= WorkerRules.loadInterval else { return nil }
        loadMark = (now, used)
        return (used - mark.used) * 4 >= now - mark.instant
    }

    /// Returns the processor time that the worker had used at the first look since it has no request.
    ///
    /// The first look is where the count starts, so that a request that is over before costs no look.
    mutating func atFirstLookAtRest(_ used: Duration) -> Duration {
        let first = timeAtRest ?? used
        timeAtRest = first
        return first
    }
}
