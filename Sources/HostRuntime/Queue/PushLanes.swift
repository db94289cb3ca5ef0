// SPDX-License-Identifier: Apache-2.0

private import Locking

/// Starts stored pushes in their lanes and ends them, until nothing is left to start.
final class PushLanes: Sendable {
    private struct State {
        var board: LaneBoard
        var isDraining = false
        /// True once waiting pushes are no longer started: they stay on the disk.
        var isLeaving = false
        /// Numbers up to this are of former processes.
        var lastOfFormerProcess: Int64 = 0
        /// Pushes whose turn it is, until `run` has them; bounded by the lanes that may be at work.
        var starting: [IncomingPush] = []
        var hasEnded = false
    }

    private let state: Locked<State>
    private let unfinished: @Sendable () -> Int
    /// Raised when pushes start, and at the end.
    private let hasNews = Signal()

    /// `unfinished` counts the pushes without an outcome, in memory or not; in a drain it only gets smaller.
    init(limits: QueueLimits, unfinished: @escaping @Sendable () -> Int) {
        state = Locked(State(board: LaneBoard(limits: limits)))
        self.unfinished = unfinished
    }

    // MARK: At work

    /// Concludes pushes until nothing starts any more; `ended` gets the end of each, if it has one, and a topic of
    /// which there is room for more from the disk.
    func run(
        _ conclude: @escaping @Sendable (IncomingPush) async -> Conclusion?,
        ended: @escaping @Sendable (PushEnding?, _ topicToLoad: String?) -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                // The pushes live on in their tasks alone.
                let hasEnded = takeStarting { first in
                    group.addTask {
                        var next: IncomingPush? = first
                        while let push = next {
                            let conclusion = await conclude(push)
                            next = self.finish(push, conclusion, ended)
                        }
                    }
                }
                if hasEnded { return }
                await hasNews.wait()
            }
        }
    }

    /// Hands out the pushes whose turn it is; true when no more will come.
    private func takeStarting(_ start: (IncomingPush) -> Void) -> Bool {
        let (starting, hasEnded) = state.withLock { state in
            defer { state.starting = [] }
            return (state.starting, state.hasEnded)
        }
        for push in starting { start(push) }
        return hasEnded
    }

    /// Takes a concluded push out of memory and returns the next that starts.
    private func finish(
        _ push: IncomingPush,
        _ conclusion: Conclusion?,
        _ ended: (PushEnding?, _ topicToLoad: String?) -> Void
    ) -> IncomingPush? {
        let (next, wantsLoad, isOver) = state.withLock { state -> (IncomingPush?, Bool, Bool) in
            let next = state.board.finished(push, startsNext: !state.isLeaving)
            return (next, !state.isLeaving && state.board.wantsLoad(push.topic), self.isOver(state))
        }
        let ending = conclusion.map {
            PushEnding(conclusion: $0, topic: push.topic, byteCount: push.payloadByteCount)
        }
        ended(ending, wantsLoad ? push.topic : nil)
        if isOver { end() }
        return next
    }

    // MARK: Pushes come from the journal

    /// Takes in pushes that were stored after all others, and starts those whose turn it is.
    func take(_ stored: [IncomingPush]) {
        let isAnyStarting = state.withLock { state in
            guard !state.isLeaving else { return false }
            for push in stored {
                if let first = state.board.stored(push) { state.starting.append(first) }
            }
            return !state.starting.isEmpty
        }
        if isAnyStarting { hasNews.raise() }
    }

    /// Notes what a former process left on the disk.
    func takeUp(_ pushes: [UnfinishedPush]) {
        state.withLock { state in
            for push in pushes { state.board.takeUp(topic: push.topic) }
            state.lastOfFormerProcess = pushes.last?.number ?? 0
        }
    }

    /// Topics of which something is on the disk only.
    var topicsOnDisk: Set<String> { state.withLock { Set($0.board.topicsOnDisk) } }

    /// Returns what to read next of a topic, `nil` when there is nothing or no room.
    func nextLoad(of topic: String) -> (after: Int64, limit: Int)? {
        state.withLock { $0.isLeaving ? nil : $0.board.nextLoad(of: topic) }
    }

    /// Takes in and starts what was read of a topic.
    func loaded(_ pushes: [IncomingPush], of topic: String, isAll: Bool) {
        let isAnyStarting = state.withLock { state in
            let marked = pushes.map { push in
                var push = push
                push.isTakenUpAgain = (push.number ?? 0) <= state.lastOfFormerProcess
                return push
            }
            state.starting += state.board.loaded(marked, of: topic, isAll: isAll)
            return !state.starting.isEmpty
        }
        if isAnyStarting { hasNews.raise() }
    }

    /// Notes that a topic could not be read.
    func notLoaded(_ topic: String) { state.withLock { $0.board.notLoaded(topic) } }

    // MARK: The end

    /// Ends the run when what was accepted has concluded; nothing more is let in already.
    func drain() { state.withLock { $0.isDraining = true } }

    /// Ends the run when what is at work has concluded.
    func leave() {
        state.withLock { state in
            state.isDraining = true
            state.isLeaving = true
        }
    }

    func finishIfOver() {
        if state.withLock({ self.isOver($0) }) { end() }
    }

    private func end() {
        state.withLock { $0.hasEnded = true }
        hasNews.raise()
    }

    /// Tells whether nothing starts any more and nothing is at work.
    private func isOver(_ state: State) -> Bool {
        state.isDraining && state.board.lanesAtWork == 0
            && (state.isLeaving || (state.board.loaded == 0 && unfinished() == 0))
    }
}
