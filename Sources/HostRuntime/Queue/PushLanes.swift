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
        var isRunning = false
        /// Counts how often what was at work was cut off: what is read for an earlier board is not for this one.
        var cuts = 0
        /// Whoever waits for what is at work to be cut off; nothing starts until it is.
        var cutOff: [CheckedContinuation<Void, Never>] = []
        /// Ends work that does not hear of its cancellation.
        var abandon: @Sendable () async -> Void = {}
    }

    private let limits: QueueLimits
    private let state: Locked<State>
    private let unfinished: @Sendable () -> Int
    /// Raised when pushes start, and at the end.
    private let hasNews = Signal()

    /// `unfinished` counts the pushes without an outcome, in memory or not; in a drain it only gets smaller.
    ///
    /// A host that shares its pushes with others does not drain: it leaves, with what is at work alone.
    init(limits: QueueLimits, unfinished: @escaping @Sendable () -> Int) {
        self.limits = limits
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
        state.withLock { $0.isRunning = true }
        while !Task.isCancelled, await !runUntilCutOff(conclude, ended: ended) { becomeEmpty() }
        state.withLock { $0.isRunning = false }
        becomeEmpty()
    }

    /// Returns true when nothing starts any more, and false when what was at work is cut off.
    private func runUntilCutOff(
        _ conclude: @escaping @Sendable (IncomingPush) async -> Conclusion?,
        ended: @escaping @Sendable (PushEnding?, _ topicToLoad: String?) -> Void
    ) async -> Bool {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                // The pushes live on in their tasks alone.
                let (hasEnded, isCutOff) = takeStarting { first in
                    group.addTask {
                        var next: IncomingPush? = first
                        while let push = next {
                            let conclusion = await conclude(push)
                            next = self.finish(push, conclusion, ended)
                        }
                    }
                }
                if isCutOff {
                    group.cancelAll()
                    await state.withLock(\.abandon)()
                    return false
                }
                if hasEnded { return true }
                await hasNews.wait()
            }
            return true
        }
    }

    /// Hands out the pushes whose turn it is; says whether no more will come, and whether what is at work is cut off.
    private func takeStarting(_ start: (IncomingPush) -> Void) -> (hasEnded: Bool, isCutOff: Bool) {
        let (starting, hasEnded, isCutOff) = state.withLock { state in
            defer { state.starting = [] }
            return (state.starting, state.hasEnded, !state.cutOff.isEmpty)
        }
        if !isCutOff { for push in starting { start(push) } }
        return (hasEnded, isCutOff)
    }

    /// Forgets what waits and tells whoever has cut it off, if anybody has; nothing is at work.
    private func becomeEmpty() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard !state.cutOff.isEmpty else { return [] }
            state.board = LaneBoard(limits: limits)
            state.starting = []
            state.cuts += 1
            defer { state.cutOff = [] }
            return state.cutOff
        }
        for caller in waiting { caller.resume() }
        // An end that came meanwhile found something at work.
        if !waiting.isEmpty { finishIfOver() }
    }

    /// Calls `abandon` whenever what is at work has been cancelled, before anybody waits for its end.
    func onCutOff(_ abandon: @escaping @Sendable () async -> Void) { state.withLock { $0.abandon = abandon } }

    /// Cancels what is at work, forgets what waits, and returns when nothing is at work; then pushes may come anew.
    func cutOff() async {
        await withCheckedContinuation { caller in
            let isRunning = state.withLock { state in
                state.cutOff.append(caller)
                return state.isRunning
            }
            if isRunning { hasNews.raise() } else { becomeEmpty() }
        }
    }

    /// Takes out what waits of a partition, and returns it; what is at work of it goes on.
    func release(_ partition: Int16) -> [IncomingPush] { state.withLock { $0.board.release(partition) } }

    /// Takes a concluded push out of memory and returns the next that starts.
    private func finish(
        _ push: IncomingPush,
        _ conclusion: Conclusion?,
        _ ended: (PushEnding?, _ topicToLoad: String?) -> Void
    ) -> IncomingPush? {
        let (next, wantsLoad, isOver) = state.withLock { state -> (IncomingPush?, Bool, Bool) in
            let goesOn = !state.isLeaving && state.cutOff.isEmpty
            let next = state.board.finished(push, startsNext: goesOn)
            return (next, goesOn && state.board.wantsLoad(push.topic), self.isOver(state))
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

    /// Notes what a former process left on the disk: all up to the last of them.
    func takeUp(_ pushes: [UnfinishedPush]) {
        state.withLock { $0.lastOfFormerProcess = pushes.last?.number ?? 0 }
        announce(Set(pushes.map(\.topic)))
    }

    /// Notes that there is something of these topics to be loaded.
    func announce(_ topics: Set<String>) {
        state.withLock { state in
            for topic in topics { state.board.takeUp(topic: topic) }
        }
    }

    /// Topics of which something is on the disk only.
    var topicsOnDisk: Set<String> { state.withLock { Set($0.board.topicsOnDisk) } }

    /// A reading that is under way.
    struct Load {
        let wanted: LaneBoard.Load
        fileprivate let cuts: Int
    }

    /// Begins to read more of a topic; `nil` when there is nothing or no room.
    func nextLoad(of topic: String) -> Load? {
        state.withLock { state in
            guard !state.isLeaving, state.cutOff.isEmpty else { return nil }
            return state.board.nextLoad(of: topic).map { Load(wanted: $0, cuts: state.cuts) }
        }
    }

    /// Takes in and starts what was read of a topic.
    func loaded(_ pushes: [IncomingPush], by load: Load) {
        let isAnyStarting = state.withLock { state in
            guard state.cutOff.isEmpty, state.cuts == load.cuts else { return false }
            let marked = pushes.map { push in
                var push = push
                if (push.number ?? 0) <= state.lastOfFormerProcess { push.isTakenUpAgain = true }
                return push
            }
            state.starting += state.board.loaded(marked, by: load.wanted)
            return !state.starting.isEmpty
        }
        if isAnyStarting { hasNews.raise() }
    }

    /// Notes that a topic could not be read.
    func notLoaded(_ load: Load) {
        state.withLock { if $0.cuts == load.cuts { $0.board.notLoaded(load.wanted) } }
    }

    // MARK: The end

    /// Ends the run when what was accepted has concluded; nothing more is let in already.
    func drain() { state.withLock { $0.isDraining = true } }

    /// Starts nothing any more; the run goes on until it is told to end.
    func startNoMore() { state.withLock { $0.isLeaving = true } }

    /// Ends the run when what is at work has concluded.
    func leave() {
        state.withLock { state in
            state.isDraining = true
            state.isLeaving = true
        }
    }

    var isDraining: Bool { state.withLock { $0.isDraining } }

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
