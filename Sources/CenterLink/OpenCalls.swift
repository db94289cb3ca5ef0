// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import Locking

/// The calls over one connection that the centre has not answered; each ends after 5 s at the latest.
final class OpenCalls: Sendable {
    typealias Answer = @Sendable (CallAnswer) -> Void

    /// The time that a centre has for a call.
    static let limit = Duration.seconds(5)

    private struct State {
        /// By the ids of the calls, which rise with their deadlines.
        var calls: [UInt64: (deadline: Duration, answer: Answer)] = [:]
        var isOver = false

        var first: (id: UInt64, deadline: Duration)? {
            calls.keys.min().flatMap { id in calls[id].map { (id, $0.deadline) } }
        }
    }

    private let clock: HostClock
    private let state = Locked(State())
    private let hasCalls = Signal()

    init(clock: HostClock) {
        self.clock = clock
    }

    /// Adds a call that goes out; over a connection that has ended it fails at once.
    func add(_ id: UInt64, _ answer: @escaping Answer) {
        let isOver = state.withLock { state in
            guard !state.isOver else { return true }
            state.calls[id] = (clock.now + Self.limit, answer)
            return false
        }
        if isOver { answer(.failed(.notAllowed)) } else { hasCalls.raise() }
    }

    /// The centre has answered; a call that was given up stays given up.
    func settle(_ id: UInt64, _ answer: CallAnswer) {
        state.withLock { $0.calls.removeValue(forKey: id) }?.answer(answer)
    }

    /// The connection has ended: whatever is open fails, and what comes.
    func end() {
        let open = state.withLock { state in
            state.isOver = true
            defer { state.calls = [:] }
            return state.calls.values.map(\.answer)
        }
        for answer in open { answer(.failed(.notAllowed)) }
    }

    /// Gives up what waits for too long, until the task is cancelled; `giveUp` is told the id of each before its end.
    func expire(_ giveUp: (UInt64) -> Void) async {
        while !Task.isCancelled {
            guard let (id, deadline) = state.withLock({ $0.first }) else {
                await hasCalls.wait()
                continue
            }
            guard (try? await clock.sleep(until: deadline)) != nil else { return }
            guard let late = state.withLock({ $0.calls.removeValue(forKey: id) }) else { continue }
            giveUp(id)
            late.answer(.failed(.notAllowed))
        }
    }
}
