// SPDX-License-Identifier: Apache-2.0

/// The calls that are due when a time has passed: ends of animations, frames of display links, places of films.
///
/// Calls come on the main actor by their time, and those of one time in the order in which they were asked for. One
/// task sleeps until the first; `end()` and the end of the timeline itself cancel it, and nothing is called any more
/// then.
@MainActor package final class Timeline {
    private struct Call {
        let id: UInt64
        let time: Duration
        let body: @MainActor () -> Void
    }

    /// The longest wait: ten years.
    private static let longest = Duration.seconds(315_360_000)

    /// The clock's time since the beginning, and a sleep until then; `nil` for a time that somebody moves.
    private let clock: (elapsed: @Sendable () -> Duration, sleep: @Sendable (Duration) async throws -> Void)?
    private var moved = Duration.zero
    private var calls: [Call] = []
    private var lastID: UInt64 = 0
    private var sleeper: (time: Duration, task: Task<Void, Never>)?

    /// A timeline that begins now, by a clock that tests may hold.
    package nonisolated init(clock: some Clock<Duration>) {
        let start = clock.now
        self.clock = (
            { start.duration(to: clock.now) },
            { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        )
    }

    /// A timeline whose time stands still until `move(by:between:)` moves it.
    package nonisolated init() {
        clock = nil
    }

    isolated deinit {
        sleeper?.task.cancel()
    }

    /// The time since the beginning.
    package var now: Duration { clock?.elapsed() ?? moved }

    /// The time since the beginning in seconds.
    package var seconds: Double { now / .seconds(1) }

    /// Has a function called once so many seconds have passed, at once meaning behind what runs now.
    ///
    /// A value that is no number, or less than 0, means 0. Returns the number under which the call can be taken back.
    @discardableResult
    package func call(after seconds: Double, _ body: @escaping @MainActor () -> Void) -> UInt64 {
        let wait = seconds > 0 ? min(.seconds(min(seconds, 1e9)), Self.longest) : .zero
        lastID += 1
        let call = Call(id: lastID, time: now + wait, body: body)
        calls.insert(call, at: calls.lastIndex { $0.time <= call.time }.map { $0 + 1 } ?? 0)
        sleepAgain()
        return call.id
    }

    /// Takes a call back; one that was made already is not there.
    package func cancel(_ id: UInt64) {
        calls.removeAll { $0.id == id }
        sleepAgain()
    }

    /// Calls nothing any more, until something new is asked for.
    package func end() {
        calls = []
        sleepAgain()
    }

    /// Moves the time of a timeline that has no clock, and makes each call at its own time; `between` is called behind
    /// those of one time.
    ///
    /// Calls that ask for themselves without a wait are made a thousand times, and the others behind the end.
    package func move(by duration: Duration, between: @MainActor () async -> Void) async {
        let end = moved + duration
        var roundCount = 0
        while let first = calls.first, first.time <= end, roundCount < 1000 {
            roundCount = first.time > moved ? 0 : roundCount + 1
            moved = max(moved, first.time)
            callWhatIsDue()
            await between()
        }
        moved = max(moved, end)
    }

    private func sleepAgain() {
        guard let sleep = clock?.sleep else { return }
        guard let first = calls.first else {
            sleeper?.task.cancel()
            sleeper = nil
            return
        }
        if let sleeper, sleeper.time == first.time { return }
        sleeper?.task.cancel()
        // Awaited by nobody: it ends with its sleep, or when the timeline cancels it.
        let task = Task { @MainActor [weak self] in
            guard (try? await sleep(first.time)) != nil, !Task.isCancelled else { return }
            self?.callWhatIsDue()
        }
        sleeper = (first.time, task)
    }

    private func callWhatIsDue() {
        sleeper = nil
        let (now, last) = (now, lastID)
        // What is asked for meanwhile has its own turn, so that a call that asks for itself ends.
        while let place = calls.firstIndex(where: { $0.time <= now && $0.id <= last }) {
            calls.remove(at: place).body()
        }
        sleepAgain()
    }
}
