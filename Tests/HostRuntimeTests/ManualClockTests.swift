// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import TestClock
import Testing

/// The clock of the other tests, and the host's view of a clock.
@Suite(.timeLimit(.minutes(5)))
struct ManualClockTests {
    @Test func `it stands still until it is advanced, and never goes back`() {
        let clock = ManualClock()
        #expect(clock.now.offset == .zero)
        clock.advance(by: .seconds(2))
        clock.advance(to: .seconds(1))
        #expect(clock.now.offset == .seconds(2))
    }

    @Test func `sleepers wake when their instant is reached`() async throws {
        let clock = ManualClock()
        let journal = Journal<Int>()
        try await withThrowingTaskGroup { group in
            for seconds in [3, 1, 2] {
                group.addTask {
                    try await clock.sleep(until: .init(offset: .seconds(seconds)), tolerance: nil)
                    journal.note(seconds)
                }
                await clock.sleeper(until: .seconds(seconds))
            }
            clock.advance(to: .milliseconds(999))
            clock.advance(to: .seconds(1))
            #expect(await journal.next(1) == [1])
            clock.advance(by: .seconds(2))
            #expect(Set(await journal.next(2)) == [2, 3])
            try await group.waitForAll()
        }
    }

    @Test func `a sleep until now or before returns at once`() async throws {
        let clock = ManualClock()
        clock.advance(to: .seconds(5))
        try await clock.sleep(until: .init(offset: .seconds(5)), tolerance: nil)
        try await clock.sleep(until: .init(offset: .zero), tolerance: nil)
        #expect(clock.sleepCount == 2)
    }

    @Test func `a cancelled sleep throws, whether it had begun or not`() async {
        let clock = ManualClock()
        let sleep = Task { try await clock.sleep(until: .init(offset: .seconds(1)), tolerance: nil) }
        await clock.sleeper(until: .seconds(1))
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }

        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(until: .init(offset: .seconds(1)), tolerance: nil)
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    // MARK: HostClock

    @Test func `the host's clock counts from its making`() async throws {
        let clock = ManualClock()
        clock.advance(to: .seconds(100))
        let hostClock = HostClock(clock)
        #expect(hostClock.now == .zero)
        clock.advance(by: .milliseconds(1500))
        #expect(hostClock.now == .milliseconds(1500))
        try await hostClock.sleep(until: .seconds(1))

        let sleep = Task { try await hostClock.sleep(until: .seconds(2)) }
        await clock.sleeper(until: .seconds(102))
        clock.advance(to: .seconds(102))
        try await sleep.value
        #expect(hostClock.now == .seconds(2))
    }

    @Test func `a cancelled sleep of the host's clock throws`() async {
        let clock = ManualClock()
        let hostClock = HostClock(clock)
        let sleep = Task { try await hostClock.sleep(until: .seconds(2)) }
        await clock.sleeper(until: .seconds(2))
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
    }
}
