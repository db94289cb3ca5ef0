// SPDX-License-Identifier: Apache-2.0

import Locking

/// Accepted pushes between the answer to their sender and their outcome, in memory.
///
/// A push belongs to the lane of its device token: first accepted, first started, one at a time; lanes run beside each
/// other. Bounds: `Limits`; a push beyond them is refused before the sender hears 200, so that an accepted one always
/// concludes. Held in memory only: pushes that are accepted and not concluded are lost with the process.
package final class PushQueue: PushAcceptor {
    package struct Limits: Sendable {
        /// Pushes without outcome, all devices together.
        package var pushes = 20_000
        /// Bodies of those, in bytes.
        package var byteCount = 64 << 20
        /// Pushes of one device without outcome.
        package var pushesPerDevice = 1_000

        package init() {}
    }

    fileprivate struct Lane {
        var waiting = Backlog<IncomingPush>()
        var count: Int { waiting.count + 1 }
    }

    fileprivate struct State {
        /// Lanes with a push at work; the lane's first push is with its task.
        var lanes: [String: Lane] = [:]
        var pushes = 0
        var byteCount = 0
        var isDraining = false
    }

    private let limits: Limits
    private let state = Locked(State())
    private let started: AsyncStream<IncomingPush>
    private let starter: AsyncStream<IncomingPush>.Continuation

    package init(limits: Limits = Limits()) {
        self.limits = limits
        // Bounded by `limits.pushes`: an element stands for a push that was counted.
        (started, starter) = AsyncStream.makeStream()
    }

    package func accept(_ batch: [IncomingPush], answer: @escaping @Sendable ([Acceptance]) -> Void) {
        var opening: [IncomingPush] = []
        let answers = state.withLock { state in
            batch.map { push in
                let verdict = state.admit(push, limits: limits)
                if case .admitted(let opensLane) = verdict {
                    if opensLane { opening.append(push) }
                    return Acceptance.accepted
                }
                return verdict == .deviceBusy ? .deviceBusy : .unavailable
            }
        }
        for push in opening { starter.yield(push) }
        answer(answers)
    }

    /// Pushes without an outcome.
    package var count: Int { state.withLock { $0.pushes } }

    /// Refuses new pushes from now on; `run` returns when the accepted ones have concluded.
    package func drain() {
        let isEmpty = state.withLock { state in
            state.isDraining = true
            return state.lanes.isEmpty
        }
        if isEmpty { starter.finish() }
    }

    /// Concludes pushes until `drain()` and the end of what was accepted before it.
    ///
    /// `conclude` is awaited push by push within a lane. Cancelling the task abandons what waits: drain instead.
    package func run(_ conclude: @escaping @Sendable (IncomingPush) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for await first in started {
                group.addTask { await self.run(laneOf: first, conclude) }
            }
        }
    }

    private func run(laneOf first: IncomingPush, _ conclude: @Sendable (IncomingPush) async -> Void) async {
        var next: IncomingPush? = first
        while let push = next {
            await conclude(push)
            next = finish(push)
        }
    }

    /// Takes a concluded push out and returns the next of its lane.
    private func finish(_ push: IncomingPush) -> IncomingPush? {
        let (next, isOver) = state.withLock { state -> (IncomingPush?, Bool) in
            state.pushes -= 1
            state.byteCount -= push.payloadByteCount
            if let next = state.lanes[push.deviceToken]?.waiting.popFirst() { return (next, false) }
            state.lanes[push.deviceToken] = nil
            return (nil, state.isDraining && state.lanes.isEmpty)
        }
        if isOver { starter.finish() }
        return next
    }
}

extension PushQueue.State {
    fileprivate enum Verdict: Equatable {
        case admitted(opensLane: Bool)
        case deviceBusy
        case full
    }

    fileprivate mutating func admit(_ push: IncomingPush, limits: PushQueue.Limits) -> Verdict {
        guard !isDraining, pushes < limits.pushes, byteCount + push.payloadByteCount <= limits.byteCount else {
            return .full
        }
        let lane = lanes[push.deviceToken]
        if let lane, lane.count >= limits.pushesPerDevice { return .deviceBusy }
        pushes += 1
        byteCount += push.payloadByteCount
        if lane == nil {
            lanes[push.deviceToken] = PushQueue.Lane()
            return .admitted(opensLane: true)
        }
        lanes[push.deviceToken]?.waiting.append(push)
        return .admitted(opensLane: false)
    }
}
