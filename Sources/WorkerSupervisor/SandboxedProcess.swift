// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import CLinux
import Glibc
import Logging

/// One process behind the launcher, from the request to start it until its exit was reported.
///
/// Belongs to the supervisor's actor. Whatever it says or does, the host's side of it is closed exactly once.
class SandboxedProcess {
    enum KillCause {
        case budget, violation, silence, start, hang, memory, storage, retired
    }

    let serial: UInt64
    let channel: PacketChannel
    let output: OutputPipe
    private(set) var pid: Int32 = 0
    private var pidfd = Descriptor(-1)
    private var statusFile = Descriptor(-1)
    private var listener: Descriptor?
    /// True if the process can write below its scratch folder; false before it is started.
    private(set) var hasScratch = false
    /// True if the process can connect to its proxy; false before it is started.
    private(set) var hasNetwork = false
    /// To the rest of the system it is the host's own user.
    private(set) var sharesUser = false
    private(set) var killCause: KillCause?
    /// The largest counted memory seen, in bytes; nil before the first reading.
    private(set) var peakMemoryByteCount: UInt64?
    private var lastReading: Duration?
    private var lastProcessorTime = Duration.zero
    /// Pages of shared files when the process became ready, in bytes.
    private(set) var fileByteCount: UInt64?

    init(serial: UInt64, channel: PacketChannel, output: OutputPipe) {
        self.serial = serial
        self.channel = channel
        self.output = output
    }

    func started(_ process: consuming LaunchedProcess) {
        pid = process.pid
        hasScratch = process.hasScratch
        hasNetwork = process.hasNetwork
        sharesUser = process.sharesUser
        pidfd = process.pidfd
        statusFile = process.statusFile
        listener = process.listener
    }

    /// The process has ended, though the launcher may not have said so yet; false as long as nobody can tell.
    var hasEnded: Bool {
        guard pidfd.raw >= 0 else { return false }
        var state = pollfd(fd: pidfd.raw, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&state, 1, 0) == 1
    }

    /// SIGKILL; the first cause stays.
    func kill(_ cause: KillCause, through launcher: Launcher) {
        guard killCause == nil else { return }
        killCause = cause
        sendKill(through: launcher)
    }

    /// Sends the signal again: the launcher may have had no room for the word, or the process was not known yet.
    func repeatKill(through launcher: Launcher) {
        if killCause != nil { sendKill(through: launcher) }
    }

    private func sendKill(through launcher: Launcher) {
        let sent = pidfd.raw >= 0 ? linux_pidfd_send_signal(pidfd.raw, SIGKILL) : -EBADF
        // Not started yet, or another uid's process: the launcher, its parent, may.
        if sent != 0, sent != -ESRCH { _ = launcher_send_kill(launcher.socket.raw, serial) }
    }

    /// Reads the process's counted memory, in bytes; nil when it is gone.
    @discardableResult
    func readMemory(now: Duration) -> UInt64? {
        guard statusFile.raw >= 0, let status = MemoryStatus(descriptor: statusFile.raw) else { return nil }
        peakMemoryByteCount = max(peakMemoryByteCount ?? 0, status.countedByteCount)
        fileByteCount = status.fileByteCount
        lastReading = now
        return status.countedByteCount
    }

    /// Reads it unless that was done in the last 10 ms: a reading costs as much as the rest of a request.
    func sampleMemory(now: Duration) {
        if let lastReading, now < lastReading + .milliseconds(10) { return }
        readMemory(now: now)
    }

    /// The processor time of all threads of the process; the last reading once it is killed or gone.
    var processorTime: Duration {
        guard pid > 0, killCause == nil else { return lastProcessorTime }
        let time = linux_process_time(pid)
        if time >= 0 { lastProcessorTime = .nanoseconds(time) }
        return lastProcessorTime
    }

    /// Puts the process behind all others that want the processor.
    func lowerPriority(through launcher: Launcher) { setNice(LAUNCHER_LOWEST_NICE, through: launcher) }

    /// Gives a process that is known the weight of everybody; it started with less.
    ///
    /// Returns false if it still has that of a start.
    func raisePriority(through launcher: Launcher) -> Bool { setNice(0, through: launcher) }

    /// By the launcher: the confined host may write nowhere in /proc.
    @discardableResult
    private func setNice(_ nice: UInt32, through launcher: Launcher) -> Bool {
        launcher_send_priority(launcher.socket.raw, serial, nice) == 0
    }

    /// Lets the process in sooner when it wakes than those that are only starting.
    func shortenTurns() {
        if pid > 0, killCause == nil { ProcessorTurns.shorten(of: pid) }
    }

    /// Takes that back, for as long as the process computes.
    func lengthenTurns() {
        if pid > 0, killCause == nil { ProcessorTurns.lengthen(of: pid) }
    }

    /// The profile and how many of our filters stand on the process: "A1".
    ///
    /// The kernel tells the number, not the process; the letter stands alone where the kernel does not count filters.
    func sandbox(of launcher: Launcher) -> String {
        let profile = "\(launcher.capabilities.profile)"
        guard let inherited = launcher.inheritedFilterCount, statusFile.raw >= 0,
            let count = FilterCount.read(statusFile.raw)
        else { return profile }
        return profile + "\(count - inherited)" + (sharesUser ? " shared-uid" : "")
    }

    /// The socket that listens in the process's own network, for whoever serves it; nil without the network grant and
    /// the second time.
    func takeListener() -> Descriptor? { listener.take() }

    /// Logs the lines that became complete in what the process prints.
    func logOutput(through buffer: inout [UInt8], to logger: Logger) {
        for line in output.readLines(through: &buffer) {
            logger.debug("output", metadata: ["worker.pid": "\(pid)", "worker.line": "\(line)"])
        }
    }

    /// Logs what the process printed before its end; a pipe holds 64 KiB.
    func logLastOutput(through buffer: inout [UInt8], to logger: Logger) {
        for _ in 0..<8 { logOutput(through: &buffer, to: logger) }
    }

    func close() {
        channel.close()
        output.close()
    }
}

/// A process of an app's extension: a worker, or that of a view.
protocol ExtensionProcess: SandboxedProcess {
    var site: ExtensionSite { get }
}
