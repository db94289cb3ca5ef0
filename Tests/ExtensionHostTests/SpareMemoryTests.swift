// SPDX-License-Identifier: Apache-2.0

import Locking
import Testing

@testable import ExtensionHost

/// The moments at which a host gives memory back to the system.
struct SpareMemoryTests {
    @Test func `memory is given back once for each crowd`() async {
        let cameToRest = Signal()
        let (trims, trimmed) = AsyncStream.makeStream(of: Void.self)
        let memory = SpareMemory(cameToRest: cameToRest) { trimmed.yield() }
        let running = Task { await memory.run() }

        var trim = trims.makeAsyncIterator()
        for _ in 1...3 {
            cameToRest.raise()
            await trim.next()
        }
        running.cancel()
        await running.value
        trimmed.finish()
        await #expect(trim.next() == nil)
    }

    @Test func `it ends while it waits for a crowd`() async {
        let memory = SpareMemory(cameToRest: Signal()) { Issue.record("no crowd") }
        let running = Task { await memory.run() }
        running.cancel()
        await running.value
    }
}
