// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
package import HostRuntime
import WorkerProtocol

extension WorkerSupervisor: ExtensionRunning {
    package func run(_ request: ExtensionRequest, window: BudgetWindow) async -> ExtensionResult {
        guard let pool = pools[request.app], !isLauncherLost, clock.now >= pool.notBefore else {
            return ExtensionResult(.failed(.launchFailed), worker: nil)
        }
        return await withCheckedContinuation { continuation in
            let run = ExtensionRun(
                id: nextSerial(),
                request: request,
                window: window,
                pool: pool,
                continuation: continuation
            )
            let id = run.id
            runs[id] = run
            run.deadlines = [
                schedule(at: window.expiry) { $0.lastCall(id) },
                schedule(at: window.end) { $0.budgetEnded(id) },
            ]
            pool.waiting.append(run)
            dispatch(pool)
        }
    }

    /// Completions that came second or too late, by app.
    package var repeatedCompletions: [String: Int] {
        pools.mapValues(\.repeatedCompletions)
    }

    /// Gives waiting runs to the pool's worker, or starts one.
    func dispatch(_ pool: ExtensionPool) {
        while let run = pool.waiting.first {
            guard let worker = pool.worker else { return startWorker(for: pool) }
            guard worker.isReceptive, worker.runs.count < pool.configuration.maxConcurrentRequests else { return }
            pool.waiting.removeFirst()
            give(run, to: worker)
        }
    }

    private func give(_ run: ExtensionRun, to worker: WorkerProcess) {
        guard let requestID = worker.conversation.openRequest() else { return }
        let message = HostMessage.request(
            id: requestID,
            HostMessage.Request(
                identifier: run.request.push.identifier,
                date: run.request.push.receivedAt.timestamp,
                payload: run.request.payload,
                budgetMilliseconds: max(0, (run.window.end - clock.now).milliseconds)
            )
        )
        guard let bytes = try? message.packet.encoded() else {
            // A payload of 4 KB that cannot be said in 64: escapes make text at most six times longer.
            worker.conversation.close(id: requestID)
            return conclude(run, .failed(.protocolViolation))
        }
        worker.runs[requestID] = run
        worker.servedCount += 1
        run.isFresh = worker.servedCount == 1
        run.assignment = (worker, requestID)
        worker.channel.send(bytes)
        // It waited so long that its last call is due already.
        if clock.now >= run.window.expiry { lastCall(run.id) }
    }

    /// Hands the result over; everything that comes later for this run is without effect.
    func conclude(_ run: ExtensionRun, _ conclusion: ExtensionResult.Conclusion) {
        guard runs.removeValue(forKey: run.id) != nil else { return }
        for deadline in run.deadlines { deadlines.cancel(deadline) }
        var use: WorkerUse?
        if let (worker, requestID) = run.assignment {
            worker.runs[requestID] = nil
            worker.conversation.close(id: requestID)
            worker.readMemory(now: clock.now)
            use = WorkerUse(
                pid: worker.pid,
                fresh: run.isFresh,
                peakMemoryByteCount: worker.peakMemoryByteCount,
                sandbox: worker.sandbox
            )
        } else if let index = run.pool.waiting.firstIndex(where: { $0 === run }) {
            run.pool.waiting.remove(at: index)
        }
        run.continuation.resume(returning: ExtensionResult(conclusion, worker: use))
    }

    // MARK: Deadlines

    private func lastCall(_ id: UInt64) {
        guard let worker = runs[id]?.assignment?.worker else { return }
        // A completion that waits in the socket was not made at the last call.
        readPackets(of: worker)
        guard let requestID = runs[id]?.assignment?.requestID,
            let bytes = try? HostMessage.willExpire(id: requestID).packet.encoded(),
            worker.channel.sendImmediately(bytes)
        else { return }
        _ = worker.conversation.warn(id: requestID)
    }

    private func budgetEnded(_ id: UInt64) {
        guard let run = runs[id] else { return }
        guard let (worker, _) = run.assignment else { return conclude(run, .failed(.budgetExceeded)) }
        // A completion that was sent in time may still wait in the socket, behind others.
        drainPackets(of: worker)
        guard runs[id] != nil else { return }
        worker.kill(.budget, through: launcher)
        for run in worker.runs.values { conclude(run, .failed(run.budgetFailure)) }
        replace(worker)
    }
}

extension ExtensionRun {
    /// The host claims no more than it saw: a worker that spoke after the last call ignored it; of a silent one it is
    /// known only that its time is up.
    var budgetFailure: ExtensionFailure {
        wasHeardAfterLastCall ? .timeWillExpireIgnored : .budgetExceeded
    }
}
