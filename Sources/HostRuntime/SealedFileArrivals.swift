// SPDX-License-Identifier: Apache-2.0

private import Locking

/// The sealed files of one notification as they come, for whoever does not wait for all of them.
package final class SealedFileArrivals: Sendable {
    private struct State {
        var kept: [Int: Attachment] = [:]
        /// All are there that will be, or nobody waits any more.
        var isOver = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    package init() {}

    /// A file is in the host's store; `place` is its own among those of the payload.
    package func add(_ attachment: Attachment, at place: Int) {
        state.withLock { $0.kept[place] = attachment }
    }

    /// No more will come.
    func finish() {
        let waiter = state.withLock { state in
            state.isOver = true
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits for all, until `instant` at most, and returns what has come by then, in the order of the payload.
    ///
    /// To be called once. An identifier stands for one file: of several with one the first is returned.
    package func wait(until instant: Duration, on deadlines: DeadlineQueue) async -> [Attachment] {
        let deadline = deadlines.schedule(at: instant) { self.finish() }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiter = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
        deadlines.cancel(deadline)
        let kept = state.withLock { $0.kept }.sorted { $0.key < $1.key }.map(\.value)
        var identifiers: Set<String> = []
        return kept.filter { !$0.identifier.isEmpty && identifiers.insert($0.identifier).inserted }
    }
}
