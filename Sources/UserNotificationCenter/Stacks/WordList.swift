// SPDX-License-Identifier: Apache-2.0

/// The categories and arguments of a board's notifications: each pair once, under a number that entries have instead.
///
/// A pair goes with the last notification that has it, so that a board that is kept grows no larger than its texts.
struct WordList: Sendable {
    /// The number of "neither category nor argument".
    static let none: UInt32 = 0
    /// The memory of a pair besides its bytes, which are there twice.
    private static let pairByteCount = 160

    private struct Pair: Sendable {
        let category: String?
        let argument: String?
        let key: [UInt8]
        var uses: Int
    }

    /// The pair of number n stands at n − 1; `nil` is a place that is free.
    private var pairs: [Pair?] = []
    private var free: [UInt32] = []
    /// Keys are bytes: comparing canonical forms of foreign texts takes time that grows as the square of a run of
    /// combining marks.
    private var numbers: [[UInt8]: UInt32] = [:]
    /// An estimate of the memory that the list holds.
    private(set) var byteCount = 0

    /// The number of pairs.
    var count: Int { numbers.count }

    /// Counts one more notification with these words, and returns their number.
    mutating func take(category: String?, argument: String?) -> UInt32 {
        guard category != nil || argument != nil else { return Self.none }
        // No byte of a text is 255 or 254.
        let key = (category.map { Array($0.utf8) + [255] } ?? [254]) + Array((argument ?? "").utf8)
        if let number = numbers[key] {
            pairs[Int(number) - 1]?.uses += 1
            return number
        }
        let pair = Pair(category: category, argument: argument, key: key, uses: 1)
        let number: UInt32
        if let place = free.popLast() {
            number = place
            pairs[Int(place) - 1] = pair
        } else {
            pairs.append(pair)
            number = UInt32(pairs.count)
        }
        numbers[key] = number
        byteCount += Self.pairByteCount + 2 * key.count
        return number
    }

    /// Counts one notification less with the words of a number.
    mutating func release(_ number: UInt32) {
        guard number != Self.none, let pair = pairs[Int(number) - 1] else { return }
        guard pair.uses == 1 else {
            pairs[Int(number) - 1]?.uses -= 1
            return
        }
        pairs[Int(number) - 1] = nil
        numbers[pair.key] = nil
        free.append(number)
        byteCount -= Self.pairByteCount + 2 * pair.key.count
    }

    /// A notification with the words of a number, as summaries take it.
    func member(_ number: UInt32, count: Int) -> StackSummary.Member {
        let pair = number == Self.none ? nil : pairs[Int(number) - 1]
        return StackSummary.Member(category: pair?.category, argument: pair?.argument, count: count)
    }
}
