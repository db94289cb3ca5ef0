// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import Logging
import TestClock
import Testing

/// A queue whose pushes come in at one store, and are read and end at another: a host among others.
@Suite(.timeLimit(.minutes(5)))
struct SharedQueueTests {
    /// A store for the pushes of all hosts: answers as it is told, and has what it accepted.
    private final class FakeIntake: PushWriting {
        struct State {
            var accepted: [IncomingPush] = []
            var answer: Arrival = .accepted
            var failure: JournalError?
        }

        private let state = Locked(State())

        func change<Value>(_ body: (inout State) -> Value) -> Value { state.withLock(body) }

        func commit(_ work: JournalWork, admit: (IncomingPush) -> Bool) throws(JournalError) -> [Arrival] {
            let arrivals = work.arrivals.map { admit($0) }
            let result = state.withLock { state -> Result<[Arrival], JournalError> in
                if let failure = state.failure { return .failure(failure) }
                state.accepted += zip(work.arrivals, arrivals).filter(\.1).map(\.0)
                return .success(arrivals.map { $0 ? state.answer : .turnedAway })
            }
            return try result.get()
        }

        func maintain() throws(JournalError) -> Bool { false }
    }

    /// A store of what this host is to conclude: gives each push once, and notes which have ended.
    private final class FakeLedger: PushLedger {
        struct State {
            var waiting: [IncomingPush] = []
            var inHand: Set<Int64> = []
            var ended: [Int64] = []
        }

        private let state = Locked(State())

        func change<Value>(_ body: (inout State) -> Value) -> Value { state.withLock(body) }

        var count: Int { state.withLock { $0.inHand.count } }

        func commit(_ work: JournalWork, admit: (IncomingPush) -> Bool) throws(JournalError) -> [Arrival] {
            state.withLock { state in
                for conclusion in work.conclusions {
                    state.ended.append(conclusion.number)
                    state.inHand.remove(conclusion.number)
                }
            }
            return []
        }

        func pushes(of topic: String, after number: Int64, limit: Int) throws(JournalError) -> [IncomingPush] {
            state.withLock { state in
                let pushes = Array(state.waiting.filter { $0.topic == topic }.prefix(limit))
                let numbers = Set(pushes.compactMap(\.number))
                state.waiting.removeAll { numbers.contains($0.number ?? 0) }
                state.inHand.formUnion(numbers)
                return pushes
            }
        }

        func delivery(of number: Int64) -> DeliveryName? { nil }
        func maintain() throws(JournalError) -> Bool { false }
    }

    private struct Bench {
        let intake = FakeIntake()
        let ledger = FakeLedger()
        let queue: PushQueue

        init(_ clock: HostClock, _ deadlines: DeadlineQueue, limits: QueueLimits) {
            queue = PushQueue(
                .shared(intake: intake, ledger: ledger),
                limits: limits,
                outbox: FakeRoutes { _ in [] },
                clock: clock,
                deadlines: deadlines,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        }

        /// Has pushes wait in the ledger, and tells the queue.
        func bring(_ pushes: [IncomingPush]) {
            ledger.change { $0.waiting += pushes }
            queue.announce(Set(pushes.map(\.topic)))
        }
    }

    private static func with(
        limits: QueueLimits = .impatient(),
        _ body: (Bench) async throws -> Void
    ) async rethrows {
        let clock = HostClock(ContinuousClock())
        let deadlines = DeadlineQueue(clock: clock)
        let running = Task { await deadlines.run() }
        defer { running.cancel() }
        try await body(Bench(clock, deadlines, limits: limits))
    }

    private static func push(_ number: Int64, device: String = "a", partition: Int16 = 0) -> IncomingPush {
        var push = IncomingPush.sample(id: "\(number)", device: device, topic: "chat")
        (push.number, push.partition) = (number, partition)
        return push
    }

    @Test func `what is accepted starts nothing, and what is announced does`() async {
        await Self.with { bench in
            let concluded = Journal<String>()
            let run = Task {
                await bench.queue.run { push in
                    concluded.note(push.id)
                    return Conclusion(of: push)
                }
            }
            #expect(await bench.queue.verdicts([Self.push(1), Self.push(2)]) == [.accepted, .accepted])
            #expect(bench.intake.change { $0.accepted.map(\.id) } == ["1", "2"])
            bench.bring([Self.push(7)])
            #expect(await concluded.next(1) == ["7"])
            bench.queue.leave()
            await run.value
            #expect(await concluded.rest() == [])
            #expect(bench.ledger.change { $0.ended } == [7])
            #expect(bench.queue.count == 0)
        }
    }

    @Test func `the store's verdict on a device token reaches the sender, and takes no room`() async {
        await Self.with(limits: .impatient(perDevice: 1)) { bench in
            for fault in [BadToken.unknown, .removed(at: 5), .ofAnotherApp, .ofAnotherEnvironment] {
                bench.intake.change { $0.answer = .badToken(fault) }
                #expect(await bench.queue.verdicts([Self.push(1)]) == [.badToken(fault)])
            }
            bench.intake.change { $0.answer = .accepted }
            // Somebody else counts what was accepted: the device has room for the next one.
            for number in 2...9 as ClosedRange<Int64> {
                #expect(await bench.queue.verdicts([Self.push(number)]) == [.accepted])
            }
        }
    }

    @Test func `an intake that fails stops no push from ending`() async throws {
        try await Self.with { bench in
            bench.intake.change { $0.failure = .database("it is gone", hint: "bring it back") }
            let run = Task { await bench.queue.run { Conclusion(of: $0) } }
            #expect(await bench.queue.verdicts([Self.push(1)]) == [.notStored])
            #expect(!bench.queue.isStoring)
            bench.bring([Self.push(7)])
            while bench.ledger.change({ $0.ended }) != [7] { try await Task.turn() }
            bench.queue.leave()
            await run.value
        }
    }

    @Test func `a partition that is released keeps what is at work, and gives back what waits`() async throws {
        var limits = QueueLimits.impatient()
        limits.lanesPerTopic = 1
        try await Self.with(limits: limits) { bench in
            let (begun, gate) = (Journal<String>(), Signal())
            let run = Task {
                await bench.queue.run { push in
                    begun.note(push.id)
                    if push.number == 1 { await gate.wait() }
                    return Conclusion(of: push)
                }
            }
            // A lane at work with one behind it, one that waits for a turn, and one of another partition behind that.
            bench.bring([
                Self.push(1, partition: 5), Self.push(2, partition: 5), Self.push(3, device: "c", partition: 5),
                Self.push(4, device: "b", partition: 6),
            ])
            #expect(await begun.next(1) == ["1"])
            while bench.ledger.count < 4 { try await Task.turn() }
            let released = bench.queue.release(5).compactMap(\.number)
            #expect(released.sorted() == [2, 3])
            #expect(bench.queue.release(5).isEmpty)
            gate.raise()
            #expect(await begun.next(1) == ["4"])
            while bench.ledger.change({ $0.ended.count }) < 2 { try await Task.turn() }
            // It comes back, and its lanes begin anew.
            bench.bring([Self.push(5, device: "c", partition: 5), Self.push(6, partition: 5)])
            #expect(await begun.next(2) == ["5", "6"])
            bench.queue.leave()
            await run.value
            #expect(bench.ledger.change { $0.ended } == [1, 4, 5, 6])
        }
    }

    @Test func `what is cut off is cancelled and forgotten, and the next pushes run`() async throws {
        try await Self.with { bench in
            let begun = Journal<String>()
            let run = Task {
                await bench.queue.run { push in
                    begun.note(push.id)
                    if push.number == 1 { await Signal().wait() }
                    return Task.isCancelled ? nil : Conclusion(of: push)
                }
            }
            bench.bring([Self.push(1), Self.push(2)])
            #expect(await begun.next(1) == ["1"])
            while bench.ledger.count < 2 { try await Task.turn() }
            await bench.queue.cutOff()
            bench.bring([Self.push(3)])
            #expect(await begun.next(1) == ["3"])
            bench.queue.leave()
            await run.value
            #expect(await begun.rest() == [])
            #expect(bench.ledger.change { $0.ended } == [3])
            // Without a run there is nothing to wait for.
            await bench.queue.cutOff()
        }
    }
}
