// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// The requests that lie in workers' hands behind those that are begun.
///
/// Belongs to the supervisor's actor and is called on its loop's thread alone. A request leaves the desk when its turn
/// comes, or goes back to the source of work: when it was asked back, and when its worker ends.
final class AheadDesk {
    private let staffing: Staffing
    private let listener: WorkerListener
    private weak var source: (any WorkSource)?

    init(staffing: Staffing, listener: WorkerListener) {
        self.staffing = staffing
        self.listener = listener
    }

    /// Nothing may be sent ahead before this.
    func join(_ source: any WorkSource) { self.source = source }

    /// A request has left the worker's hands: the turn of those behind it may have come.
    func advance(_ worker: WorkerProcess, now: Duration) {
        while let next = worker.beginNext(now: now) { source?.begun(next.run) }
    }

    /// The worker has not begun the request and gives it back.
    func takeBack(_ requestID: UInt64, from worker: WorkerProcess) {
        if let request = worker.requests[requestID] { source?.takeBack(request.run) }
    }

    /// The worker ends, which is no end of what it has not begun.
    func takeBackAll(from worker: WorkerProcess) {
        for requestID in worker.waitingRequests.reversed() { takeBack(requestID, from: worker) }
    }

    /// Asks workers that take long for what waits behind it, because others may have time.
    ///
    /// Returns those that were asked long ago and have not answered.
    func recall(from workers: [WorkerProcess], now: Duration) -> [WorkerProcess] {
        workers.filter { worker in
            guard worker.keepsWaiting(for: Roster.quickness, now: now) else { return false }
            // What it has said by now counts.
            listener.readContents(of: worker)
            guard worker.isServiceable, worker.keepsWaiting(for: Roster.quickness, now: now) else { return false }
            staffing.holdBack(worker)
            worker.recallWaiting(now: now)
            return worker.keepsRecalled(for: WorkerRules.silenceLimit, now: now)
        }
    }
}
