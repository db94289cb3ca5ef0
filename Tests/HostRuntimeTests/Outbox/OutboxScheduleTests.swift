// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

struct OutboxScheduleTests {
    private func record(_ number: Int64, _ device: String, attempts: Int = 0) -> OutboxRecord {
        OutboxRecord(
            sink: "hook",
            number: number,
            delivery: DeliveryName(store: "5f2c9a1e", count: number),
            deviceToken: device,
            record: [],
            attempts: attempts
        )
    }

    private func schedule(concurrency: Int = 2) -> OutboxSchedule {
        OutboxSchedule(concurrency: concurrency, policy: RetryPolicy())
    }

    @Test func `a record that was settled while the journal was asked does not go twice`() {
        var schedule = schedule()
        #expect(schedule.beginLook(at: .zero) == 2)
        #expect(schedule.start([record(1, "a")]).map(\.number) == [1])
        #expect(schedule.beginLook(at: .zero) == 2)
        let answer = [record(1, "a"), record(2, "b")]
        schedule.release(record(1, "a"), retryAfter: nil, at: .zero)
        #expect(schedule.start(answer).map(\.number) == [2])
        #expect(schedule.beginLook(at: .zero) == 2)
        #expect(schedule.start([record(3, "a")]).map(\.number) == [3])
    }

    @Test func `it asks for more than it can start, by the devices that are under way`() {
        var schedule = schedule(concurrency: 3)
        _ = schedule.beginLook(at: .zero)
        _ = schedule.start([record(1, "a"), record(2, "b")])
        #expect(schedule.beginLook(at: .zero) == 3)
        _ = schedule.start([record(1, "a"), record(2, "b"), record(3, "c")])
        #expect(schedule.beginLook(at: .zero) == nil)
        #expect(schedule.inFlightCount == 3)
    }

    /// The waits after one failed attempt, two, and so on, without jitter.
    @Test func `waits double up to an hour, and there are thirty-six attempts`() {
        var waits: [Int64] = []
        for attempts in 0..<35 {
            var schedule = schedule()
            let ending = schedule.ended(
                record(1, "a", attempts: attempts),
                .failed(reason: "down", after: nil),
                at: .zero,
                random: 0
            )
            guard case .retry(let wait, "down") = ending.verdict else { Issue.record("no retry"); return }
            waits.append(wait.components.seconds)
        }
        #expect(waits.prefix(13) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600])
        #expect(waits.dropFirst(13).allSatisfy { $0 == 3600 })
        var schedule = schedule()
        let last = schedule.ended(
            record(1, "a", attempts: 35),
            .failed(reason: "down", after: nil),
            at: .zero,
            random: 0
        )
        #expect(last.verdict == .dead(reason: "down, after 36 attempts"))
    }

    @Test func `jitter shortens a wait by up to a half, and never below the other side's wish`() {
        func wait(_ random: Double, wish: Duration?) -> Settlement.Verdict {
            var schedule = schedule()
            return schedule.ended(
                record(1, "a", attempts: 5),
                .failed(reason: "down", after: wish),
                at: .zero,
                random: random
            ).verdict
        }
        #expect(wait(0.5, wish: nil) == .retry(after: .seconds(24), reason: "down"))
        #expect(wait(0.75, wish: nil) == .retry(after: .seconds(20), reason: "down"))
        #expect(wait(0.5, wish: .seconds(40)) == .retry(after: .seconds(40), reason: "down"))
        #expect(wait(0.5, wish: .seconds(86_400)) == .retry(after: .seconds(3600), reason: "down"))
    }

    @Test func `pauses double up to a minute, and a success ends them`() {
        var schedule = schedule(concurrency: 8)
        var now = Duration.zero
        var pauses: [Int64] = []
        var turns: [OutboxSchedule.Turn] = []
        for _ in 0..<12 {
            let ending = schedule.ended(record(1, "a"), .failed(reason: "down", after: nil), at: now, random: 0)
            if let turn = ending.turn { turns.append(turn) }
            let pause = schedule.nextLook(at: now) - now
            if schedule.beginLook(at: now) == nil {
                pauses.append(pause.components.seconds)
                now += pause
            }
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(turns == [.failing])
        #expect(schedule.beginLook(at: now) == 1)
        #expect(schedule.ended(record(1, "a"), .delivered, at: now, random: 0).turn == .recovered)
        #expect(schedule.beginLook(at: now) == 8)
    }

    @Test func `what fails during a pause does not lengthen it`() {
        var schedule = schedule(concurrency: 8)
        for _ in 0..<8 {
            _ = schedule.ended(record(1, "a"), .failed(reason: "down", after: nil), at: .zero, random: 0)
        }
        #expect(schedule.nextLook(at: .zero) == .seconds(1))
    }
}
