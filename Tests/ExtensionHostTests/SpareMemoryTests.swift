// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import TestClock
import Testing

@testable import ExtensionHost

/// The moments at which a host gives memory back to the system.
struct SpareMemoryTests {
    @Test func `memory is given back after a crowd, and not again for ten seconds`() async throws {
        let clock = ManualClock()
        let cameToRest = Signal()
        let trims = Locked(0)
        let memory = SpareMemory(cameToRest: cameToRest, clock: HostClock(clock)) { trims.withLock { $0 += 1 } }
        let running = Task { await memory.run() }

        cameToRest.raise()
        await clock.sleeper(until: .seconds(10))
        #expect(trims.withLock(\.self) == 1)
        cameToRest.raise()
        #expect(trims.withLock(\.self) == 1)
        clock.advance(by: .seconds(10))
        await clock.sleeper(until: .seconds(20))
        #expect(trims.withLock(\.self) == 2)

        running.cancel()
        await running.value
    }

    @Test func `it ends while it waits for a crowd`() async {
        let memory = SpareMemory(cameToRest: Signal(), clock: HostClock(ManualClock())) { Issue.record("no crowd") }
        let running = Task { await memory.run() }
        running.cancel()
        await running.value
    }
}
