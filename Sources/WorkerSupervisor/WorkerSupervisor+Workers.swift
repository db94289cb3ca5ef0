// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Foundation
import Glibc
import HostRuntime
import Logging
import WorkerProtocol

// The life of one worker process, as the roster decides on it.
extension WorkerSupervisor {
    /// Does what the roster says until it has nothing more to say; called after everything that happens to an app.
    func settle(_ pool: ExtensionPool) {
        guard !isLauncherLost, !isEnding else { return }
        while let step = roster.nextStep(
            for: pool.index,
            waiting: pool.waiting.count,
            since: pool.waiting.since,
            now: clock.now
        ) {
            switch step {
            case .give(let serial):
                guard let worker = workers[serial], let run = pool.waiting.popFirst() else { return }
                give(run, to: worker)
            case .start:
                if pool.isSpareHeldBack, pool.waiting.isEmpty { return bringSpareLater(for: pool) }
                startWorker(for: pool)
            case .retire(let serial):
                guard let worker = workers[serial] else { return }
                retire(worker)
            case .evict(let serial):
                guard let worker = workers[serial] else { return }
                worker.pool.counts.evicted += 1
                roster.evict(serial)
                worker.kill(.retired, through: launcher)
            }
        }
    }

    /// When the request is over and its result is on its way, or at the next look at busy workers.
    private func bringSpareLater(for pool: ExtensionPool) {
        guard roster.staffs[pool.index].openCount == 0 else { return }
        pool.isSpareHeldBack = false
        let index = pool.index
        loop.perform { [weak self] in self?.assumeIsolated { $0.settle($0.orderedPools[index]) } }
    }

    private func startWorker(for pool: ExtensionPool) {
        let serial = nextSerial()
        roster.started(serial, for: pool.index)
        do {
            let order = ProcessOrder(
                serial: serial,
                kind: LAUNCHER_EXTENSION,
                slot: pool.slot,
                folder: pool.configuration.bundlePath,
                executable: pool.configuration.executable,
                memoryLimitByteCount: pool.configuration.memoryLimitByteCount,
                processorSecondLimit: pool.configuration.processorSecondLimit(cores: Self.coreCount),
                grants: pool.configuration.grants,
                timeZone: configuration.timeZone
            )
            let ends = try launcher.start(order, on: loop) { [weak self] readiness in
                self?.assumeIsolated { $0.socketReady(serial, readiness) }
            } outputReady: { [weak self] _ in
                self?.assumeIsolated { $0.readOutput(serial) }
            }
            let worker = WorkerProcess(serial: serial, channel: ends.channel, output: ends.output, pool: pool)
            workers[serial] = worker
            pool.counts.starts += 1
            let hello = HostMessage.hello(
                HostMessage.Hello(
                    bundleIdentifier: pool.configuration.bundleIdentifier,
                    topic: pool.configuration.app,
                    scratch: scratchFolder(of: pool),
                    maxConcurrentRequests: pool.configuration.maxConcurrentRequests,
                    filter: filter(for: pool.configuration.grants)
                )
            )
            worker.channel.send(try hello.packet.encoded())
            worker.limit = schedule(at: clock.now + pool.configuration.startLimit) { $0.startLimitPassed(serial) }
        } catch {
            logger.error(
                "worker not started",
                metadata: ["push.topic": "\(pool.configuration.app)", "error": "\(error)"]
            )
            workers.removeValue(forKey: serial)?.close()
            roster.remove(serial, of: pool.index)
            startFailed(in: pool)
        }
    }

    /// As the worker sees it.
    private func scratchFolder(of pool: ExtensionPool) -> String? {
        let grants = pool.configuration.grants
        guard grants.scratchByteCount > 0 else { return nil }
        return launcher.hasOwnRoot ? "/scratch" : grants.storagePath
    }

    private static let coreCount = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))

    /// The launcher has answered: the next order may go.
    func orderAnswered(_ worker: WorkerProcess) {
        roster.orderAnswered(worker.serial, of: worker.pool.index)
        settlePostponed()
    }

    private func settlePostponed() {
        while let index = roster.nextPostponed() { settle(orderedPools[index]) }
    }

    func becameReady(_ worker: WorkerProcess) {
        worker.wasEverReady = true
        enterService(worker)
    }

    /// A worker serves as soon as it has said that it is ready and the launcher that it was started, in either order.
    ///
    /// Before the launcher's word it is not known who it is, what confines it, what it was granted and what it uses.
    func enterService(_ worker: WorkerProcess) {
        guard worker.wasEverReady, worker.pid > 0, worker.killCause == nil, !worker.isSilent else { return }
        worker.limit.take().map(deadlines.cancel)
        worker.sandbox = worker.describedSandbox(of: launcher)
        worker.readMemory(now: clock.now)
        worker.lookedAtAtRest = clock.now
        roster.becameReady(worker.serial, of: worker.pool.index, now: clock.now)
        watchSoon()
    }

    /// Stage 2 as the SDK loads it; nil when the launcher made none.
    private func filter(for grants: LaunchGrants) -> String? {
        let hasScratch = grants.scratchByteCount > 0
        let code = launcher.stage2(
            scratch: hasScratch,
            network: hasScratch && grants.network,
            trap: configuration.reportsRefusedCalls
        )
        return code.isEmpty ? nil : Data(code).base64EncodedString()
    }

    private func startLimitPassed(_ serial: UInt64) {
        guard let worker = workers[serial] else { return }
        // What it said in time may still lie in the socket.
        drainPackets(of: worker)
        guard roster.member(serial, of: worker.pool.index)?.stage == .starting else { return }
        worker.kill(.start, through: launcher)
    }

    /// The first run that waited for a worker is what its failed start costs; when starts keep failing, all of them are.
    func startFailed(in pool: ExtensionPool) {
        roster.startFailed(in: pool.index, now: clock.now)
        guard roster.staffs[pool.index].isVacant else { return }
        let failed = isPaused(pool) ? pool.waiting.removeAll() : pool.waiting.popFirst().map { [$0] } ?? []
        for run in failed { conclude(run, .failed(.launchFailed)) }
    }

    // MARK: Its end

    /// The worker gets nothing new, and is asked to end when it has nothing left.
    func retire(_ worker: WorkerProcess) {
        guard roster.member(worker.serial, of: worker.pool.index)?.isRetiring == false else { return }
        roster.retire(worker.serial, of: worker.pool.index)
        worker.pool.counts.recycled += 1
        if !worker.isBusy { sayFarewell(to: worker) }
    }

    func becameIdle(_ worker: WorkerProcess) {
        worker.processorTimeAtRest = nil
        worker.lookedAtAtRest = clock.now
        lookAtScratch(of: worker)
        guard worker.killCause == nil, roster.member(worker.serial, of: worker.pool.index)?.isRetiring == true else {
            return
        }
        sayFarewell(to: worker)
    }

    /// The host ends, and the worker with it: one that has served may have something to put away.
    func dismiss(_ worker: WorkerProcess) {
        guard roster.member(worker.serial, of: worker.pool.index)?.servedCount ?? 0 > 0 else {
            return worker.kill(.retired, through: launcher)
        }
        sayFarewell(to: worker)
    }

    /// One that does not end within a second is killed.
    func sayFarewell(to worker: WorkerProcess) {
        if let bytes = try? HostMessage.shutdown.packet.encoded() { _ = worker.channel.sendImmediately(bytes) }
        let serial = worker.serial
        worker.limit.take().map(deadlines.cancel)
        worker.limit = schedule(at: clock.now + .seconds(1)) { supervisor in
            supervisor.workers[serial]?.kill(.retired, through: supervisor.launcher)
        }
    }

    /// The worker gets nothing new; one that never was ready counts as starting until its end is known.
    func leaveService(_ worker: WorkerProcess) {
        if worker.wasEverReady { roster.retire(worker.serial, of: worker.pool.index) }
    }

    /// Kills a worker and concludes what it has; the app's spare takes over.
    func end(
        _ worker: WorkerProcess,
        _ cause: SandboxedProcess.KillCause,
        _ failure: (ExtensionRun) -> ExtensionFailure
    ) {
        leaveService(worker)
        worker.kill(cause, through: launcher)
        for run in Array(worker.runs.values) { conclude(run, .failed(failure(run))) }
        takeBackUnsent(of: worker, failure)
        settle(worker.pool)
    }

    /// The launcher could not start it.
    func workerNotStarted(_ worker: WorkerProcess) {
        letGo(of: worker)
        startFailed(in: worker.pool)
        settleAfterEnd(of: worker)
    }

    func workerExited(_ worker: WorkerProcess, _ exit: ProcessExit) {
        // First of all, so that nothing new is given to it.
        leaveService(worker)
        // What it said before its end still counts.
        drainPackets(of: worker)
        leaveService(worker)
        worker.logLastOutput(through: &buffer, to: logger)
        let failure = worker.failure(after: exit)
        logger.debug("worker exited", metadata: ["worker.pid": "\(worker.pid)", "worker.exit": "\(exit)"])
        if worker.endedByItself(exit) { takeBackUnread(of: worker) }
        for run in Array(worker.runs.values) { conclude(run, .failed(failure)) }
        takeBackUnsent(of: worker) { _ in failure }
        let servedCount = roster.member(worker.serial, of: worker.pool.index)?.servedCount ?? 0
        letGo(of: worker)
        if servedCount == 0, worker.killCause != .retired { endedUnused(worker, exit) }
        settleAfterEnd(of: worker)
    }

    private func endedUnused(_ worker: WorkerProcess, _ exit: ProcessExit) {
        if exit.signal == SIGKILL, worker.killCause == nil, roster.excuse(worker.pool.index) { return }
        var metadata: Logger.Metadata = [
            "push.topic": "\(worker.pool.configuration.app)", "worker.pid": "\(worker.pid)", "worker.exit": "\(exit)",
            "hint": "with --log-level debug the log has what it printed",
        ]
        metadata["worker.killedFor"] = worker.killCause.map { "\($0)" }
        logger.error("worker ended before it served", metadata: metadata)
        // To a notification that waits it is all one whether the worker said `ready` before it ended.
        if worker.wasEverReady, worker.pool.waiting.isEmpty {
            roster.spareFailed(in: worker.pool.index)
        } else {
            startFailed(in: worker.pool)
        }
    }

    private func letGo(of worker: WorkerProcess) {
        worker.limit.take().map(deadlines.cancel)
        closeNetwork(of: worker)
        worker.close()
        workers[worker.serial] = nil
        roster.remove(worker.serial, of: worker.pool.index)
        noteEnd()
        let dropped = worker.allowance.droppedLogCount
        guard dropped > 0 else { return }
        logger.notice(
            "log lines dropped",
            metadata: [
                "worker.pid": "\(worker.pid)", "push.topic": "\(worker.pool.configuration.app)",
                "worker.droppedLogLines": "\(dropped)",
            ]
        )
    }

    /// Room has come free: for the apps that have waited for it, then for the worker's own.
    private func settleAfterEnd(of worker: WorkerProcess) {
        guard !isEnding else { return }
        if roster.staffs[worker.pool.index].members.isEmpty { renewTemporaryFolder(of: worker.pool) }
        for index in roster.hungry { settle(orderedPools[index]) }
        settle(worker.pool)
        settlePostponed()
    }

    /// A request that the worker never read was not given to the extension: the next worker gets it.
    ///
    /// Once for each notification, so that a worker that ends without reading costs starts only so long.
    private func takeBackUnread(of worker: WorkerProcess) {
        guard worker.channel.wasLeftUnread, worker.runs.count == 1,
            let (requestID, run) = worker.runs.first, !worker.conversation.wasWarned(id: requestID),
            mayWaitAgain(run), run.delivery == nil
        else { return }
        removeGiven(of: run, from: worker)
        release(requestID, of: worker)
        run.pool.counts.given -= 1
        waitAgain(run)
    }
}

extension WorkerProcess {
    /// One that closed its socket may have been ending already when it was killed for that: the kernel then keeps to
    /// the end that was under way.
    fileprivate func endedByItself(_ exit: ProcessExit) -> Bool {
        killCause == nil || killCause == .silence && exit.signal != SIGKILL
    }

    fileprivate func failure(after exit: ProcessExit) -> ExtensionFailure {
        switch killCause {
        case .silence where !endedByItself(exit), .violation: .protocolViolation
        case .budget: .budgetExceeded
        case .start: .launchFailed
        case .memory: .memoryLimitExceeded
        case .storage: .crashed(signal: SIGKILL)
        case .silence, .hang, .retired, nil:
            exit.failure(
                memoryLimitByteCount: pool.configuration.memoryLimitByteCount,
                fileByteCount: fileByteCount
            )
        }
    }
}
