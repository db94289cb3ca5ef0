// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

struct BacklogTests {
    @Test func `elements leave in the order of their arrival`() {
        var backlog = Backlog<Int>()
        for number in 0..<100 { backlog.append(number) }
        #expect(backlog.count == 100)
        #expect(backlog.first == 0)
        #expect((0..<100).map { _ in backlog.popFirst() } == Array(0..<100))
        #expect(backlog.popFirst() == nil)
        #expect(backlog.isEmpty)
        #expect(backlog.first == nil)
    }

    @Test func `one may go before all others`() {
        var backlog = Backlog<Int>()
        backlog.prepend(1)
        backlog.append(2)
        backlog.append(3)
        #expect(backlog.popFirst() == 1)
        backlog.prepend(0)
        #expect(backlog.count == 3)
        #expect(backlog.removeAll() == [0, 2, 3])
        #expect(backlog.isEmpty)
    }

    @Test(arguments: 0..<5)
    func `ascending ones stay so, each once`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var backlog = Backlog<Int>()
        var expected: Set<Int> = []
        for _ in 0..<2000 {
            if Int.random(in: 0..<3, using: &generator) > 0 {
                let number = Int.random(in: 0..<500, using: &generator)
                backlog.insert(number)
                expected.insert(number)
            } else {
                #expect(backlog.popFirst() == expected.min())
                if let first = expected.min() { expected.remove(first) }
            }
            #expect(backlog.count == expected.count)
        }
        #expect(backlog.removeAll() == expected.sorted())
    }

    @Test func `one may leave from the middle`() {
        var backlog = Backlog<Int>()
        for number in 0..<5 { backlog.append(number) }
        _ = backlog.popFirst()
        backlog.remove { $0 == 2 }
        backlog.remove { $0 == 0 }
        backlog.remove { $0 == 9 }
        #expect(backlog.removeAll() == [1, 3, 4])
    }

    @Test(arguments: 0..<5)
    func `any mix leaves what an array would`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var backlog = Backlog<Int>()
        var expected: [Int] = []
        for number in 0..<2000 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1:
                backlog.append(number)
                expected.append(number)
            case 2:
                backlog.prepend(number)
                expected.insert(number, at: 0)
            case 3:
                #expect(backlog.popFirst() == (expected.isEmpty ? nil : expected.removeFirst()))
            default:
                guard let victim = expected.randomElement(using: &generator) else { continue }
                backlog.remove { $0 == victim }
                expected.removeAll { $0 == victim }
            }
            #expect(backlog.count == expected.count)
            #expect(backlog.first == expected.first)
        }
        #expect(backlog.removeAll() == expected)
    }

    @Test func `what has left is let go, also of a queue that is never empty`() {
        let alive = Tally()
        final class Token {
            let tally: Tally
            init(_ tally: Tally) {
                self.tally = tally
                tally.change(by: 1)
            }
            deinit { tally.change(by: -1) }
        }
        var backlog = Backlog<Token>()
        for _ in 0..<10 { backlog.append(Token(alive)) }
        for _ in 0..<1000 {
            backlog.append(Token(alive))
            _ = backlog.popFirst()
            #expect(alive.count == 10)
        }
        _ = backlog.removeAll()
        #expect(alive.count == 0)
    }
}
