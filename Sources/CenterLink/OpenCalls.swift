// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import Locking

/// The calls over one connection that have no answer yet; each ends after 5 s at the latest, sent or not.
///
/// A call that was given up keeps its place until the centre answers it, as it does on the link, so that whoever makes
/// calls without end counts for all that it has open there.
final class OpenCalls: Sendable {
    /// A call from its beginning, before it has an id on the link.
    struct Key: Hashable {
        fileprivate let number: UInt64
    }

    /// The time that a centre has for a call.
    static let limit = Duration.seconds(5)

    private struct Call {
        let deadline: Duration
        /// `nil` once the caller has its answer.
        var answer: (@Sendable (CallAnswer) -> Void)?
        let freed: @Sendable () -> Void
        /// The id on the link; `nil` before the call is sent.
        var id: UInt64?
    }

    private struct State {
        var calls: [Key: Call] = [:]
        var keys: [UInt64: Key] = [:]
        var last: UInt64 = 0
        var isOver = false

        /// The one whose caller waits for longest.
        var first: (key: Key, deadline: Duration)? {
            calls.filter { $0.value.answer != nil }.min { $0.key.number < $1.key.number }
                .map { ($0.key, $0.value.deadline) }
        }

        mutating func remove(_ key: Key) -> Call? {
            let call = calls.removeValue(forKey: key)
            if let id = call?.id { keys[id] = nil }
            return call
        }
    }

    private let clock: HostClock
    private let state = Locked(State())
    private let hasCalls = Signal()

    init(clock: HostClock) {
        self.clock = clock
    }

    /// Begins a call: `answer` is called once, and `freed` once when the call has no place on the link any more.
    ///
    /// `nil` means that the connection has ended, and the call has failed.
    func begin(
        _ answer: @escaping @Sendable (CallAnswer) -> Void,
        freed: @escaping @Sendable () -> Void
    ) -> Key? {
        let key = state.withLock { state -> Key? in
            guard !state.isOver else { return nil }
            state.last += 1
            let key = Key(number: state.last)
            state.calls[key] = Call(deadline: clock.now + Self.limit, answer: answer, freed: freed)
            return key
        }
        if key == nil {
            answer(.failed(.notAllowed))
            freed()
        } else {
            hasCalls.raise()
        }
        return key
    }

    /// True if a call is still to be sent; one that was given up meanwhile is over.
    func isWanted(_ key: Key) -> Bool {
        let (isWanted, stale) = state.withLock { state -> (Bool, Call?) in
            guard let call = state.calls[key] else { return (false, nil) }
            return call.answer == nil ? (false, state.remove(key)) : (true, nil)
        }
        stale?.freed()
        return isWanted
    }

    /// The call goes out under an id, before the centre can answer it.
    func bind(_ key: Key, to id: UInt64) {
        state.withLock { state in
            state.calls[key]?.id = id
            if state.calls[key] != nil { state.keys[id] = key }
        }
    }

    /// The call could not be sent.
    func fail(_ key: Key) {
        guard let call = state.withLock({ $0.remove(key) }) else { return }
        call.answer?(.failed(.notAllowed))
        call.freed()
    }

    /// The centre has answered; a call that was given up stays given up, and its place is free.
    func settle(_ id: UInt64, _ answer: CallAnswer) {
        guard let call = state.withLock({ state in state.keys[id].flatMap { state.remove($0) } }) else { return }
        call.answer?(answer)
        call.freed()
    }

    /// The connection has ended: whatever is open fails, and what comes.
    func end() {
        let open = state.withLock { state in
            state.isOver = true
            defer { (state.calls, state.keys) = ([:], [:]) }
            return Array(state.calls.values)
        }
        for call in open {
            call.answer?(.failed(call.id == nil ? .notAllowed : .unanswered))
            call.freed()
        }
    }

    /// Gives up what waits for too long, until the task is cancelled; `giveUp` is told the id of each that was sent.
    func expire(_ giveUp: (UInt64) -> Void) async {
        while !Task.isCancelled {
            guard let (key, deadline) = state.withLock({ $0.first }) else {
                await hasCalls.wait()
                continue
            }
            guard (try? await clock.sleep(until: deadline)) != nil else { return }
            let late = state.withLock { state -> Call? in
                guard let call = state.calls[key], call.answer != nil else { return nil }
                state.calls[key]?.answer = nil
                return call
            }
            guard let late else { continue }
            if let id = late.id { giveUp(id) }
            late.answer?(.failed(late.id == nil ? .notAllowed : .unanswered))
        }
    }
}
