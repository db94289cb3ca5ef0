// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
package import HostRuntime
import WorkerProtocol

// The life of one notification: it waits, a worker gets it, it concludes.
extension WorkerSupervisor: ExtensionRunning {
    package func run(_ request: ExtensionRequest, within time: ExtensionTime) async -> ExtensionResult {
        guard let pool = pools[request.app], !isLauncherLost, !isEnding, !isPaused(pool) else {
            return ExtensionResult(.failed(.launchFailed), worker: nil)
        }
        guard !pool.waiting.isFull else {
            pool.counts.noWorker += 1
            return ExtensionResult(.failed(.noWorker), worker: nil)
        }
        return await withCheckedContinuation { continuation in
            let run = ExtensionRun(
                id: nextSerial(),
                request: request,
                time: time,
                asked: clock.now,
                pool: pool,
                continuation: continuation
            )
            runs[run.id] = run
            if !roster.staffs[pool.index].hasWorker { pool.counts.coldStarts += 1 }
            pool.waiting.append(run, since: run.asked)
            roster.needed(pool.index)
            settle(pool)
            // Most are taken at once, and have no wait that could end.
            if runs[run.id] != nil, run.taken == nil { scheduleEndOfWait(of: run) }
        }
    }

    /// Its starts fail, and it has no worker from before.
    func isPaused(_ pool: ExtensionPool) -> Bool {
        clock.now < roster.staffs[pool.index].notBefore && roster.staffs[pool.index].isVacant
    }

    func give(_ run: ExtensionRun, to worker: WorkerProcess) {
        run.isFresh = roster.member(worker.serial, of: run.pool.index)?.servedCount == 0
        if run.pool.configuration.isolation == .notification, roster.staffs[run.pool.index].openCount == 0 {
            renewTemporaryFolder(of: run.pool)
        }
        roster.requestBegan(with: worker.serial, of: run.pool.index, now: clock.now)
        beginBudget(of: run)
        run.pool.isSpareHeldBack = true
        guard takesFiles(run, worker) else { return send(run, to: worker) }
        prepare(run, for: worker)
    }

    /// The roster knows already that the worker has it.
    func send(_ run: ExtensionRun, to worker: WorkerProcess) {
        guard let requestID = worker.conversation.openRequest() else { return cannotSend(run, to: worker) }
        let message = HostMessage.request(
            id: requestID,
            HostMessage.Request(
                identifier: run.request.push.identifier,
                date: run.request.push.receivedAt.timestamp,
                payload: run.request.payload,
                budgetMilliseconds: run.millisecondsLeft(at: clock.now),
                attachments: run.given.map(\.asSeenByWorker)
            )
        )
        guard let bytes = try? message.packet.encoded() else {
            // A payload of 4 KB that cannot be said in 64: escapes make text at most six times longer.
            worker.conversation.close(id: requestID)
            return cannotSend(run, to: worker)
        }
        worker.runs[requestID] = run
        run.assignment = (worker, requestID)
        run.pool.counts.given += 1
        requestBegan(requestID, of: worker)
        worker.channel.send(bytes)
        watchSoon()
        watchStorage(of: run.pool)
        // Its files took so long that its last call is due already.
        if clock.now >= run.expiry { lastCall(run.id) }
    }

    private func cannotSend(_ run: ExtensionRun, to worker: WorkerProcess) {
        roster.requestEnded(with: worker.serial, of: run.pool.index, now: clock.now)
        removeGiven(of: run, from: worker)
        conclude(run, .failed(.protocolViolation))
    }

    /// A worker's content for an open request.
    func completed(_ run: ExtensionRun, with content: WorkerMessage.Content, isLate: Bool) {
        run.pool.counts.completed += 1
        if isLate { run.pool.counts.completedLate += 1 }
        roster.completed(in: run.pool.index)
        run.assignment?.worker.earnTurns(through: launcher)
        guard content.attachments?.isEmpty ?? true else {
            return takeAttachments(of: content, isLate: isLate, for: run)
        }
        conclude(run, .content(content.payload, late: isLate), attachments: content.attachments.map { _ in .init() })
    }

    /// Hands the result over; everything that comes later for this run is without effect.
    ///
    /// The one way out for every notification, once for each. Whatever ends a worker takes nothing from a content that
    /// came before: while its files are being taken it waits for those alone. Without `attachments` a content says
    /// nothing of files.
    func conclude(
        _ run: ExtensionRun,
        _ conclusion: ExtensionResult.Conclusion,
        attachments: Attachments? = nil
    ) {
        guard run.delivery == nil, runs.removeValue(forKey: run.id) != nil else { return }
        for deadline in run.deadlines { deadlines.cancel(deadline) }
        var use: WorkerUse?
        let given = attachments == nil ? [] : run.given.map(\.attachment)
        if let (worker, requestID) = run.assignment {
            if case .failed = conclusion { run.pool.counts.missingCompletions += 1 }
            worker.sampleMemory(now: clock.now)
            use = WorkerUse(
                pid: worker.pid,
                fresh: run.isFresh,
                peakMemoryByteCount: worker.peakMemoryByteCount,
                sandbox: worker.sandbox
            )
            // Before its folder is looked at.
            removeGiven(of: run, from: worker)
            release(requestID, of: worker)
        } else if run.preparation != nil {
            leavePreparation(run)
        } else {
            run.pool.waiting.remove { $0 === run }
        }
        run.continuation.resume(
            returning: ExtensionResult(
                conclusion,
                attachments: attachments ?? .init(),
                given: given,
                worker: use,
                taken: run.taken
            )
        )
    }

    /// The worker does not have the request any more.
    func release(_ requestID: UInt64, of worker: WorkerProcess) {
        guard worker.runs.removeValue(forKey: requestID) != nil else { return }
        worker.conversation.close(id: requestID)
        requestEnded(requestID, of: worker)
        roster.requestEnded(with: worker.serial, of: worker.pool.index, now: clock.now)
        if !worker.isBusy { becameIdle(worker) }
    }

    // MARK: Deadlines

    private func scheduleEndOfWait(of run: ExtensionRun) {
        let id = run.id
        run.deadlines = [schedule(at: run.waitEnd) { $0.waitEnded(id) }]
        // Time may have a further worker serve it.
        watchSoon()
    }

    private func beginBudget(of run: ExtensionRun) {
        for deadline in run.deadlines { deadlines.cancel(deadline) }
        run.take(at: clock.now)
        let id = run.id
        run.deadlines = [
            schedule(at: run.expiry) { $0.lastCall(id) },
            schedule(at: run.end) { $0.budgetEnded(id) },
        ]
    }

    /// The worker that had it ends and never read it: it waits again, in its old place, as long as it had left.
    func waitAgain(_ run: ExtensionRun) {
        for deadline in run.deadlines { deadlines.cancel(deadline) }
        run.takeBack()
        run.pool.waiting.prepend(run, since: run.asked)
        scheduleEndOfWait(of: run)
    }

    /// One that was not taken back before, and whose time to wait is not over.
    func mayWaitAgain(_ run: ExtensionRun) -> Bool {
        !run.wasTakenBack && clock.now < run.waitEnd
    }

    private func waitEnded(_ id: UInt64) {
        guard let run = runs[id], run.taken == nil else { return }
        run.pool.counts.noWorker += 1
        conclude(run, .failed(.noWorker))
        settle(run.pool)
    }

    private func lastCall(_ id: UInt64) {
        // Files that are not there by now are not given.
        if let run = runs[id], run.preparation != nil { return prepared(run) }
        guard runs[id]?.delivery == nil, let worker = runs[id]?.assignment?.worker else { return }
        // A completion that waits in the socket was not made at the last call.
        readPackets(of: worker)
        defer { settle(worker.pool) }
        guard runs[id]?.delivery == nil, let requestID = runs[id]?.assignment?.requestID,
            let bytes = try? HostMessage.willExpire(id: requestID).packet.encoded(),
            worker.channel.sendImmediately(bytes)
        else { return }
        _ = worker.conversation.warn(id: requestID)
    }

    private func budgetEnded(_ id: UInt64) {
        guard let run = runs[id] else { return }
        guard let (worker, _) = run.assignment else {
            conclude(run, .failed(.budgetExceeded))
            return settle(run.pool)
        }
        // A completion that was sent in time may still wait in the socket, behind others.
        drainPackets(of: worker)
        guard runs[id] != nil else { return settle(worker.pool) }
        guard run.delivery == nil else { return abandonAttachments(of: run) }
        end(worker, .budget) { $0.budgetFailure }
    }
}
