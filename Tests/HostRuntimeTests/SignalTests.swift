// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SignalTests {
    @Test func `a raise before the wait is not lost`() async {
        let signal = Signal()
        signal.raise()
        await signal.wait()
    }

    @Test func `a raise ends a wait`() async {
        let signal = Signal()
        let wait = Task { await signal.wait() }
        signal.raise()
        await wait.value
    }

    @Test func `a cancelled wait returns, whether it had begun or not`() async {
        let signal = Signal()
        let begun = Task { await signal.wait() }
        begun.cancel()
        await begun.value

        let cancelledBefore = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await signal.wait()
        }
        await cancelledBefore.value
    }

    @Test func `a raise after a cancelled wait reaches the next one`() async {
        let signal = Signal()
        for _ in 0..<100 {
            let cancelled = Task { await signal.wait() }
            cancelled.cancel()
            await cancelled.value
            signal.raise()
            await signal.wait()
        }
    }

    @Test func `a second waiter is a bug of ours and ends the process`() async {
        await #expect(processExitsWith: .failure) {
            let signal = Signal()
            await withTaskGroup { group in
                group.addTask { await signal.wait() }
                group.addTask { await signal.wait() }
            }
        }
    }

    @Test func `raises that meet a waiter's check are never lost`() async {
        let signal = Signal()
        let raised = Tally()
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<2500 {
                        raised.change(by: 1)
                        signal.raise()
                    }
                }
            }
            while raised.count < 10_000 { await signal.wait() }
        }
        #expect(raised.count == 10_000)
    }

    @Test func `raise and cancellation at once end a wait`() async {
        for _ in 0..<1000 {
            let signal = Signal()
            let wait = Task { await signal.wait() }
            async let raise: Void = signal.raise()
            wait.cancel()
            await wait.value
            await raise
        }
    }
}
