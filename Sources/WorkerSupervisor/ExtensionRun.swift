// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// One notification between `run` and its conclusion: it waits until a worker takes it, and again when that worker ends
/// without having read it.
final class ExtensionRun {
    let id: UInt64
    let request: ExtensionRequest
    let time: ExtensionTime
    let asked: Duration
    /// When a worker took it, files included; nil as long as it waits.
    private(set) var taken: Duration?
    let pool: ExtensionPool
    let continuation: CheckedContinuation<ExtensionResult, Never>
    var deadlines: [DeadlineQueue.ID] = []
    /// The worker it was given to, and its id there.
    var assignment: (worker: WorkerProcess, requestID: UInt64)?
    var isFresh = false
    /// What the worker had used of the processor when it was first seen with this, a busy worker's interval after it got
    /// it at the latest.
    var processorTime: Duration?
    /// The worker said something after the last call: it lives, and ignores it.
    var wasHeardAfterLastCall = false
    /// A worker ended without having read it, so another one got it.
    var wasTakenBack = false

    /// Files are put into a worker's scratch folder before it is sent there.
    var preparation: FilePreparation?
    /// What the worker it was sent to has of its files.
    var given: [GivenFile] = []

    /// Its content came, and files of it are being taken.
    var delivery: AttachmentDelivery?

    init(
        id: UInt64,
        request: ExtensionRequest,
        time: ExtensionTime,
        asked: Duration,
        pool: ExtensionPool,
        continuation: CheckedContinuation<ExtensionResult, Never>
    ) {
        self.id = id
        self.request = request
        self.time = time
        self.asked = asked
        self.pool = pool
        self.continuation = continuation
    }

    /// When it stops waiting; once it is past that, it is not taken back either.
    var waitEnd: Duration { asked + time.wait }

    /// When its worker is told that time will end, and when that worker is killed; of one that waits, as if it were
    /// taken at the last moment.
    var expiry: Duration { end - time.grace }
    var end: Duration { (taken ?? waitEnd) + time.budget }

    /// What is left of the budget, rounded up: the microseconds since it began are not worth a millisecond of it.
    func millisecondsLeft(at now: Duration) -> Int64 {
        max(0, (end - now + .microseconds(999)).milliseconds)
    }

    /// The budget begins.
    func take(at now: Duration) { taken = now }

    /// It waits again, and its next worker has the whole budget.
    func takeBack() {
        taken = nil
        assignment = nil
        wasTakenBack = true
    }

    /// The host claims no more than it saw: a worker that spoke after the last call ignored it; of a silent one it is
    /// known only that its time is up.
    var budgetFailure: ExtensionFailure {
        wasHeardAfterLastCall ? .timeWillExpireIgnored : .budgetExceeded
    }
}
