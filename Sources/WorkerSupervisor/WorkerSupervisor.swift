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
    /// Looks at and removes what extensions store.
    nonisolated let storageQueue = DispatchQueue(label: "storage")
    /// Reads and writes what extensions keep in their keychains.
    nonisolated let keychainQueue = DispatchQueue(label: "keychain")
    /// When the workers are looked at next.
    var nextLook: (instant: Duration, deadline: DeadlineQueue.ID)?
    let gate = StartGate()
    let serials = SerialNumbers()
    private(set) lazy var owners = makeOwners()
    /// Raised when the last process has ended after the call of `end`.
    private let allEnded = Signal()
    /// What was read last: one byte more than a packet may have.
    var buffer = [UInt8](repeating: 0, count: Packet.maximumByteCount + 1)
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
        try await owners.opener.start()
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
        gate.end()
        for worker in Array(workers.values) { dismiss(worker) }
        owners.opener.dismiss()
        if !workers.isEmpty || owners.opener.server != nil { await allEnded.wait() }
        await withCheckedContinuation { continuation in storageQueue.async { continuation.resume() } }
    }

    /// A process is gone.
    func noteEnd() {
        if isEnding, workers.isEmpty, owners.opener.server == nil { allEnded.raise() }
    }

    /// A new number for a process, a run or an opening; never used twice.
    func nextSerial() -> UInt64 { serials.next() }

    package var isLauncherLost: Bool { gate.isLauncherLost }
    var isEnding: Bool { gate.isEnding }

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

// MARK: Owners

extension WorkerSupervisor {
    /// Who has the state, each its own part.
    struct Owners {
        let scratch: ScratchDesk
        let opener: OpenerClient
        let sealedFiles: SealedFileDesk
    }

    private func makeOwners() -> Owners {
        let equipment = Equipment(
            configuration: configuration,
            launcher: launcher,
            gate: gate,
            serials: serials,
            logger: logger,
            processEnded: { [weak self] in self?.assumeIsolated { $0.noteEnd() } }
        )
        let opener = OpenerClient(equipment, timetable: timetable { $0.owners.opener })
        return Owners(
            scratch: ScratchDesk(launcher),
            opener: opener,
            sealedFiles: SealedFileDesk(
                opener: opener,
                serials: serials,
                timetable: timetable { $0.owners.sealedFiles }
            )
        )
    }

    private func timetable<Owner: AnyObject>(
        of owner: @escaping @Sendable (isolated WorkerSupervisor) -> Owner
    ) -> Timetable<Owner> {
        Timetable(loop: loop, clock: clock, deadlines: deadlines) { [weak self] work in
            self?.assumeIsolated { work(owner($0)) }
        }
    }
}

// MARK: Ports

extension WorkerSupervisor: PayloadOpening {
    package func open(_ request: OpenRequest, deadline: Duration) async -> OpenResult {
        await withCheckedContinuation { owners.opener.open(request, deadline: deadline, answer: $0) }
    }

    /// A number that no opening of before has, in this run or a former one that the opener remembers.
    package var nextOpening: Int64 { owners.opener.nextRow }
}

extension WorkerSupervisor: SealedFileOpening {
    package func open(
        _ file: SealedFile,
        for app: String,
        from sealed: HeldFile,
        into makeTarget: @escaping @Sendable () -> HeldFile?,
        deadline: Duration
    ) async throws(AttachmentRefusal) -> HeldFile {
        try await owners.sealedFiles.open(file, for: app, from: sealed, into: makeTarget, deadline: deadline)
    }
}

// MARK: Processes

extension WorkerSupervisor {
    func socketReady(_ serial: UInt64, _ readiness: EventLoop.Readiness) {
        guard let worker = workers[serial] else { return }
        if readiness.contains(.write) { worker.channel.flush() }
        readPackets(of: worker)
        settle(worker.pool)
    }

    func readOutput(_ serial: UInt64) {
        workers[serial]?.logOutput(through: &buffer, to: logger)
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
        case LAUNCHER_STARTED where owners.opener.isServer(event.serial):
            owners.opener.started(LaunchedProcess(event))
        case LAUNCHER_STARTED:
            let started = LaunchedProcess(event)
            if let worker = workers[event.serial] {
                worker.started(started)
                openNetwork(for: worker)
                orderAnswered(worker)
                enterService(worker)
                settle(worker.pool)
            }
        case LAUNCHER_SCRATCH_FILE:
            owners.scratch.answered(event)
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
        guard let worker = workers[serial] else {
            if owners.opener.isServer(serial) { owners.opener.cannotBeHeld() }
            return
        }
        worker.kill(.start, through: launcher)
        orderAnswered(worker)
    }

    private func processFailed(_ serial: UInt64, step: String, error: SystemError) {
        let worker = workers[serial]
        let isOpener = owners.opener.isServer(serial)
        // One that was killed on its way is what was asked for.
        if worker?.killCause != .retired, !(isOpener && owners.opener.isDismissed) {
            var metadata: Logger.Metadata = ["launcher.step": "\(step)", "error": "\(error)"]
            metadata["push.topic"] = worker.map { "\($0.pool.configuration.app)" }
            logger.error("process not started", metadata: metadata)
        }
        if let worker {
            workerNotStarted(worker)
        } else if isOpener {
            owners.opener.failed(error)
        }
    }

    private func processExited(_ serial: UInt64, _ exit: ProcessExit) {
        if let worker = workers[serial] {
            workerExited(worker, exit)
        } else if owners.opener.isServer(serial) {
            owners.opener.exited(exit)
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
        gate.loseLauncher()
        if let launcherRegistration { loop.forget(launcher.socket.raw, registration: launcherRegistration) }
        if !isEnding { logger.critical("launcher lost") }
        for run in runs.values { conclude(run, .failed(.launchFailed)) }
        for worker in workers.values {
            closeNetwork(of: worker)
            worker.close()
        }
        workers = [:]
        nextLook.take().map { deadlines.cancel($0.deadline) }
        owners.scratch.abandon()
        owners.opener.loseLauncher()
        noteEnd()
        launcherLost.raise()
    }
}
