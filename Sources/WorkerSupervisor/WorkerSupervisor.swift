// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Dispatch
import Glibc
package import HostRuntime
package import Locking
package import Logging
import NotificationPayload
package import SceneModel
package import WorkerProtocol

/// Starts, watches and ends the sandboxed processes: one opener, and the workers of each extension.
///
/// The actor lives on an event loop's thread. It has no state of processes and notifications itself: it brings each
/// report of the launcher and each call of a port to the owner of that part, which `SupervisorOwners` lists. The ports
/// answer exactly once whatever a process does. Every process can die at any instruction: its exit is reported by the
/// launcher, and the work it held concludes then at the latest.
package actor WorkerSupervisor {
    package nonisolated let loop: EventLoop
    /// Raised when the launcher is gone: nothing can be started any more and the host should end.
    package nonisolated let launcherLost = Signal()

    private let launcher: Launcher
    private let configuration: SupervisorConfiguration
    private let clock: HostClock
    private let deadlines: DeadlineQueue
    private let logger: Logger
    private let gate = StartGate()
    private var firstOwners: [String: String] = [:]
    private(set) lazy var owners = makeOwners()
    /// Raised when the last process has ended after the call of `end`.
    private let allEnded = Signal()
    private var launcherRegistration: UInt64?

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
    }

    /// Starts the opener, waits until it holds its keys, and warms a worker for every extension.
    ///
    /// `firstOwners` are the owners who have the apps' own folders and keychains, by topic; an app that is not among
    /// them has the only owner. Throws what the opener refuses at its start; a worker that does not start is the matter
    /// of its next push.
    package func start(firstOwners: [String: String] = [:]) async throws {
        self.firstOwners = firstOwners
        launcherRegistration = try loop.register(launcher.socket.raw, interest: .read) { [weak self] _ in
            self?.assumeIsolated { $0.readLauncher() }
        }
        try await owners.opener.start()
        for app in configuration.extensions.indices { owners.pool.settle(app) }
    }

    /// The launcher's process id.
    package var launcherProcess: Int32 { launcher.pid }

    /// The socket to the launcher and its place in the loop, for tests.
    var launcherSocket: (raw: CInt, registration: UInt64?) { (launcher.socket.raw, launcherRegistration) }

    /// Lets every process go, and returns when the launcher has reported the end of the last one.
    ///
    /// From the call on nothing is started, and afterwards no process has a folder of the host open. Workers that have
    /// served are asked to end and have a second for it; those that have not are killed, and so is the
    /// opener. Call it when nothing is open any more, while the deadlines run. When the waiting task is cancelled, what
    /// is left dies with the launcher.
    package func end() async {
        gate.end()
        owners.pool.dismissAll()
        owners.views.dismissAll()
        owners.openerProcess.dismiss()
        if hasProcesses { await allEnded.wait() }
        let storage = owners.storageQueue
        await withCheckedContinuation { continuation in storage.async { continuation.resume() } }
    }

    private var hasProcesses: Bool {
        !owners.pool.isEmpty || !owners.views.isEmpty || owners.openerProcess.serial != nil
    }

    /// A process is gone.
    private func noteEnd() {
        if gate.isEnding, !hasProcesses { allEnded.raise() }
    }

    // MARK: The launcher's reports

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
        let isOpener = owners.openerProcess.serial == event.serial
        if owners.views.owns(event.serial), event.type != LAUNCHER_SCRATCH_FILE.rawValue {
            return handleView(event)
        }
        switch launcher_message_type(rawValue: event.type) {
        case LAUNCHER_STARTED where event.descriptors_lost != 0:
            // The process was started, and this one has no descriptor left for it: it ends before it serves.
            logger.error("process not started", metadata: ["error": "\(SystemError("descriptors", EMFILE))"])
            if isOpener { owners.openerProcess.cannotBeHeld() } else { owners.pool.cannotHold(event.serial) }
        case LAUNCHER_STARTED:
            let process = LaunchedProcess(event)
            if isOpener { owners.openerProcess.started(process) } else { owners.pool.started(event.serial, process) }
        case LAUNCHER_SCRATCH_FILE:
            owners.scratch.answered(event)
        case LAUNCHER_FAILED:
            let step = event.failedStep
            failed(event.serial, isOpener: isOpener, step: step, error: SystemError(step, event.error))
        case LAUNCHER_EXITED:
            let exit = ProcessExit(event)
            if isOpener { return owners.openerProcess.exited(exit) }
            guard let worker = owners.pool.worker(event.serial) else { return }
            owners.listener.hearLast(of: worker) { [owners] in
                owners.pool.exited(worker.serial, exit)
                owners.scratch.workerEnded(worker.serial)
            }
        default:
            loseLauncher()
        }
    }

    private func handleView(_ event: launcher_event) {
        switch launcher_message_type(rawValue: event.type) {
        case LAUNCHER_STARTED where event.descriptors_lost != 0: owners.views.cannotHold(event.serial)
        case LAUNCHER_STARTED: owners.views.started(event.serial, LaunchedProcess(event))
        case LAUNCHER_FAILED: owners.views.notStarted(event.serial, SystemError(event.failedStep, event.error))
        case LAUNCHER_EXITED:
            owners.views.exited(event.serial, ProcessExit(event))
            owners.scratch.workerEnded(event.serial)
        default: loseLauncher()
        }
    }

    private func failed(_ serial: UInt64, isOpener: Bool, step: String, error: SystemError) {
        let worker = owners.pool.worker(serial)
        // One that was killed on its way is what was asked for.
        if worker?.killCause != .retired, !isOpener || !owners.openerProcess.isDismissed {
            var metadata: Logger.Metadata = ["launcher.step": "\(step)", "error": "\(error)"]
            metadata["push.topic"] = worker.map { "\($0.site.configuration.app)" }
            logger.error("process not started", metadata: metadata)
        }
        if isOpener { owners.openerProcess.end(.notStarted(error)) } else { owners.pool.notStarted(serial) }
    }

    package var isLauncherLost: Bool { gate.isLauncherLost }

    /// Tells whether the launcher is gone, after a look at its socket: a start may fail before the loop has seen why.
    package func hasLostLauncher() -> Bool {
        if !isLauncherLost { readLauncher() }
        return isLauncherLost
    }

    /// Without the launcher nothing can be started; what it started is dying with it.
    private func loseLauncher() {
        guard !isLauncherLost else { return }
        gate.loseLauncher()
        if let launcherRegistration { loop.forget(launcher.socket.raw, registration: launcherRegistration) }
        if !gate.isEnding { logger.critical("launcher lost") }
        owners.runs.loseLauncher()
        owners.pool.loseLauncher()
        owners.views.loseLauncher()
        owners.watch.stop()
        owners.scratch.abandon()
        owners.opener.loseLauncher()
        noteEnd()
        launcherLost.raise()
    }
}

// MARK: Owners

extension WorkerSupervisor {
    private func makeOwners() -> SupervisorOwners {
        SupervisorOwners(
            configuration: configuration,
            launcher: launcher,
            gate: gate,
            logger: logger,
            firstOwners: firstOwners,
            timetables: .init(
                sites: timetable { $0.owners.sites },
                openerProcess: timetable { $0.owners.openerProcess },
                opener: timetable { $0.owners.opener },
                sealedFiles: timetable { $0.owners.sealedFiles },
                listener: timetable { $0.owners.listener },
                pool: timetable { $0.owners.pool },
                watch: timetable { $0.owners.watch },
                files: timetable { $0.owners.files },
                runs: timetable { $0.owners.runs },
                viewQuestions: timetable { $0.owners.viewQuestions },
                viewFiles: timetable { $0.owners.viewFiles },
                viewGifts: timetable { $0.owners.viewGifts },
                viewWatch: timetable { $0.owners.viewWatch },
                views: timetable { $0.owners.views }
            ),
            processEnded: { [weak self] in self?.assumeIsolated { $0.noteEnd() } }
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
        // Whoever was cancelled before `cutOff` and comes after it is not cut off any more.
        guard !Task.isCancelled else { return .unavailable }
        return await withCheckedContinuation { owners.opener.open(request, deadline: deadline, answer: $0) }
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

extension WorkerSupervisor: ExtensionRunning {
    package func run(_ request: ExtensionRequest, within time: ExtensionTime) async -> ExtensionResult {
        guard !Task.isCancelled else { return ExtensionResult(.failed(.exitedEarly), worker: nil) }
        return await withCheckedContinuation { owners.runs.run(request, within: time, answer: $0) }
    }
}

extension WorkerSupervisor {
    /// Concludes every opening, every sealed file and every notification at once, and ends the workers that had begun
    /// one.
    ///
    /// A host calls it whose work counts no more. Spare workers and views stay.
    package func cutOff() {
        owners.sealedFiles.cutOff()
        owners.opener.cutOff()
        owners.runs.cutOff()
    }

    /// Opens a view of an app's content extension and returns its number; `nil` when there is no such extension or no
    /// room.
    ///
    /// The view is the owner's; without an owner it is the first one's. `report` is called on the loop's thread, and
    /// with `ended` exactly once, as the last.
    package func openView(
        _ opening: ViewOpening,
        _ files: [ViewAttachment] = [],
        of topic: String,
        for owner: String? = nil,
        report: @escaping @Sendable (ViewReport) -> Void
    ) -> UInt64? {
        owners.views.open(
            opening,
            files,
            of: topic,
            for: owner ?? firstOwners[topic] ?? OwnedApp.onlyOwner,
            report: report
        )
    }

    /// Hands an event to a view and returns its number, which the scene that takes it in acknowledges; throws what the
    /// scene does not offer, and returns `nil` for a view that is no more.
    package func send(_ word: ViewWord, toView number: UInt64) throws(EventFault) -> UInt64? {
        try owners.views.send(word, to: number)
    }

    /// Hands an event on under a number of the caller's that rises; what the scene does not offer is acknowledged
    /// without effect, behind what came before it.
    package func pass(
        _ word: ViewWord,
        _ files: [ViewAttachment] = [],
        numbered event: UInt64,
        toView number: UInt64
    ) {
        owners.views.pass(word, files, numbered: event, to: number)
    }

    /// The whole scene of a view, to which all later reports fit; `nil` when there is none.
    package func scene(ofView number: UInt64) -> SceneUpdate? { owners.views.scene(of: number) }

    /// Has a view end; its report tells when.
    package func closeView(_ number: UInt64) { owners.views.close(number) }
}

extension WorkerSupervisor {
    /// The processes of views that a host has at once.
    package static var viewLimit: Int { ViewRules.views }
}

extension WorkerSupervisor: ActivityReporting {
    package var activity: HostActivity {
        var apps: [String: ExtensionCounts] = [:]
        for site in 0..<owners.sites.count {
            apps[owners.sites.topic(of: site), default: ExtensionCounts()].add(owners.staffing.counts(of: site))
        }
        return HostActivity(
            apps: apps,
            workers: owners.staffing.stages,
            waiting: owners.runs.waitingCount
        )
    }
}

extension launcher_event {
    /// The step of a start that failed.
    fileprivate var failedStep: String {
        unsafe withUnsafeBytes(of: step) { step in unsafe String(decoding: step.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
