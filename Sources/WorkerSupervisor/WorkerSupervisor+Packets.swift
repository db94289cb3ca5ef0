// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Logging
import WorkerProtocol

// What a worker says.
extension WorkerSupervisor {
    /// Takes at most sixteen packets, and no more after 64 KiB, so that no worker keeps the loop to itself; false when
    /// none is left.
    @discardableResult
    func readPackets(of worker: WorkerProcess) -> Bool {
        var byteCount = 0
        for _ in 0..<16 where byteCount < 64 << 10 {
            guard !worker.isSilent else { return false }
            switch worker.channel.receive(into: &buffer) {
            case .nothing: return false
            case .packet(let count):
                byteCount += count
                handlePacket(count, of: worker)
            case .violation: violated(worker, .transport)
            case .closed: fellSilent(worker)
            }
        }
        return true
    }

    /// Takes what lies in the socket; it holds some hundred packets at most, and its worker may add to them meanwhile.
    func drainPackets(of worker: WorkerProcess) {
        for _ in 0..<32 where !readPackets(of: worker) { return }
    }

    private func handlePacket(_ count: Int, of worker: WorkerProcess) {
        guard isWorthReading(count, of: worker) else { return }
        do {
            switch try worker.conversation.receive(buffer.span.extracting(0..<count)) {
            case .becameReady: becameReady(worker)
            case .completed(let requestID, let content, let isLate):
                noteHeard(worker, except: requestID)
                guard let run = worker.runs[requestID] else { return }
                completed(run, with: content, isLate: isLate)
            case .repeatedCompletion: worker.pool.counts.repeatedCompletions += 1
            case .overdueCompletion: worker.pool.counts.overdueCompletions += 1
            case .keychain(let call): answerKeychain(call, of: worker)
            case .log(let log):
                noteHeard(worker, except: nil)
                logger.log(
                    level: log.level.loggerLevel,
                    "extension",
                    metadata: ["worker.pid": "\(worker.pid)", "worker.line": "\(log.message.asLogLine)"]
                )
            }
        } catch {
            violated(worker, error)
        }
    }

    /// Judges a packet by its first bytes: the completion of an open request always, anything else within bounds.
    ///
    /// Parsing costs the loop a hundred times what receiving does, so that a flood must not get that far.
    private func isWorthReading(_ count: Int, of worker: WorkerProcess) -> Bool {
        let bytes = buffer.span.extracting(0..<count)
        guard worker.wasEverReady, !worker.conversation.isOpenCompletion(bytes) else { return true }
        guard worker.allowance.takePacket(byteCount: count, now: clock.now) else {
            violated(worker, .chatter)
            return false
        }
        guard WorkerConversation.isLog(bytes), !worker.allowance.takeLog(now: clock.now) else { return true }
        worker.pool.counts.droppedLogLines += 1
        noteHeard(worker, except: nil)
        return false
    }

    private func noteHeard(_ worker: WorkerProcess, except requestID: UInt64?) {
        for (id, run) in worker.runs where id != requestID && worker.conversation.wasWarned(id: id) {
            run.wasHeardAfterLastCall = true
        }
    }

    private func violated(_ worker: WorkerProcess, _ violation: WorkerConversation.Violation) {
        worker.pool.counts.violations += 1
        logger.warning(
            "protocol violation",
            metadata: [
                "worker.pid": "\(worker.pid)", "push.topic": "\(worker.pool.configuration.app)",
                "error": "\(violation)",
            ]
        )
        worker.isSilent = true
        worker.channel.close()
        end(worker, .violation) { _ in .protocolViolation }
    }

    /// The worker closed its socket.
    ///
    /// Usually it is dying; one that lives on without it is of no use.
    private func fellSilent(_ worker: WorkerProcess) {
        worker.isSilent = true
        worker.channel.close()
        leaveService(worker)
        let serial = worker.serial
        worker.limit.take().map(deadlines.cancel)
        worker.limit = schedule(at: clock.now + .milliseconds(500)) { supervisor in
            // Of one that has ended by itself the launcher is only slow to tell, and its exit says why.
            guard let worker = supervisor.workers[serial], !worker.hasEnded else { return }
            worker.kill(.silence, through: supervisor.launcher)
        }
        settle(worker.pool)
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
