// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Glibc
import HostRuntime
import Logging
import WorkerProtocol

// The life of one worker process.
extension WorkerSupervisor {
    func startWorker(for pool: ExtensionPool) {
        guard pool.worker == nil, !isLauncherLost, !isEnding, clock.now >= pool.notBefore else { return }
        let serial = nextSerial()
        do {
            let ends = try spawn(
                serial: serial,
                kind: LAUNCHER_EXTENSION,
                slot: pool.slot,
                folder: pool.configuration.bundlePath,
                executable: pool.configuration.executable,
                memoryLimitByteCount: pool.configuration.memoryLimitByteCount,
                grants: pool.configuration.grants
            )
            let worker = WorkerProcess(serial: serial, channel: ends.channel, output: ends.output, pool: pool)
            workers[serial] = worker
            pool.worker = worker
            let hello = HostMessage.hello(
                HostMessage.Hello(
                    bundleIdentifier: pool.configuration.bundleIdentifier,
                    topic: pool.configuration.app,
                    scratch: nil,
                    maxConcurrentRequests: pool.configuration.maxConcurrentRequests
                )
            )
            worker.channel.send(try hello.packet.encoded())
            _ = schedule(at: clock.now + pool.configuration.startLimit) { $0.startLimitPassed(serial) }
        } catch {
            logger.error(
                "worker not started",
                metadata: ["push.topic": "\(pool.configuration.app)", "error": "\(error)"]
            )
            startFailed(in: pool)
        }
    }

    private func startLimitPassed(_ serial: UInt64) {
        guard let worker = workers[serial], !worker.conversation.isReady else { return }
        worker.kill(.start, through: launcher)
    }

    /// A worker ended before it was ready.
    func startEnded(of worker: WorkerProcess) {
        dropFromPool(worker)
        startFailed(in: worker.pool)
    }

    /// The first run that waited for a worker is what its failed start costs; when starts keep failing, all of them are.
    private func startFailed(in pool: ExtensionPool) {
        pool.pauseAfterFailedStart(now: clock.now)
        let isPaused = clock.now < pool.notBefore
        for run in isPaused ? pool.waiting : pool.waiting.prefix(1) { conclude(run, .failed(.launchFailed)) }
        dispatch(pool)
    }

    /// Takes a worker out of its pool and warms another before the next push asks for it.
    ///
    /// One that ended without ever having served gets no successor until a push needs it.
    func replace(_ worker: WorkerProcess) {
        dropFromPool(worker)
        if worker.servedCount > 0 { startWorker(for: worker.pool) }
        dispatch(worker.pool)
    }

    private func dropFromPool(_ worker: WorkerProcess) {
        if worker.pool.worker === worker { worker.pool.worker = nil }
    }

    /// Asks a worker to end after its last request; it is killed when it does not.
    func retire(_ worker: WorkerProcess) {
        defer { replace(worker) }
        if let bytes = try? HostMessage.shutdown.packet.encoded() { _ = worker.channel.sendImmediately(bytes) }
        let serial = worker.serial
        _ = schedule(at: clock.now + .seconds(1)) { supervisor in
            supervisor.workers[serial]?.kill(.retired, through: supervisor.launcher)
        }
    }

    // MARK: What a worker says

    /// Takes at most sixteen packets, so that no worker keeps the loop to itself; false when none is left.
    @discardableResult
    func readPackets(of worker: WorkerProcess) -> Bool {
        for _ in 0..<16 {
            guard !worker.isSilent else { return false }
            switch worker.channel.receive(into: &buffer) {
            case .nothing: return false
            case .packet(let count): handlePacket(count, of: worker)
            case .violation: violated(worker, .transport)
            case .closed: fellSilent(worker)
            }
        }
        return true
    }

    /// Takes what lies in the socket; it holds some hundred packets at most.
    func drainPackets(of worker: WorkerProcess) {
        for _ in 0..<64 where readPackets(of: worker) {}
    }

    private func handlePacket(_ count: Int, of worker: WorkerProcess) {
        do {
            switch try worker.conversation.receive(buffer.span.extracting(0..<count)) {
            case .becameReady:
                worker.wasEverReady = true
                worker.sandbox = worker.sandbox(of: launcher)
                worker.readMemory(now: clock.now)
            case .completed(let requestID, let content, let isLate):
                noteHeard(worker, except: requestID)
                guard let run = worker.runs[requestID] else { return }
                worker.pool.failedStarts = 0
                conclude(run, .content(content.payload, late: isLate))
                if worker.servedCount >= worker.pool.servedLimit, worker.runs.isEmpty { retire(worker) }
            case .repeatedCompletion:
                worker.pool.repeatedCompletions += 1
                noteChatter(of: worker)
            case .log(let log):
                noteHeard(worker, except: nil)
                guard worker.logAllowance.take(now: clock.now) else { return noteChatter(of: worker) }
                logger.log(
                    level: log.level.loggerLevel,
                    "extension",
                    metadata: [
                        "worker.pid": "\(worker.pid)",
                        "worker.line": "\(log.message.asLogLine)",
                    ]
                )
            }
            dispatch(worker.pool)
        } catch {
            violated(worker, error)
        }
    }

    /// Counts what a worker says in vain; one that says nothing else is ended.
    private func noteChatter(of worker: WorkerProcess) {
        worker.chatterCount += 1
        if worker.chatterCount > WorkerProcess.chatterLimit { violated(worker, .chatter) }
    }

    private func noteHeard(_ worker: WorkerProcess, except requestID: UInt64?) {
        for (id, run) in worker.runs where id != requestID && worker.conversation.wasWarned(id: id) {
            run.wasHeardAfterLastCall = true
        }
    }

    private func violated(_ worker: WorkerProcess, _ violation: WorkerConversation.Violation) {
        logger.warning(
            "protocol violation",
            metadata: [
                "worker.pid": "\(worker.pid)", "push.topic": "\(worker.pool.configuration.app)",
                "error": "\(violation)",
            ]
        )
        worker.isSilent = true
        worker.channel.close()
        let wasStarting = !worker.wasEverReady
        worker.kill(.violation, through: launcher)
        for run in worker.runs.values { conclude(run, .failed(.protocolViolation)) }
        if wasStarting { return startEnded(of: worker) }
        replace(worker)
    }

    /// The worker closed its socket.
    ///
    /// Usually it is dying; one that lives on without it is of no use.
    private func fellSilent(_ worker: WorkerProcess) {
        worker.isSilent = true
        worker.channel.close()
        let serial = worker.serial
        _ = schedule(at: clock.now + .milliseconds(500)) { supervisor in
            supervisor.workers[serial]?.kill(.violation, through: supervisor.launcher)
        }
    }

    /// A request that the worker never read was not given to the extension: the next worker gets it.
    ///
    /// Once for each notification, so that a worker that ends without reading costs starts only so long.
    private func takeBackUnread(of worker: WorkerProcess) {
        guard worker.channel.wasLeftUnread, worker.killCause == nil, worker.runs.count == 1,
            let (requestID, run) = worker.runs.first, !worker.conversation.wasWarned(id: requestID),
            !run.wasTakenBack
        else { return }
        worker.runs[requestID] = nil
        run.wasTakenBack = true
        run.assignment = nil
        run.pool.waiting.insert(run, at: run.pool.waiting.startIndex)
    }

    func workerExited(_ worker: WorkerProcess, _ exit: ProcessExit) {
        let wasCurrent = worker.pool.worker === worker
        // First of all, so that nothing new is given to it.
        dropFromPool(worker)
        // What it said before its end still counts.
        drainPackets(of: worker)
        logLastOutput(of: worker)
        worker.close()
        workers[worker.serial] = nil
        let failure = worker.failure(after: exit)
        logger.debug("worker exited", metadata: ["worker.pid": "\(worker.pid)", "worker.exit": "\(exit)"])
        takeBackUnread(of: worker)
        for run in worker.runs.values { conclude(run, .failed(failure)) }
        guard wasCurrent, worker.servedCount == 0, worker.killCause != .retired else { return replace(worker) }
        // A worker that ends without having served: a kill from outside says nothing about the extension, as long as
        // it is not the rule.
        if exit.signal == SIGKILL, worker.killCause == nil, worker.pool.failedStarts < 8 {
            worker.pool.failedStarts += 1
            return replace(worker)
        }
        startFailed(in: worker.pool)
    }
}

extension WorkerProcess {
    fileprivate func failure(after exit: ProcessExit) -> ExtensionFailure {
        switch killCause {
        case .violation: .protocolViolation
        case .budget: .budgetExceeded
        case .start: .launchFailed
        case .hang, .retired, nil:
            exit.failure(
                memoryLimitByteCount: pool.configuration.memoryLimitByteCount,
                fileByteCount: fileByteCount
            )
        }
    }
}

extension WorkerMessage.Log.Level {
    fileprivate var loggerLevel: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .error: .error
        case .fault: .critical
        }
    }
}
