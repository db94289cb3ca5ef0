// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import WorkerProtocol

/// A notification between `run` and its conclusion, and the caller that waits for that.
final class ExtensionRun {
    let id: UInt64
    let request: ExtensionRequest
    /// The number of the app's site for the push's owner.
    let app: Int
    let continuation: CheckedContinuation<ExtensionResult, Never>
    /// The last call and then the end of the budget; `nil` while it waits.
    var deadline: DeadlineQueue.ID?
    var life: RunLife<WorkerProcess>

    init(
        id: UInt64,
        request: ExtensionRequest,
        app: Int,
        life: RunLife<WorkerProcess>,
        continuation: CheckedContinuation<ExtensionResult, Never>
    ) {
        self.id = id
        self.request = request
        self.app = app
        self.life = life
        self.continuation = continuation
    }

    /// The notification may be sent to a worker that has others before it.
    ///
    /// True for one without files to be put there that has left no worker.
    var mayGoAhead: Bool { request.files.isEmpty && life.mayGoAhead }

    /// The request that a worker gets at an instant, with the files that lie in the worker's folder.
    func message(with given: [GivenFile], at now: Duration) -> HostMessage.Request {
        HostMessage.Request(
            identifier: request.push.identifier,
            date: request.push.receivedAt.timestamp,
            payload: request.payload,
            budgetMilliseconds: life.millisecondsLeft(at: now),
            attachments: given.map(\.asSeenByWorker)
        )
    }
}
