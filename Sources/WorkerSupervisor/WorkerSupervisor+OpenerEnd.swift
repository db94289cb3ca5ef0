// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Logging

// The opener's end, and what becomes of what it had.
extension WorkerSupervisor {
    /// The host ends, and the opener with it: what it answered for is on the disk.
    func dismissOpener() {
        opener.process?.kill(.retired, through: launcher)
    }

    /// Nobody has answered; what lies in the socket was said in time.
    func openingTimedOut(_ id: UInt64) {
        let deadline = opener.openings[id]?.deadline
        drainOpenerPackets()
        guard let opening = opener.openings[id], opening.deadline == deadline else { return }
        finishOpening(id, .unavailable)
        guard let sent = opening.sent, let limit = configuration.opener?.answerLimit else { return }
        opener.abandoned.insert(id)
        // Killed before the push hears of it, so that what follows waits for the next opener; the push's own budget may
        // be shorter than what the opener may take.
        if clock.now >= sent + limit { return answerLimitPassed(id) }
        _ = schedule(at: sent + limit) { $0.answerLimitPassed(id) }
    }

    /// Answers take microseconds; a process that had the packet for so long does not answer at all.
    private func answerLimitPassed(_ id: UInt64) {
        drainOpenerPackets()
        guard opener.abandoned.contains(id) else { return }
        opener.process?.kill(.hang, through: launcher)
    }

    /// The process is gone or as good as gone: what it had goes to the next one, once, and that one starts.
    func openerEnded(_ error: OpenerError) {
        guard let process = opener.process else { return }
        process.kill(.hang, through: launcher)
        process.close()
        opener.process = nil
        opener.isReady = false
        opener.abandoned = []
        openerLostFile()
        takeBackOpenings()
        restartOpener(after: error)
        noteEnd()
    }

    /// A payload that was opened and remembered, but not answered for, opens again for its own number.
    private func takeBackOpenings() {
        let end = clock.now + openerPatience
        var returned: [UInt64] = []
        for (id, opening) in opener.openings where opening.sent != nil {
            guard !opening.wasTakenBack else {
                finishOpening(id, .unavailable)
                continue
            }
            deadlines.cancel(opening.deadline)
            opener.openings[id]?.deadline = schedule(at: min(opening.end, end)) { $0.openingTimedOut(id) }
            opener.openings[id]?.sent = nil
            opener.openings[id]?.wasTakenBack = true
            returned.append(id)
        }
        opener.waiting = returned.sorted() + opener.waiting
    }

    /// At once after one that had worked; then after 100 ms; from the third on after 1, 2, 4 … 60 seconds.
    func restartOpener(after error: OpenerError) {
        if let starting = opener.starting {
            opener.starting = nil
            return starting.resume(returning: error)
        }
        guard !isEnding, !isLauncherLost else { return }
        opener.failedStarts += 1
        logger.error("opener ended", metadata: ["error": "\(error)", "opener.failedStarts": "\(opener.failedStarts)"])
        let pause: Duration =
            switch opener.failedStarts {
            case 1: .zero
            case 2: .milliseconds(100)
            default: .seconds(min(60, 1 << min(6, opener.failedStarts - 3)))
            }
        _ = schedule(at: clock.now + pause) { $0.spawnOpener() }
    }

    /// Nothing can be opened any more.
    func loseOpener() {
        opener.process?.close()
        opener.process = nil
        opener.isReady = false
        openerLostFile()
        for id in opener.openings.keys { finishOpening(id, .unavailable) }
        opener.starting?.resume(returning: .launcherLost)
        opener.starting = nil
    }
}
