// SPDX-License-Identifier: Apache-2.0

import Sampling
import Testing

/// The cases that a seed draws from a long matrix.
struct SampleTests {
    private static let kinds = (0..<60).map { "kind \($0 % 7)" }

    private func draw(_ seed: UInt64, _ name: String = "cases", atMost count: Int = 12) -> [Int] {
        Sample.indices(of: Self.kinds, atMost: count, seed: seed, name: name)
    }

    @Test func `a seed draws the same cases each time`() {
        #expect(draw(7) == draw(7))
        // Written down, so that a seed that was printed yesterday draws today what it drew then.
        #expect(draw(1, atMost: 7) == [1, 4, 5, 27, 38, 49, 51])
    }

    @Test func `another seed and another name draw others`() {
        #expect(draw(7) != draw(8))
        #expect(draw(7) != draw(7, "other cases"))
    }

    @Test func `as many as are wanted are drawn, in their order and none twice`() {
        for seed in 0..<200 as Range<UInt64> {
            let drawn = draw(seed)
            #expect(drawn.count == 12)
            #expect(Set(drawn).sorted() == drawn)
        }
    }

    @Test func `each kind is drawn, even if fewer cases are wanted`() {
        for seed in 0..<200 as Range<UInt64> {
            for count in [0, 3, 12] {
                let drawn = draw(seed, atMost: count)
                #expect(Set(drawn.map { Self.kinds[$0] }) == Set(Self.kinds), "seed \(seed)")
                #expect(drawn.count == max(count, 7))
            }
        }
    }

    @Test func `some seed draws every case`() {
        let drawn = (0..<200 as Range<UInt64>).reduce(into: Set<Int>()) { $0.formUnion(draw($1)) }
        #expect(drawn == Set(Self.kinds.indices))
    }

    @Test func `more than there are is all there is`() {
        #expect(draw(7, atMost: 1000) == Array(Self.kinds.indices))
        #expect(Sample.indices(of: [], atMost: 5, seed: 7, name: "none") == [])
    }
}
