// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import Logging
import TestClock
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OutboxSenderTests {
    private let clock = ManualClock()
    private let outbox: FakeOutbox
    private let settled = Journal<Settlement>()

    init() {
        outbox = FakeOutbox(clock: clock)
    }

    private func sender(
        _ sink: any RemoteSink,
        concurrency: Int = 8,
        policy: RetryPolicy = RetryPolicy(),
        targetGone: @escaping @Sendable (String) async -> Void = { _ in },
        metrics: HostMetrics = HostMetrics()
    ) -> OutboxSender {
        OutboxSender(
            sink: sink,
            journal: outbox,
            settle: { [outbox, settled] settlements in
                outbox.settle(settlements)
                for settlement in settlements { settled.note(settlement) }
            },
            targetGone: targetGone,
            concurrency: concurrency,
            policy: policy,
            clock: HostClock(clock),
            random: { 0 },
            metrics: metrics,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// Lets a sender run beside `body`, then cancels it.
    private func running(_ senders: OutboxSender..., body: () async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for sender in senders { group.addTask { await sender.run() } }
            await body()
            group.cancelAll()
        }
    }

    @Test func `each device's records go in their order, one at a time`() async {
        let gate = Gate()
        let sink = FakeRemoteSink { await gate.wait(for: $0) }
        outbox.add("a", "a", "b", "a")
        await running(sender(sink)) {
            #expect(await Set(sink.next(2)) == [1, 3])
            gate.open(1)
            #expect(await sink.next() == [2])
            gate.open(2)
            #expect(await sink.next() == [4])
            gate.open(4)
            gate.open(3)
            #expect(await Set(settled.next(4).map(\.number)) == [1, 2, 3, 4])
        }
        #expect(outbox.waiting.isEmpty)
    }

    @Test func `no more attempts at once than allowed`() async {
        let gate = Gate()
        let sink = FakeRemoteSink { await gate.wait(for: $0) }
        outbox.add("a", "b", "c", "d")
        let sender = sender(sink, concurrency: 2)
        await running(sender) {
            #expect(await Set(sink.next(2)) == [1, 2])
            gate.open(2)
            #expect(await sink.next() == [3])
            sender.wake()
            gate.open(3)
            #expect(await sink.next() == [4])
            for number in [1, 4] as [Int64] { gate.open(number) }
            _ = await settled.next(4)
        }
    }

    @Test func `what comes later is found when somebody says so`() async {
        let sink = FakeRemoteSink()
        let sender = sender(sink)
        await running(sender) {
            await clock.sleeper(until: .seconds(1))
            outbox.add("a")
            sender.wake()
            #expect(await sink.next() == [1])
        }
    }

    @Test func `what a former process left to be tried later is found in time`() async {
        let sink = FakeRemoteSink()
        outbox.add("a")
        outbox.settle([Settlement(sink: "hook", number: 1, verdict: .retry(after: .seconds(7), reason: "down"))])
        await running(sender(sink)) {
            for instant in [1, 3, 7] {
                await clock.sleeper(until: .seconds(instant))
                clock.advance(to: .seconds(instant))
            }
            #expect(await sink.next() == [1])
        }
    }

    @Test func `what failed is tried again after a second, then two, and the device's next one waits`() async {
        let failures = Tally()
        let sink = FakeRemoteSink { record in
            guard record.number == 1, failures.count < 2 else { return .delivered }
            failures.change(by: 1)
            return .failed(reason: "status 503", after: nil)
        }
        outbox.add("a", "a", "b")
        await running(sender(sink)) {
            #expect(await Set(sink.next(2)) == [1, 3])
            await clock.sleeper(until: .milliseconds(1005))
            clock.advance(to: .milliseconds(1005))
            #expect(await sink.next() == [1])
            await clock.sleeper(until: .milliseconds(1005 + 2005))
            clock.advance(to: .milliseconds(1005 + 2005))
            #expect(await sink.next(2) == [1, 2])
            _ = await settled.next(5)
        }
        #expect(
            outbox.settlements.filter { $0.number == 1 }.map(\.verdict) == [
                .retry(after: .seconds(1), reason: "status 503"), .retry(after: .seconds(2), reason: "status 503"),
                .delivered,
            ]
        )
    }

    @Test func `after the last attempt a record is a dead letter and out of the way`() async {
        let sink = FakeRemoteSink { $0.number == 1 ? .failed(reason: "timed out", after: nil) : .delivered }
        outbox.add("a", "a")
        var policy = RetryPolicy()
        policy.maximumAttempts = 2
        await running(sender(sink, policy: policy)) {
            await clock.sleeper(until: .milliseconds(1005))
            clock.advance(to: .milliseconds(1005))
            #expect(await sink.next(3) == [1, 1, 2])
            _ = await settled.next(3)
        }
        #expect(outbox.dead == [1: "timed out, after 2 attempts"])
        #expect(outbox.waiting.isEmpty)
    }

    @Test func `what would fail each time is a dead letter at once`() async {
        let sink = FakeRemoteSink { $0.number == 1 ? .refused(reason: "status 400") : .delivered }
        outbox.add("a", "a")
        await running(sender(sink)) { _ = await settled.next(2) }
        #expect(outbox.dead == [1: "status 400"])
        #expect(outbox.waiting.isEmpty)
    }

    @Test func `a target that is gone costs its device token`() async {
        let gone = Journal<String>()
        let sink = FakeRemoteSink { _ in .gone(reason: "status 410") }
        outbox.add("a")
        await running(sender(sink, targetGone: { gone.note($0) })) {
            #expect(await gone.next(1) == ["a"])
        }
        #expect(outbox.dead == [1: "status 410"])
    }

    @Test func `a slow sink holds no other`() async {
        let gate = Gate()
        let slow = FakeRemoteSink("slow") { await gate.wait(for: $0) }
        let quick = FakeRemoteSink("quick")
        outbox.add("a", sink: "slow")
        outbox.add("a", "a", sink: "quick")
        await running(sender(slow), sender(quick)) {
            #expect(await slow.next() == [1])
            #expect(await quick.next(2) == [2, 3])
            gate.open(1)
            _ = await settled.next(3)
        }
    }

    @Test func `a sink that is down is tried with one record, seldom`() async {
        let isUp = Locked(false)
        let sink = FakeRemoteSink { _ in
            isUp.withLock { $0 } ? .delivered : .failed(reason: "connection refused", after: nil)
        }
        outbox.add("a", "b", "c", "d", "e")
        let sender = sender(sink)
        await running(sender) {
            // Five fail, which begins a pause of a second; what comes then is not tried.
            #expect(await Set(sink.next(5)) == [1, 2, 3, 4, 5])
            // Judged, all of them: what is judged after the clock moves begins another pause.
            _ = await settled.next(5)
            await clock.sleeper(until: .seconds(1))
            outbox.add("f", "g", "h")
            sender.wake()
            clock.advance(to: .milliseconds(1006))
            #expect(await sink.next().count == 1)
            // Then one, and a pause of two.
            _ = await settled.next(1)
            await clock.sleeper(until: .milliseconds(3006))
            isUp.withLock { $0 = true }
            clock.advance(to: .milliseconds(3100))
            #expect(await sink.next(8).count == 8)
            _ = await settled.next(8)
        }
        #expect(outbox.waiting.isEmpty)
    }

    @Test func `the other side's wish for peace is a command for all its records`() async {
        let sink = FakeRemoteSink { record in
            record.number == 1 && record.attempts == 0 ? .failed(reason: "status 429", after: .seconds(30)) : .delivered
        }
        outbox.add("a", "b")
        await running(sender(sink, concurrency: 1)) {
            #expect(await sink.next() == [1])
            _ = await settled.next(1)
            await clock.sleeper(until: .seconds(30))
            clock.advance(to: .milliseconds(30_005))
            #expect(await Set(sink.next(2)) == [1, 2])
            _ = await settled.next(2)
        }
    }

    @Test func `a journal that cannot be read is asked again after a second`() async {
        let sink = FakeRemoteSink()
        outbox.add("a")
        outbox.fail(with: .disk("disk I/O error"))
        await running(sender(sink)) {
            await clock.sleeper(until: .seconds(1))
            outbox.fail(with: nil)
            clock.advance(to: .seconds(1))
            #expect(await sink.next() == [1])
        }
    }

    @Test func `an attempt that is cancelled is none`() async {
        let gate = Gate()
        let sink = FakeRemoteSink { await gate.wait(for: $0) }
        outbox.add("a")
        let sender = sender(sink)
        await running(sender) { #expect(await sink.next() == [1]) }
        #expect(outbox.settlements.isEmpty)
        #expect(outbox.waiting == [1])
    }

    @Test func `a drain ends when nothing is due and nothing under way`() async {
        let gate = Gate()
        let sink = FakeRemoteSink { record in
            record.number == 3 ? .failed(reason: "status 500", after: nil) : await gate.wait(for: record)
        }
        outbox.add("a", "a", "b")
        let sender = sender(sink)
        async let run: Void = sender.run()
        #expect(await Set(sink.next(2)) == [1, 3])
        sender.drain(within: .seconds(5))
        gate.open(1)
        #expect(await sink.next() == [2])
        gate.open(2)
        await run
        #expect(outbox.waiting == [3])
    }

    @Test func `a drain ends after its limit`() async {
        let gate = Gate()
        let sink = FakeRemoteSink { await gate.wait(for: $0) }
        outbox.add("a")
        let sender = sender(sink)
        async let run: Void = sender.run()
        #expect(await sink.next() == [1])
        sender.drain(within: .seconds(5))
        await clock.sleeper(until: .seconds(2))
        clock.advance(to: .seconds(5))
        await run
        #expect(outbox.waiting == [1])
        #expect(outbox.settlements.isEmpty)
    }

    @Test func `attempts are counted by sink and result`() async {
        let metrics = HostMetrics()
        let sink = FakeRemoteSink { $0.number == 1 ? .delivered : .refused(reason: "status 400") }
        outbox.add("a", "a", "b")
        await running(sender(sink, metrics: metrics)) { _ = await settled.next(3) }
        #expect(metrics.outbox.attempts.with("hook", "delivered").value == 1)
        #expect(metrics.outbox.attempts.with("hook", "refused").value == 2)
        #expect(metrics.outbox.attemptSeconds.with("hook").count == 3)
        #expect(metrics.outbox.inFlight.with("hook").value == 0)
    }
}
