// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import Foundation
import Testing

@Suite struct TimeTests {
    static let third = CMTime(value: 1, timescale: 3)
    static let half = CMTime(value: 1, timescale: 2)

    @Test("sums are exact in parts that both times have")
    func sums() {
        let sum = Self.third + Self.half
        #expect((sum.value, sum.timescale) == (5, 6))
        let difference = Self.third - Self.half
        #expect((difference.value, difference.timescale) == (-1, 6))
        #expect(CMTimeAbsoluteValue(difference) == CMTime(value: 1, timescale: 6))
        #expect(CMTime(value: 10, timescale: 600) + CMTime(value: 5, timescale: 600) == CMTime(value: 1, timescale: 40))
    }

    @Test("times are compared by what they are, not by their parts")
    func order() {
        #expect(CMTime(value: 2, timescale: 4) == Self.half)
        #expect(CMTime(value: 2, timescale: 4).hashValue == Self.half.hashValue)
        #expect(Self.third < Self.half)
        #expect(CMTime(value: .max, timescale: 1) > CMTime(value: .max, timescale: 2))
        #expect(CMTime.negativeInfinity < .zero)
        #expect(CMTime.zero < .positiveInfinity)
        #expect(CMTime.positiveInfinity < .indefinite)
        #expect(CMTimeCompare(Self.third, Self.half) == -1)
    }

    @Test("what is no number keeps its kind")
    func kinds() {
        #expect(!(CMTime.invalid + .zero).isValid)
        #expect((CMTime.indefinite + .zero).isIndefinite)
        #expect((CMTime.zero - .positiveInfinity).isNegativeInfinity)
        #expect(!(CMTime.positiveInfinity + .negativeInfinity).isValid)
        #expect(CMTime.indefinite.seconds.isNaN)
        #expect(CMTime.positiveInfinity.seconds == .infinity)
        #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
        #expect(CMTime(seconds: 1e300, preferredTimescale: 600).isPositiveInfinity)
        #expect((CMTime(value: .max, timescale: 1) + CMTime(value: .max, timescale: 1)).isPositiveInfinity)
        #expect(!CMTime(value: 1, timescale: 0).isValid)
    }

    @Test("seconds become the nearest number of parts")
    func rounding() {
        let time = CMTime(seconds: 0.3334, preferredTimescale: 600)
        #expect((time.value, time.timescale) == (200, 600))
        #expect(time.hasBeenRounded)
        let whole = CMTimeMakeWithSeconds(1.5, preferredTimescale: 600)
        #expect(whole.value == 900)
        #expect(!whole.hasBeenRounded)
        #expect(CMTimeGetSeconds(whole) == 1.5)
        let methods: [(CMTimeRoundingMethod, Int64)] = [
            (.roundHalfAwayFromZero, -2), (.roundTowardZero, -1), (.roundAwayFromZero, -2),
            (.roundTowardPositiveInfinity, -1), (.roundTowardNegativeInfinity, -2),
        ]
        for (method, value) in methods {
            #expect(CMTime(value: -3, timescale: 2).convertScale(1, method: method).value == value)
        }
    }

    @Test("products are exact where they are whole")
    func products() {
        #expect(CMTimeMultiply(Self.third, multiplier: 6) == CMTime(value: 2, timescale: 1))
        #expect(CMTimeMultiplyByFloat64(CMTime(value: 4, timescale: 1), multiplier: 0.5).value == 2)
        #expect(CMTimeMultiplyByRatio(CMTime(value: 6, timescale: 1), multiplier: 1, divisor: 3).value == 2)
        #expect(!CMTimeMultiplyByRatio(Self.third, multiplier: 1, divisor: 0).isValid)
    }

    @Test("a range has its beginning and not its end")
    func ranges() {
        let range = CMTimeRange(start: CMTime(value: 1, timescale: 1), end: CMTime(value: 3, timescale: 1))
        #expect(range.duration == CMTime(value: 2, timescale: 1))
        #expect(range.containsTime(CMTime(value: 1, timescale: 1)))
        #expect(!range.containsTime(CMTime(value: 3, timescale: 1)))
        let other = CMTimeRangeMake(start: CMTime(value: 2, timescale: 1), duration: CMTime(value: 4, timescale: 1))
        #expect(
            range.intersection(other)
                == CMTimeRange(start: CMTime(value: 2, timescale: 1), duration: CMTime(value: 1, timescale: 1))
        )
        #expect(range.union(other).end == CMTime(value: 6, timescale: 1))
        #expect(!CMTimeRange.invalid.isValid)
        #expect(range.intersection(.invalid) == .zero)
    }
}
