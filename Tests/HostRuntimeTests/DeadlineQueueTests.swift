// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import TestClock
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DeadlineQueueTests {
    private let clock = ManualClock()
    private let queue: DeadlineQueue
    private let fired = Journal<Int>()

    init() {
        queue = DeadlineQueue(clock: HostClock(clock))
    }

    /// Runs the queue while `body` runs; returns when both have ended.
    private func whileRunning(_ body: () async throws -> Void) async rethrows {
        let run = Task { [queue] in await queue.run() }
        try await body()
        run.cancel()
        await run.value
    }

    @discardableResult
    private func schedule(at instant: Duration, _ number: Int) -> DeadlineQueue.ID {
        queue.schedule(at: instant) { [fired] in fired.note(number) }
    }

    // MARK: Order

    @Test func `deadlines fire in the order of their instants`() async {
        for second in [5, 1, 4, 2, 3] { schedule(at: .seconds(second), second) }
        await whileRunning {
            await clock.sleeper(until: .seconds(1))
            clock.advance(to: .seconds(10))
            #expect(await fired.next(5) == [1, 2, 3, 4, 5])
        }
        #expect(queue.count == 0)
    }

    @Test func `equal instants fire in the order they were scheduled`() async {
        for number in 0..<50 { schedule(at: .seconds(number % 2 + 1), number) }
        clock.advance(to: .seconds(2))
        await whileRunning {
            let first = (0..<25).map { $0 * 2 }
            #expect(await fired.next(50) == first + first.map { $0 + 1 })
        }
    }

    @Test func `a deadline does not fire before its instant`() async {
        schedule(at: .seconds(1), 1)
        schedule(at: .seconds(1) + .nanoseconds(1), 2)
        await whileRunning {
            await clock.sleeper(until: .seconds(1))
            clock.advance(to: .seconds(1))
            #expect(await fired.next(1) == [1])
            await clock.sleeper(until: .seconds(1) + .nanoseconds(1))
            #expect(queue.count == 1)
            clock.advance(by: .nanoseconds(1))
            #expect(await fired.next(1) == [2])
        }
    }

    @Test func `an instant that has passed fires at once`() async {
        clock.advance(to: .seconds(10))
        let begun = DeadlineQueue(clock: HostClock(clock))
        let run = Task { await begun.run() }
        begun.schedule(at: .seconds(-5)) { [fired] in fired.note(1) }
        begun.schedule(at: .zero) { [fired] in fired.note(2) }
        #expect(await fired.next(2).sorted() == [1, 2])
        run.cancel()
        await run.value
    }

    // MARK: Waking

    @Test func `an idle queue wakes for its first deadline`() async {
        await whileRunning {
            schedule(at: .seconds(30), 1)
            await clock.sleeper(until: .seconds(30))
            clock.advance(to: .seconds(30))
            #expect(await fired.next(1) == [1])
            schedule(at: .seconds(60), 2)
            await clock.sleeper(until: .seconds(60))
            clock.advance(to: .seconds(60))
            #expect(await fired.next(1) == [2])
        }
    }

    @Test func `an earlier deadline wakes the queue`() async {
        schedule(at: .seconds(30), 30)
        await whileRunning {
            await clock.sleeper(until: .seconds(30))
            schedule(at: .seconds(10), 10)
            await clock.sleeper(until: .seconds(10))
            schedule(at: .seconds(5), 5)
            await clock.sleeper(until: .seconds(5))
            clock.advance(to: .seconds(5))
            #expect(await fired.next(1) == [5])
            await clock.sleeper(until: .seconds(10))
            clock.advance(to: .seconds(30))
            #expect(await fired.next(2) == [10, 30])
        }
    }

    @Test func `a later deadline wakes nobody`() async {
        schedule(at: .seconds(10), 10)
        await whileRunning {
            await clock.sleeper(until: .seconds(10))
            for second in [10, 11, 20, 30] { schedule(at: .seconds(second), second) }
            clock.advance(to: .seconds(10))
            #expect(await fired.next(2) == [10, 10])
            await clock.sleeper(until: .seconds(11))
        }
        // One sleep until the tenth second, one until the eleventh.
        #expect(clock.sleepCount == 2)
    }

    @Test func `an action may schedule`() async {
        let queue = queue
        queue.schedule(at: .seconds(1)) { [fired] in
            fired.note(1)
            queue.schedule(at: .seconds(1)) { fired.note(2) }
            queue.schedule(at: .seconds(2)) { fired.note(3) }
        }
        await whileRunning {
            await clock.sleeper(until: .seconds(1))
            clock.advance(to: .seconds(1))
            #expect(await fired.next(2) == [1, 2])
            await clock.sleeper(until: .seconds(2))
            clock.advance(to: .seconds(2))
            #expect(await fired.next(1) == [3])
        }
    }

    // MARK: Cancelling

    @Test func `a cancelled deadline does not fire`() async {
        let first = schedule(at: .seconds(1), 1)
        let second = schedule(at: .seconds(2), 2)
        let third = schedule(at: .seconds(3), 3)
        #expect(queue.count == 3)
        queue.cancel(second)
        queue.cancel(second)
        #expect(queue.count == 2)
        await whileRunning {
            await clock.sleeper(until: .seconds(1))
            clock.advance(to: .seconds(3))
            #expect(await fired.next(2) == [1, 3])
        }
        queue.cancel(first)
        queue.cancel(third)
        #expect(await fired.rest() == [])
        #expect(queue.count == 0)
    }

    @Test func `the rest fires though the next one was cancelled`() async {
        schedule(at: .seconds(2), 2)
        let soonest = schedule(at: .seconds(1), 1)
        await whileRunning {
            await clock.sleeper(until: .seconds(1))
            queue.cancel(soonest)
            clock.advance(to: .seconds(1))
            await clock.sleeper(until: .seconds(2))
            clock.advance(to: .seconds(2))
            #expect(await fired.next(1) == [2])
        }
    }

    @Test func `deadlines that were cancelled or fired are let go`() async {
        let alive = Tally()
        let ids = (0..<10_000).map { number in
            let token = Token(alive)
            return queue.schedule(at: .seconds(number + 1)) { _ = token }
        }
        #expect(alive.count == 10_000)
        for id in ids.dropLast(100) { queue.cancel(id) }
        #expect(queue.count == 100)
        // As many dead ones as live, and a few.
        #expect(alive.count <= 2 * 100 + 64)
        queue.schedule(at: .seconds(10_001)) { [fired] in fired.note(1) }
        clock.advance(to: .seconds(20_000))
        await whileRunning { _ = await fired.next(1) }
        #expect(queue.count == 0)
        #expect(alive.count <= 64)
    }

    @Test func `a queue that is always busy does not grow`() async {
        let alive = Tally()
        await whileRunning {
            for number in 0..<2000 {
                let token = Token(alive)
                queue.schedule(at: .seconds(number)) { [fired] in
                    _ = token
                    fired.note(number)
                }
                clock.advance(to: .seconds(number))
                #expect(await fired.next(1) == [number])
            }
        }
        #expect(alive.count <= 66)
    }

    @Test(arguments: 0..<10)
    func `any mix of scheduling and cancelling fires what is left in order`(seed: Int) async {
        var generator = SeededGenerator(seed: UInt64(seed))
        var expected: [(instant: Int, number: Int)] = []
        var ids: [Int: DeadlineQueue.ID] = [:]
        for number in 0..<500 {
            if !expected.isEmpty, Int.random(in: 0..<3, using: &generator) == 0 {
                let victim = expected.remove(at: Int.random(in: expected.indices, using: &generator))
                if let id = ids[victim.number] { queue.cancel(id) }
            } else {
                let instant = Int.random(in: 0..<100, using: &generator)
                ids[number] = schedule(at: .milliseconds(instant), number)
                expected.append((instant, number))
            }
        }
        #expect(queue.count == expected.count)
        let order = expected.sorted { ($0.instant, $0.number) < ($1.instant, $1.number) }.map(\.number)
        clock.advance(to: .seconds(1))
        await whileRunning {
            #expect(await fired.next(order.count) == order)
        }
        #expect(await fired.rest() == [])
    }

    // MARK: The end

    @Test func `cancellation ends the run of an idle queue`() async {
        await whileRunning {}
    }

    @Test func `cancellation ends the run of a queue that sleeps`() async {
        schedule(at: .seconds(1), 1)
        await whileRunning { await clock.sleeper(until: .seconds(1)) }
        #expect(queue.count == 1)
    }

    @Test func `a queue may run again`() async {
        schedule(at: .seconds(1), 1)
        await whileRunning { await clock.sleeper(until: .seconds(1)) }
        await whileRunning {
            await clock.sleeper(until: .seconds(1))
            clock.advance(to: .seconds(1))
            #expect(await fired.next(1) == [1])
        }
    }
}

private final class Token: Sendable {
    private let tally: Tally

    init(_ tally: Tally) {
        self.tally = tally
        tally.change(by: 1)
    }

    deinit {
        tally.change(by: -1)
    }
}
