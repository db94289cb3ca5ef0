// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

@testable import WorkerSupervisor

/// The bounds of a worker's use of memory, processor, socket and pipe.
@Suite(.timeLimit(.minutes(5)))
struct BoundsTests {
    @Test func `memory above the limit ends the worker, and the record knows how much`() async throws {
        try await SupervisorHarness.withHarness { harness in
            _ = await harness.run("answer")
            let start = harness.clock.now
            let result = await harness.run("eat")
            #expect(result.conclusion == .failed(.memoryLimitExceeded))
            // Not at the end of the budget.
            #expect(harness.clock.now - start < .seconds(10))
            #expect((result.worker?.peakMemoryByteCount ?? 0) > 64 << 20)
            #expect((result.worker?.peakMemoryByteCount ?? 0) < 128 << 20)
        }
    }

    @Test func `packets without end are a violation long before the budget ends`() async throws {
        try await SupervisorHarness.withHarness(apps: ["com.example.a", "com.example.b"]) { harness in
            _ = await harness.run("answer", of: "com.example.b")
            let start = harness.clock.now
            async let flood = harness.run("endless flood", of: "com.example.a")
            // The neighbour is served meanwhile.
            #expect(await harness.run("answer", of: "com.example.b").alert == "answer")
            #expect(await flood.conclusion == .failed(.protocolViolation))
            #expect(harness.clock.now - start < .seconds(10))
        }
    }

    @Test func `output without end blocks nobody, and ends with the budget`() async throws {
        try await SupervisorHarness.withHarness(apps: ["com.example.a", "com.example.b"]) { harness in
            _ = await harness.run("answer", of: "com.example.b")
            _ = await harness.run("answer", of: "com.example.a")
            let start = harness.clock.now
            async let print = harness.run("endless print", of: "com.example.a", budget: .seconds(8))
            await harness.until { $0.workers.contains { !$0.requests.isEmpty } }
            #expect(await harness.run("answer", of: "com.example.b", budget: .seconds(20)).alert == "answer")
            #expect(await print.conclusion == .failed(.budgetExceeded))
            #expect(harness.clock.now - start < .seconds(20))
        }
    }

    @Test func `a loop without end steps back, and the worker serves nothing after it`() async throws {
        try await SupervisorHarness.withHarness { harness in
            let before = await harness.run("answer")
            let result = await harness.run("spin", budget: .seconds(12))
            #expect(result.conclusion == .failed(.budgetExceeded))
            #expect(result.worker?.pid == before.worker?.pid)
            #expect(await harness.counts().lowered == 1)
        }
    }
}
