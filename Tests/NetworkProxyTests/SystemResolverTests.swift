// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HostRuntime
import Locking
import Testing

@testable import NetworkProxy

/// The threads on which names are looked up, and who waits for them.
@Suite(.timeLimit(.minutes(5))) struct SystemResolverTests {
    @Test func `the machine's resolver is asked as often as anybody likes`() async throws {
        let resolver = SystemResolver()
        // More of them than may wait at once.
        for _ in 0..<100 {
            let addresses = await withCheckedContinuation { continuation in
                resolver.resolve("127.0.0.1") { continuation.resume(returning: $0) }
            }
            #expect(addresses.map(\.description) == ["127.0.0.1"])
        }
    }

    @Test func `sixty-four look-ups are under way at most, four of them at work, and one more has no address`() async {
        let address = IPAddress("8.8.8.8")
        let (gate, isAsked) = (DispatchSemaphore(value: 0), Signal())
        let asked = Locked(0)
        let resolver = SystemResolver { _ in
            asked.withLock { $0 += 1 }
            isAsked.raise()
            gate.wait()
            return address.map { [$0] } ?? []
        }
        let answers = Locked([Int]())
        let isAnswered = Signal()
        for _ in 0..<66 {
            resolver.resolve("a.example") { addresses in
                answers.withLock { $0.append(addresses.count) }
                isAnswered.raise()
            }
        }
        #expect(answers.withLock { $0 } == [0, 0])
        while asked.withLock({ $0 }) < 4 { await isAsked.wait() }
        #expect(asked.withLock { $0 } == 4)
        for _ in 0..<64 { gate.signal() }
        while answers.withLock({ $0.count }) < 66 { await isAnswered.wait() }
        #expect(answers.withLock { $0 } == [0, 0] + [Int](repeating: 1, count: 64))
    }
}
