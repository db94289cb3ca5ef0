// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import WorkerProtocol

/// A process that runs an app's extension.
///
/// What it is at stands in the roster; here are its conversation, the requests it has, and what it has used.
final class WorkerProcess: SandboxedProcess {
    let pool: ExtensionPool
    var conversation = WorkerConversation()
    /// The requests it works on, by their id in the conversation.
    var runs: [UInt64: ExtensionRun] = [:]
    /// Those it is about to get, by their number in the supervisor.
    var preparing: [UInt64: ExtensionRun] = [:]
    var isBusy: Bool { !runs.isEmpty || !preparing.isEmpty }
    var allowance = WorkerAllowance()
    var wasEverReady = false
    /// What confines it, as of when it became ready.
    var sandbox: String?
    /// Its socket is closed; only its exit is still to come.
    var isSilent = false
    /// The end of its start, or of its farewell.
    var limit: DeadlineQueue.ID?
    /// What it had used of the processor at the first look since it became idle.
    var processorTimeAtRest: Duration?
    /// When it was last looked at without a request.
    var lookedAtAtRest = Duration.zero
    /// What it had used at its first completion or at the last look.
    var processorTimeAtLook = Duration.zero
    /// When its load was last told, and what it had used then.
    var loadMark: (instant: Duration, used: Duration)?
    /// Nil until it has completed a request: it has the kernel's own length until then.
    var hasShortTurns: Bool?
    /// When its private scratch folder was last asked about.
    var askedAboutScratch: Duration?
    /// Its priority is the lowest there is.
    var isLowered = false

    init(serial: UInt64, channel: PacketChannel, output: OutputPipe, pool: ExtensionPool) {
        self.pool = pool
        super.init(serial: serial, channel: channel, output: output)
    }
}
