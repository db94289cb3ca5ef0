// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import HostRuntime
import Logging
import WorkerProtocol

/// The workers of all apps: their processes, from the order to the launcher until the exit.
///
/// Belongs to the supervisor's actor and is called on its loop's thread alone. Every process can die at any
/// instruction: its exit is reported by the launcher, and what it had goes back to the source of work.
final class WorkerPool {
    private let sites: ExtensionSites
    private let equipment: Equipment
    private let staffing: Staffing
    private let listener: WorkerListener
    private let starter: WorkerStarter
    private let network: WorkerNetwork
    private let ahead: AheadDesk
    private let timetable: Timetable<WorkerPool>
    private var workers: [UInt64: WorkerProcess] = [:]
    private weak var source: (any WorkSource)?
    private weak var watch: (any WorkerWatching)?

    init(
        _ equipment: Equipment,
        sites: ExtensionSites,
        staffing: Staffing,
        listener: WorkerListener,
        timetable: Timetable<WorkerPool>
    ) {
        self.equipment = equipment
        self.sites = sites
        self.staffing = staffing
        self.listener = listener
        self.timetable = timetable
        starter = WorkerStarter(equipment)
        network = WorkerNetwork(equipment)
        ahead = AheadDesk(staffing: staffing, listener: listener)
    }

    /// Nothing is started or given before this.
    func join(_ source: any WorkSource, _ watch: any WorkerWatching) {
        self.source = source
        self.watch = watch
        ahead.join(source)
        listener.join(self)
    }

    private var launcher: Launcher { equipment.launcher }
    private var logger: Logger { equipment.logger }

    // MARK: What the roster decides

    /// Does what the roster says until it has nothing more to say; called after everything that happens to an app.
    func settle(_ app: Int) {
        guard equipment.gate.isOpen, let source, let site = sites[app], site.configuration.role == .service else {
            return
        }
        while true {
            let line = source.line(of: app)
            let step = staffing.nextStep(for: app, line, now: timetable.now)
            switch step {
            case nil: return
            case .give(let serial):
                guard let worker = workers[serial], source.giveNext(of: app, to: worker) else { return }
            case .start:
                if staffing.isSpareHeldBack(of: app), line.count == 0 { return bringSpareLater(for: app) }
                startWorker(for: site)
            case .retire(let serial):
                guard let worker = workers[serial] else { return }
                retire(worker)
            case .evict(let serial):
                guard let worker = workers[serial] else { return }
                staffing.count(of: worker.site.index) { $0.evicted += 1 }
                staffing.evict(serial)
                worker.kill(.retired, through: launcher)
            }
        }
    }

    /// Starts the held-back spare once the app's requests are over and their results on their way, or leaves it to the
    /// next look at busy workers.
    private func bringSpareLater(for app: Int) {
        guard staffing.openCount(of: app) == 0 else { return }
        staffing.bringSpare(of: app)
        timetable.perform { $0.settle(app) }
    }

    private func startWorker(for site: ExtensionSite) {
        let serial = equipment.serials.next()
        staffing.started(serial, for: site.index)
        do {
            let order = starter.order(serial, for: site)
            let ends = try launcher.start(order, on: timetable.loop) { [timetable] readiness in
                timetable.performNow { $0.socketReady(serial, readiness) }
            } outputReady: { [timetable] _ in
                timetable.performNow { $0.outputReady(serial) }
            }
            let worker = WorkerProcess(serial: serial, ends: ends, site: site)
            workers[serial] = worker
            staffing.count(of: site.index) { $0.starts += 1 }
            worker.channel.send(try starter.hello(to: site))
            let limit = timetable.now + site.configuration.startLimit
            worker.limit = timetable.schedule(at: limit) { $0.startLimitPassed(serial) }
        } catch {
            logger.error(
                "worker not started",
                metadata: ["push.topic": "\(site.configuration.app)", "error": "\(error)"]
            )
            workers.removeValue(forKey: serial)?.close()
            staffing.removed(serial, of: site.index)
            startFailed(in: site.index)
        }
    }

    /// The launcher has answered: the next order may go.
    private func orderAnswered(_ worker: WorkerProcess) {
        staffing.orderAnswered(worker)
        settlePostponed()
    }

    private func settlePostponed() {
        while let app = staffing.nextPostponed() { settle(app) }
    }

    /// A worker serves as soon as it has said that it is ready and the launcher that it was started, in either order.
    private func enterService(_ worker: WorkerProcess) {
        guard worker.canServe else { return }
        worker.limit.take().map(timetable.cancel)
        worker.noteSandbox(of: launcher)
        worker.readMemory(now: timetable.now)
        worker.usage.enteredService(now: timetable.now)
        staffing.becameReady(worker, now: timetable.now)
        watch?.watchSoon()
    }

    private func startLimitPassed(_ serial: UInt64) {
        guard let worker = workers[serial] else { return }
        // What it said in time may still lie in the socket.
        listener.drain(worker)
        guard staffing.isStarting(worker) else { return }
        worker.kill(.start, through: launcher)
    }

    /// The first notification that waits is what a failed start costs; when starts keep failing, all that wait are.
    private func startFailed(in app: Int) {
        staffing.startFailed(in: app, now: timetable.now)
        guard staffing.isVacant(app) else { return }
        source?.startFailed(of: app, concludesAll: staffing.isPaused(app, now: timetable.now))
    }

    // MARK: Retirement

    /// The worker gets nothing new, and is asked to end when it has nothing left.
    func retire(_ worker: WorkerProcess) {
        guard staffing.isRetiring(worker) == false else { return }
        staffing.retire(worker)
        staffing.count(of: worker.site.index) { $0.recycled += 1 }
        if !staffing.isBusy(worker) { sayFarewell(to: worker) }
    }

    private func becameIdle(_ worker: WorkerProcess) {
        worker.usage.becameIdle(now: timetable.now)
        watch?.lookAtScratch(of: worker)
        guard worker.killCause == nil, staffing.isRetiring(worker) == true else { return }
        if worker.isOverdue { worker.kill(.budget, through: launcher) } else { sayFarewell(to: worker) }
    }

    /// The host ends, and its workers with it: one that has served may have something to put away.
    func dismissAll() {
        for worker in Array(workers.values) {
            if staffing.hasServed(worker) {
                sayFarewell(to: worker)
            } else {
                worker.kill(.retired, through: launcher)
            }
        }
    }

    /// Asks a worker to end; a worker that does not within a second is killed.
    private func sayFarewell(to worker: WorkerProcess) {
        if let bytes = try? HostMessage.shutdown.packet.encoded() { _ = worker.channel.sendImmediately(bytes) }
        limit(worker, to: .seconds(1)) { $0.workers[$1]?.kill(.retired, through: $0.launcher) }
    }

    private func limit(
        _ worker: WorkerProcess,
        to span: Duration,
        _ work: @escaping @Sendable (WorkerPool, UInt64) -> Void
    ) {
        let serial = worker.serial
        worker.limit.take().map(timetable.cancel)
        worker.limit = timetable.schedule(at: timetable.now + span) { work($0, serial) }
    }

    // MARK: Its end

    /// The worker gets nothing new; one that never was ready counts as starting until its end is known.
    private func leaveService(_ worker: WorkerProcess) {
        if worker.hasSaidReady { staffing.retire(worker) }
    }

    /// Kills a worker and concludes what it has begun with `failure`; the app's spare takes over.
    ///
    /// A notification that the worker has not begun or not got yet may go to another worker.
    func end(_ worker: WorkerProcess, _ cause: SandboxedProcess.KillCause, _ failure: ExtensionFailure) {
        leaveService(worker)
        worker.kill(cause, through: launcher)
        ahead.takeBackAll(from: worker)
        for request in Array(worker.requests.values) { source?.fail(request.run, failure) }
        source?.takeBackUnsent(of: worker, orFail: failure)
        settle(worker.site.index)
    }

    /// Takes a worker out of service that did not complete a request in its budget, and kills it once it has nothing
    /// else open: other requests keep their own time, one budget at most, since the worker gets nothing new.
    func endAfterOthers(_ worker: WorkerProcess) {
        worker.isOverdue = true
        leaveService(worker)
        worker.recallWaiting(now: timetable.now)
    }

    private func endedUnused(_ worker: WorkerProcess, _ exit: ProcessExit) {
        let app = worker.site.index
        if exit.signal == SIGKILL, worker.killCause == nil, staffing.excuse(app) { return }
        var metadata: Logger.Metadata = [
            "push.topic": "\(worker.site.configuration.app)", "worker.pid": "\(worker.pid)", "worker.exit": "\(exit)",
            "hint": "with --log-level debug the log has what it printed",
        ]
        metadata["worker.killedFor"] = worker.killCause.map { "\($0)" }
        logger.error("worker ended before it served", metadata: metadata)
        // If a notification is waiting, this counts as a failed start, even if the worker was ready before it ended.
        if worker.hasSaidReady, source?.line(of: app).count == 0 {
            staffing.spareFailed(in: app)
        } else {
            startFailed(in: app)
        }
    }

    private func letGo(of worker: WorkerProcess) {
        worker.limit.take().map(timetable.cancel)
        network.closed(worker)
        worker.close()
        workers[worker.serial] = nil
        staffing.removed(worker.serial, of: worker.site.index)
        equipment.processEnded()
        let dropped = worker.droppedLogCount
        guard dropped > 0 else { return }
        logger.notice(
            "log lines dropped",
            metadata: [
                "worker.pid": "\(worker.pid)", "push.topic": "\(worker.site.configuration.app)",
                "worker.droppedLogLines": "\(dropped)",
            ]
        )
    }

    /// Room has come free: for the apps that have waited for it, then for the worker's own.
    private func settleAfterEnd(of worker: WorkerProcess) {
        guard !equipment.gate.isEnding else { return }
        let app = worker.site.index
        if staffing.isDeserted(app), !sites.hasViews(app) { renewTemporaryFolder(of: worker.site) }
        for index in staffing.hungry { settle(index) }
        settle(app)
        settlePostponed()
    }

    /// Without mounts of its own a worker's `tmp` is a folder on the host's disk: the next one gets an empty one.
    private func renewTemporaryFolder(of site: ExtensionSite) {
        guard !launcher.hasOwnRoot, let storage = site.storage, let old = storage.renewTemporaryFolder() else { return }
        equipment.storageQueue.async { storage.removeOld(old) }
    }

    // MARK: Its descriptors

    private func socketReady(_ serial: UInt64, _ readiness: EventLoop.Readiness) {
        guard let worker = workers[serial] else { return }
        if readiness.contains(.write) { worker.channel.flush() }
        listener.read(worker)
        settle(worker.site.index)
    }

    private func outputReady(_ serial: UInt64) {
        if let worker = workers[serial] { listener.logOutput(of: worker) }
    }
}

// MARK: The launcher's reports

extension WorkerPool {
    func started(_ serial: UInt64, _ launched: consuming LaunchedProcess) {
        guard let worker = workers[serial] else { return }
        worker.started(launched)
        network.open(for: worker, of: worker.site.app)
        orderAnswered(worker)
        enterService(worker)
        settle(worker.site.index)
    }

    /// There is no descriptor left for the worker: it ends before it serves.
    func cannotHold(_ serial: UInt64) {
        guard let worker = workers[serial] else { return }
        worker.kill(.start, through: launcher)
        orderAnswered(worker)
    }

    func notStarted(_ serial: UInt64) {
        guard let worker = workers[serial] else { return }
        letGo(of: worker)
        startFailed(in: worker.site.index)
        settleAfterEnd(of: worker)
    }

    func exited(_ serial: UInt64, _ exit: ProcessExit) {
        guard let worker = workers[serial] else { return }
        // First of all, so that nothing new is given to it.
        leaveService(worker)
        // What it said before its end still counts.
        listener.drain(worker)
        leaveService(worker)
        listener.logLastOutput(of: worker)
        let failure = worker.failure(after: exit)
        logger.debug("worker exited", metadata: ["worker.pid": "\(worker.pid)", "worker.exit": "\(exit)"])
        // A request that the worker never began was not given to the extension: the next worker gets it. The last one
        // goes back first, so that those which wait again do so in their old order.
        let unbegun = worker.perhapsUnbegun(within: Roster.quickness, now: timetable.now)
        ahead.takeBackAll(from: worker)
        if worker.endedByItself(exit), let unbegun { source?.takeBackUnread(unbegun) }
        for request in Array(worker.requests.values) { source?.fail(request.run, failure) }
        source?.takeBackUnsent(of: worker, orFail: failure)
        let hasServed = staffing.hasServed(worker)
        letGo(of: worker)
        if !hasServed, worker.killCause != .retired { endedUnused(worker, exit) }
        settleAfterEnd(of: worker)
    }

    /// The workers are dying with the launcher; what they had was concluded.
    func loseLauncher() {
        for worker in workers.values {
            network.closed(worker)
            worker.close()
        }
        workers = [:]
    }
}

// MARK: Work

extension WorkerPool {
    /// A notification goes to the worker; true when the worker never had one.
    func occupy(_ worker: WorkerProcess) -> Bool {
        if worker.site.configuration.isolation == .notification, staffing.openCount(of: worker.site.index) == 0 {
            renewTemporaryFolder(of: worker.site)
        }
        return staffing.requestBegan(with: worker, now: timetable.now)
    }

    /// Sends the request of a notification that occupies the worker, and returns its number; `nil` means that the
    /// worker cannot get it.
    func send(
        _ request: HostMessage.Request,
        of run: UInt64,
        to worker: WorkerProcess
    ) -> UInt64? {
        guard let (requestID, packet) = worker.begin(request, of: run, now: timetable.now) else { return nil }
        network.began(requestID, with: worker)
        worker.channel.send(packet)
        watch?.watchSoon()
        watch?.watchStorage(of: worker.site)
        return requestID
    }

    /// The worker does not have the request any more.
    func release(_ requestID: UInt64, of worker: WorkerProcess) {
        guard worker.end(requestID) else { return }
        network.ended(requestID, with: worker)
        vacate(worker)
    }

    /// A notification that occupied the worker leaves it.
    func vacate(_ worker: WorkerProcess) {
        staffing.requestEnded(with: worker, now: timetable.now)
        if !staffing.isBusy(worker) {
            becameIdle(worker)
        } else if worker.site.configuration.requestsPerWorker == 1, watch?.needsRest(worker) ?? false {
            staffing.holdBack(worker)
        }
    }
}

// MARK: What is seen of the workers

extension WorkerPool {
    var all: [WorkerProcess] { Array(workers.values) }
    var isEmpty: Bool { workers.isEmpty }
    var hasRequests: Bool { workers.values.contains { !$0.requests.isEmpty } }

    /// Settles the apps to whose notifications time may bring a further worker; true when any notification waits.
    func settleWaiting() -> Bool {
        var isAnyWaiting = false
        for app in 0..<sites.count {
            let waits = source.map { $0.line(of: app).count > 0 } ?? false
            guard staffing.isSpareHeldBack(of: app) || waits else { continue }
            isAnyWaiting = isAnyWaiting || waits
            staffing.bringSpare(of: app)
            settle(app)
        }
        return isAnyWaiting
    }

    /// Asks workers that take long for what waits behind it: others may have time.
    ///
    /// A worker that does not answer gets nothing more, and is killed with the last request that it has begun.
    func recallFromSlow(now: Duration) {
        for worker in ahead.recall(from: all, now: now) {
            endAfterOthers(worker)
            ahead.takeBackAll(from: worker)
            settle(worker.site.index)
        }
    }

    /// Lets those go that have had nothing to do for long.
    func retireIdle(now: Duration) {
        for serial in staffing.idleWorkers(now: now) {
            guard let worker = workers[serial] else { continue }
            retire(worker)
            settle(worker.site.index)
        }
    }
}

// MARK: What workers say

extension WorkerPool: WorkerListenerDelegate {
    func becameReady(_ worker: WorkerProcess) { enterService(worker) }

    func completed(
        _ requestID: UInt64,
        by worker: WorkerProcess,
        with content: WorkerMessage.Content,
        isLate: Bool
    ) {
        guard let request = worker.requests[requestID] else { return }
        let time = request.begun.map { timetable.now - $0 } ?? .zero
        let isPreparing = staffing.openCount(of: worker) > worker.requests.count
        let hasFiles = content.attachments.map { !$0.isEmpty } ?? false
        staffing.completed(worker, after: time, isAmongFiles: isPreparing || hasFiles)
        worker.earnTurns(through: launcher)
        source?.completed(request.run, with: content, isLate: isLate)
    }

    func advanced(_ worker: WorkerProcess) {
        ahead.advance(worker, now: timetable.now)
    }

    func returned(_ requestID: UInt64, by worker: WorkerProcess) {
        ahead.takeBack(requestID, from: worker)
    }

    func violated(_ worker: WorkerProcess) {
        end(worker, .violation, .protocolViolation)
    }

    /// Usually it is dying; one that lives on without its socket is of no use.
    func fellSilent(_ worker: WorkerProcess) {
        leaveService(worker)
        worker.hungUp = timetable.now
        ahead.takeBackAll(from: worker)
        limit(worker, to: WorkerRules.silenceLimit) { pool, serial in
            // Of one that has ended by itself the launcher is only slow to tell, and its exit says why.
            guard let worker = pool.workers[serial], !worker.hasEnded else { return }
            worker.kill(.silence, through: pool.launcher)
        }
        settle(worker.site.index)
    }

    /// `nil` means that the process is gone.
    func worker(_ serial: UInt64) -> WorkerProcess? { workers[serial] }
}
