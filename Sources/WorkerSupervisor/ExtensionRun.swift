// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// One notification between `run` and its conclusion.
final class ExtensionRun {
    let id: UInt64
    let request: ExtensionRequest
    let window: BudgetWindow
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
        window: BudgetWindow,
        pool: ExtensionPool,
        continuation: CheckedContinuation<ExtensionResult, Never>
    ) {
        self.id = id
        self.request = request
        self.window = window
        self.pool = pool
        self.continuation = continuation
    }

    /// The host claims no more than it saw: a worker that spoke after the last call ignored it; of a silent one it is
    /// known only that its time is up.
    var budgetFailure: ExtensionFailure {
        wasHeardAfterLastCall ? .timeWillExpireIgnored : .budgetExceeded
    }
}
