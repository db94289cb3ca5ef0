// SPDX-License-Identifier: Apache-2.0

import Locking
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SerialWorkTests {
    @Test func `jobs run in the order in which they were handed in, one at a time`() async {
        let work = SerialWork(name: "test")
        let (order, running) = (Locked<[Int]>([]), Locked(0))
        for number in 0..<10_000 {
            work.run {
                running.withLock { $0 += 1 }
                #expect(running.withLock { $0 } == 1)
                order.withLock { $0.append(number) }
                running.withLock { $0 -= 1 }
            }
        }
        await work.result {}
        #expect(order.withLock { $0 } == Array(0..<10_000))
    }

    @Test func `a job that is handed in by a job runs behind it`() async {
        let work = SerialWork(name: "test")
        let words = await withCheckedContinuation { caller in
            let words = Locked<[String]>([])
            work.run {
                work.run { caller.resume(returning: words.withLock { $0 }) }
                words.withLock { $0.append("first") }
            }
        }
        #expect(words == ["first"])
    }

    @Test func `jobs of many tasks each run once`() async {
        let work = SerialWork(name: "test")
        let sum = Locked(0)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 { await work.result { sum.withLock { $0 += 1 } } }
                }
            }
        }
        #expect(sum.withLock { $0 } == 8000)
    }

    @Test func `what waits when the last reference is gone runs all the same`() async {
        for _ in 0..<1000 {
            let count = Locked(0)
            await withCheckedContinuation { caller in
                let work = SerialWork(name: "test")
                work.run { count.withLock { $0 += 1 } }
                work.run { caller.resume() }
            }
            #expect(count.withLock { $0 } == 1)
        }
    }
}
