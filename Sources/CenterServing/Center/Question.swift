// SPDX-License-Identifier: Apache-2.0

import Locking

/// A question to an app or a host that waits for its answer, whatever carries both.
final class Question<Answer: Sendable>: Sendable {
    private enum State {
        case open
        case answered(Answer?)
    }

    private let state = Locked(State.open)
    private let isAnswered = Signal()
    /// Called where no answer came.
    private let giveUp: @Sendable () -> Void

    init(giveUp: @escaping @Sendable () -> Void) {
        self.giveUp = giveUp
    }

    /// Takes the answer, the first one alone; `nil` means that there will be none.
    func answer(_ answer: Answer?) {
        state.withLock { state in
            if case .open = state { state = .answered(answer) }
        }
        isAnswered.raise()
    }

    /// Waits for the answer, for so long at most; `nil` means that none came.
    func wait(_ limit: Duration, _ clock: any Clock<Duration>) async -> Answer? {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.isAnswered.wait() }
            group.addTask { try? await clock.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        let answer: Answer? = state.withLock { state in
            guard case .answered(let answer) = state else { return nil }
            return answer
        }
        if answer == nil { giveUp() }
        return answer
    }
}
