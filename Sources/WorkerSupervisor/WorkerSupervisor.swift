// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Dispatch
import Glibc
package import HostRuntime
package import Logging
import NotificationPayload
import WorkerProtocol

/// Starts, watches and ends the sandboxed processes: one opener, and the workers of each extension.
///
/// The actor lives on an event loop's thread; the ports it implements, `PayloadOpening` and `ExtensionRunning`, answer
/// exactly once whatever a process does. Every process can die at any instruction: its exit is reported by the
/// launcher, and the work it held concludes then at the latest.
package actor WorkerSupervisor {
    package nonisolated let loop: EventLoop
    /// Raised when the launcher is gone: nothing can be started any more and the host should end.
    package nonisolated let launcherLost = Signal()

    let launcher: Launcher
    let configuration: SupervisorConfiguration
    let clock: HostClock
    let deadlines: DeadlineQueue
    let logger: Logger
    /// In the order of the configuration, by which the roster numbers apps.
    let orderedPools: [ExtensionPool]
    let pools: [String: ExtensionPool]
    var roster: Roster
    var workers: [UInt64: WorkerProcess] = [:]
    var runs: [UInt64: ExtensionRun] = [:]
    var opener = OpenerState()
    var files = SealedFileState()
    /// Who waits for the launcher's answers about scratch folders, in the order of asking.
    var scratchQuestions = Backlog<ScratchQuestion>()
    var scratchAnswers: [(consuming ScratchFile) -> Void] = []
    /// Looks at and removes what extensions store.
    nonisolated let storageQueue = DispatchQueue(label: "storage")
    /// Reads and writes what extensions keep in their keychains.
    nonisolated let keychainQueue = DispatchQueue(label: "keychain")
    /// When the workers are looked at next.
    var nextLook: (instant: Duration, deadline: DeadlineQueue.ID)?
    package internal(set) var isLauncherLost = false
    /// Nothing is started any more.
    var isEnding = false
    /// Raised when the last process has ended after that.
    private let allEnded = Signal()
    /// What was read last: one byte more than a packet may have.
    var buffer = [UInt8](repeating: 0, count: Packet.maximumByteCount + 1)
    private var lastSerial: UInt64 = 0
    private(set) var launcherRegistration: UInt64?

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    /// The launcher must be sealed; `deadlines` must be running.
    package init(
        _ configuration: SupervisorConfiguration,
        launcher: sending Launcher,
        loop: EventLoop,
        clock: HostClock,
        deadlines: DeadlineQueue,
        logger: Logger
    ) {
        self.loop = loop
        self.launcher = launcher
        self.configuration = configuration
        self.clock = clock
        self.deadlines = deadlines
        self.logger = logger
        orderedPools = configuration.extensions.enumerated().map { ExtensionPool($1, index: $0) }
        pools = Dictionary(orderedPools.map { ($0.configuration.app, $0) }) { first, _ in first }
        roster = Roster(configuration.extensions.map(\.terms), bounds: configuration.bounds)
    }

    /// Starts the opener, waits until it holds its keys, and warms a worker for every extension.
    ///
    /// Throws what the opener refuses at its start; a worker that does not start is the matter of its next push.
    package func start() async throws {
        launcherRegistration = try loop.register(launcher.socket.raw, interest: .read) { [weak self] _ in
            self?.assumeIsolated { $0.readLauncher() }
        }
        try await startOpener()
        for pool in orderedPools { settle(pool) }
    }

    /// The launcher's process id.
    package var launcherProcess: Int32 { launcher.pid }

    /// Lets every process go, and returns when the launcher has reported the end of the last one.
    ///
    /// From the call on nothing is started, and afterwards no process has a folder of the host open. Workers that have
    /// served are asked to end and have a second for it; those that have not are killed, and so is the
    /// opener. Call it when nothing is open any more, while the deadlines run. When the waiting task is cancelled, what
    /// is left dies with the launcher.
    package func end() async {
        isEnding = true
        for worker in Array(workers.values) { dismiss(worker) }
        dismissOpener()
        if !workers.isEmpty || opener.process != nil { await allEnded.wait() }
        await withCheckedContinuation { continuation in storageQueue.async { continuation.resume() } }
    }

    /// A process is gone.
    func noteEnd() {
        if isEnding, workers.isEmpty, opener.process == nil { allEnded.raise() }
    }

    /// A new number for a process, a run or an opening; never used twice.
    func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    /// Schedules work of the actor at an instant of the clock.
    func schedule(
        at instant: Duration,
        _ work: @escaping @Sendable (isolated WorkerSupervisor) -> Void
    )
        -> DeadlineQueue.ID
    {
        deadlines.schedule(at: instant) { [weak self, loop] in
            loop.performSoonest { [weak self] in self?.assumeIsolated { work($0) } }
        }
    }
}

// MARK: Processes

extension WorkerSupervisor {
    /// The host's ends of a process to be started; its own ends are with the launcher.
    struct Ends {
        let channel: PacketChannel
        let output: OutputPipe
    }

    func spawn(
        serial: UInt64,
        kind: launcher_process_kind,
        slot: UInt32,
        folder path: String,
        executable: String,
        memoryLimitByteCount: UInt64,
        cpuLimitSeconds: UInt64 = 0,
        grants: LaunchGrants = .none,
        replayFiles: ReplayFiles? = nil
    ) throws(SystemError) -> Ends {
        let socket = try DescriptorPair.packetSocket()
        let output = try DescriptorPair.pipe()
        let folder = try Descriptor.folder(path)
        let storage = try grants.storageFolder()
        var request = unsafe launcher_spawn_request()
        unsafe request.serial = serial
        unsafe request.kind = kind.rawValue
        unsafe request.slot = slot
        unsafe request.memory_limit_bytes = memoryLimitByteCount
        unsafe request.cpu_limit_seconds = cpuLimitSeconds
        unsafe request.scratch_bytes = grants.scratchByteCount
        unsafe request.flags = grants.flags
        unsafe request.socket = socket.peer.raw
        unsafe request.output = output.peer.raw
        unsafe request.bundle_folder = folder.raw
        unsafe request.storage_folder = storage.raw
        unsafe request.replay_files = replayFiles?.descriptors ?? (-1, -1)
        unsafe request.replay_file_count = replayFiles == nil ? 0 : 2
        let sent = unsafe executable.withCString { executable in
            unsafe path.withCString { path in
                unsafe configuration.timeZone.withCString { timeZone in
                    unsafe (grants.storagePath ?? "").withCString { storagePath in
                        var request = unsafe request
                        unsafe request.executable = executable
                        unsafe request.time_zone = timeZone
                        unsafe request.bundle_path = path
                        unsafe request.storage_path = storagePath
                        return unsafe launcher_send_spawn(launcher.socket.raw, &request)
                    }
                }
            }
        }
        guard sent == 0 else { throw SystemError("launcher", -sent) }
        return Ends(
            channel: try PacketChannel(socket.keepingHost(), on: loop) { [weak self] readiness in
                self?.assumeIsolated { $0.socketReady(serial, readiness) }
            },
            output: try OutputPipe(output.keepingHost(), on: loop) { [weak self] _ in
                self?.assumeIsolated { $0.readOutput(serial) }
            }
        )
    }

    func process(_ serial: UInt64) -> SandboxedProcess? {
        workers[serial] ?? opener.process.flatMap { $0.serial == serial ? $0 : nil }
    }

    private func socketReady(_ serial: UInt64, _ readiness: EventLoop.Readiness) {
        guard let process = process(serial) else { return }
        if readiness.contains(.write) { process.channel.flush() }
        if let worker = process as? WorkerProcess {
            readPackets(of: worker)
            settle(worker.pool)
        } else {
            readOpenerPackets()
            handOpenings()
        }
    }

    private func readOutput(_ serial: UInt64) {
        guard let process = process(serial) else { return }
        logOutput(of: process)
    }

    func logOutput(of process: SandboxedProcess) {
        for line in process.output.readLines(through: &buffer) {
            logger.debug("output", metadata: ["worker.pid": "\(process.pid)", "worker.line": "\(line)"])
        }
    }

    /// What a process printed before its end; a pipe holds 64 KiB.
    func logLastOutput(of process: SandboxedProcess) {
        for _ in 0..<8 { logOutput(of: process) }
    }
}

// MARK: The launcher's reports

extension WorkerSupervisor {
    private func readLauncher() {
        for _ in 0..<64 {
            var event = launcher_event()
            let result = unsafe launcher_receive_event(launcher.socket.raw, &event)
            guard result != -EAGAIN else { return }
            guard result == 1 else { return loseLauncher() }
            handle(event)
        }
    }

    private func handle(_ event: launcher_event) {
        switch launcher_message_type(rawValue: event.type) {
        case LAUNCHER_STARTED where event.descriptors_lost != 0:
            cannotHold(event.serial)
        case LAUNCHER_STARTED:
            let started = LaunchedProcess(event)
            process(event.serial)?.started(started)
            if let worker = workers[event.serial] {
                openNetwork(for: worker)
                orderAnswered(worker)
                enterService(worker)
                settle(worker.pool)
            }
        case LAUNCHER_SCRATCH_FILE:
            scratchAnswered(event)
        case LAUNCHER_FAILED:
            let step = unsafe withUnsafeBytes(of: event.step) { step in
                unsafe String(decoding: step.prefix { $0 != 0 }, as: UTF8.self)
            }
            processFailed(event.serial, step: step, error: SystemError(step, event.error))
        case LAUNCHER_EXITED:
            processExited(
                event.serial,
                ProcessExit(
                    code: event.code,
                    status: event.status,
                    peakResidentByteCount: event.peak_resident_bytes,
                    groupKillCount: event.group_kills
                )
            )
        default:
            loseLauncher()
        }
    }

    /// The process was started, and this one has no descriptor left for it: it ends before it serves.
    private func cannotHold(_ serial: UInt64) {
        logger.error("process not started", metadata: ["error": "\(SystemError("descriptors", EMFILE))"])
        process(serial)?.kill(.start, through: launcher)
        if let worker = workers[serial] { orderAnswered(worker) }
    }

    private func processFailed(_ serial: UInt64, step: String, error: SystemError) {
        // One that was killed on its way is what was asked for.
        if process(serial)?.killCause != .retired {
            var metadata: Logger.Metadata = ["launcher.step": "\(step)", "error": "\(error)"]
            metadata["push.topic"] = workers[serial].map { "\($0.pool.configuration.app)" }
            logger.error("process not started", metadata: metadata)
        }
        if let worker = workers[serial] {
            workerNotStarted(worker)
        } else if opener.process?.serial == serial {
            openerEnded(.notStarted(error))
        }
    }

    private func processExited(_ serial: UInt64, _ exit: ProcessExit) {
        if let worker = workers[serial] {
            workerExited(worker, exit)
        } else if let process = opener.process, process.serial == serial {
            // What it said before its end still counts; a socket holds some hundred packets.
            drainOpenerPackets()
            logLastOutput(of: process)
            openerEnded(.exited(exit))
        }
    }

    /// Whether the launcher is gone, as of now: a start may fail before the loop has seen why.
    package func hasLostLauncher() -> Bool {
        if !isLauncherLost { readLauncher() }
        return isLauncherLost
    }

    /// Without the launcher nothing can be started; what it started is dying with it.
    private func loseLauncher() {
        guard !isLauncherLost else { return }
        isLauncherLost = true
        if let launcherRegistration { loop.forget(launcher.socket.raw, registration: launcherRegistration) }
        if !isEnding { logger.critical("launcher lost") }
        for run in runs.values { conclude(run, .failed(.launchFailed)) }
        for worker in workers.values {
            closeNetwork(of: worker)
            worker.close()
        }
        workers = [:]
        nextLook.take().map { deadlines.cancel($0.deadline) }
        abandonScratchAnswers()
        loseOpener()
        noteEnd()
        launcherLost.raise()
    }
}
