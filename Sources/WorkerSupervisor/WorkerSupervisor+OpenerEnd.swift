// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Logging

// The opener's end, and what becomes of what it had.
extension WorkerSupervisor {
    /// The host ends, and the opener with it: what it answered for is on the disk.
    func dismissOpener() {
        opener.process?.kill(.retired, through: launcher)
    }

    /// Its turn has not come, or its push gives up; what lies in the socket was said in time.
    func openingTimedOut(_ id: UInt64) {
        let deadline = opener.openings[id]?.deadline
        drainOpenerPackets()
        defer { handOpenings() }
        guard let opening = opener.openings[id], opening.deadline == deadline else { return }
        if opener.desk.hasInHand(id), clock.now < opening.end {
            opener.openings[id]?.deadline = schedule(at: opening.end) { $0.openingTimedOut(id) }
            return
        }
        opener.desk.gaveUp(id, of: opening.request.app)
        finishOpening(id, .unavailable)
    }

    /// Looks again when the opener has had the oldest of what it has for as long as an answer may take.
    func watchSilence() {
        guard opener.silenceLook == nil, let oldest = opener.desk.oldestHandedAt,
            let limit = configuration.opener?.answerLimit
        else { return }
        opener.silenceLook = schedule(at: oldest + limit) { $0.lookForSilence() }
    }

    /// Answers take microseconds; a process that had a packet for so long does not answer at all.
    func lookForSilence() {
        opener.silenceLook = nil
        drainOpenerPackets()
        guard let process = opener.process, let limit = configuration.opener?.answerLimit else { return }
        if let oldest = opener.desk.oldestHandedAt, clock.now >= oldest + limit, process.killCause == nil {
            // Here and not when its end is reported, so that what follows waits for the next opener.
            return openerEnded(.silent)
        }
        handOpenings()
    }

    /// The process is gone or as good as gone: the desk says who pays and who is tried again, and another one starts.
    func openerEnded(_ error: OpenerError) {
        guard let process = opener.process else { return }
        process.kill(.hang, through: launcher)
        process.close()
        opener.process = nil
        opener.isReady = false
        openerLostFile()
        restartOpener(after: error)
        noteEnd()
    }

    func restartOpener(after error: OpenerError) {
        let inHand = opener.desk.inHandCount
        let verdict = opener.desk.openerDied(wasSilent: error == .silent, now: clock.now)
        for id in verdict.concluded { finishOpening(id, .unavailable) }
        if let starting = opener.starting {
            opener.starting = nil
            return starting.resume(returning: error)
        }
        guard !isEnding, !isLauncherLost else { return }
        logger.error(
            "opener ended",
            metadata: [
                "error": "\(error)", "opener.inHand": "\(inHand)", "opener.failedStarts": "\(opener.desk.failedStarts)",
            ]
        )
        if let culprit = verdict.culprit {
            logger.error(
                "opener ended over a message",
                metadata: [
                    "push.topic": "\(culprit.app)", "opener.culprits": "\(culprit.count)",
                    "opener.pause": "\(culprit.pausedUntil - clock.now)",
                ]
            )
            _ = schedule(at: culprit.pausedUntil) { $0.handOpenings() }
        }
        _ = schedule(at: clock.now + verdict.restartPause) { $0.spawnOpener() }
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
