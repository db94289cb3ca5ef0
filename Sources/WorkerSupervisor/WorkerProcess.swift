// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import WorkerProtocol

/// A process that runs an app's extension.
final class WorkerProcess: SandboxedProcess {
    let pool: ExtensionPool
    var conversation = WorkerConversation()
    /// The requests it works on, by their id in the conversation.
    var runs: [UInt64: ExtensionRun] = [:]
    /// How many requests it was ever given.
    var servedCount = 0
    var logAllowance = LogAllowance()
    /// Log messages beyond the allowance and completions beyond the first, since it started.
    var chatterCount = 0
    /// More of those are a violation: each costs the host a packet's reading.
    static let chatterLimit = 10_000
    var wasEverReady = false
    /// What confines it, as of when it became ready.
    var sandbox: String?
    /// Its socket is closed; only its exit is still to come.
    var isSilent = false

    /// It is ready and still listens.
    var isReceptive: Bool { conversation.isReady && !isSilent }

    init(serial: UInt64, channel: PacketChannel, output: OutputPipe, pool: ExtensionPool) {
        self.pool = pool
        super.init(serial: serial, channel: channel, output: output)
    }
}

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
    /// The worker said something after the last call: it lives, and ignores it.
    var wasHeardAfterLastCall = false

    /// A worker ended without having read it, so another one got it.
    var wasTakenBack = false

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
}

/// An app's runs that wait, and the worker that will take them.
final class ExtensionPool {
    let configuration: SupervisedExtension
    /// As root, the app's processes run under one uid of their own, counted from here.
    let slot: UInt32
    /// In order of arrival; bounded by the pushes the host has accepted.
    var waiting: ArraySlice<ExtensionRun> = []
    var worker: WorkerProcess?
    /// Starts in a row that ended before `ready`.
    var failedStarts = 0
    /// No start before this instant.
    var notBefore = Duration.zero
    /// Completions that came second, or after the host had closed their request.
    var repeatedCompletions = 0

    init(_ configuration: SupervisedExtension, slot: UInt32) {
        self.configuration = configuration
        self.slot = slot
    }

    /// How often a worker serves before a new one takes its place.
    var servedLimit: Int { configuration.isolation == .notification ? 1 : 1000 }

    /// After three failed starts in a row: 1, 2, 4 … 60 seconds.
    func pauseAfterFailedStart(now: Duration) {
        failedStarts += 1
        guard failedStarts >= 3 else { return }
        notBefore = now + .seconds(min(60, 1 << min(6, failedStarts - 3)))
    }
}

/// Log messages of a worker: 64 a second, 256 at once; more are dropped and counted.
struct LogAllowance {
    private(set) var droppedCount = 0
    private var tokens = 256.0
    private var refilled = Duration.zero

    mutating func take(now: Duration) -> Bool {
        tokens = min(256, tokens + (now - refilled) / .seconds(1) * 64)
        refilled = now
        guard tokens >= 1 else {
            droppedCount += 1
            return false
        }
        tokens -= 1
        return true
    }
}
