// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The part of a long matrix that a run tries: with `TEST_SAMPLE_SEED` cases drawn by that number, otherwise all.
///
/// `scripts/test` draws the seed, prints it, and repeats a run with `--seed`; `make ci` and a plain `swift test` have
/// none. A matrix is drawn by the seed and its name alone, so a test that is run by itself tries the same cases.
package enum Sample {
    /// Returns `cases` or, in their order, as many of them as `count`: at least one of each kind, and then any.
    ///
    /// `name` says in a few words what the cases are; the last lines of a run have it with both numbers.
    package static func of<Case>(
        _ cases: [Case],
        atMost count: Int,
        _ name: String,
        kind: (Case) -> String = { _ in "" }
    ) -> [Case] {
        guard let seed else { return cases }
        let drawn = indices(of: cases.map(kind), atMost: count, seed: seed, name: name)
        note("\(drawn.count) of \(cases.count) \(name)")
        return drawn.map { cases[$0] }
    }

    /// Returns `count`, or no more than `most` where cases are drawn: for what is done again and again.
    ///
    /// With `TEST_SAMPLE_TIMES` and without a seed it is so many times as much.
    package static func count(_ count: Int, atMost most: Int, _ name: String) -> Int {
        guard seed != nil else { return count * times }
        guard most < count else { return count }
        note("\(most) of \(count) \(name)")
        return most
    }

    /// The places of what is drawn from cases of these kinds, in ascending order.
    package static func indices(of kinds: [String], atMost count: Int, seed: UInt64, name: String) -> [Int] {
        var numbers = Numbers(seed: seed, name: name)
        let shuffled = kinds.indices.shuffled(using: &numbers)
        var seen: Set<String> = []
        let firsts = shuffled.filter { seen.insert(kinds[$0]).inserted }
        let others = shuffled.filter { !firsts.contains($0) }
        return (firsts + others.prefix(max(0, count - firsts.count))).sorted()
    }

    private static let seed: UInt64? = ProcessInfo.processInfo.environment["TEST_SAMPLE_SEED"].map { text in
        guard let seed = UInt64(text) else { preconditionFailure("TEST_SAMPLE_SEED is no number: \"\(text)\"") }
        return seed
    }

    private static let times: Int = {
        let text = ProcessInfo.processInfo.environment["TEST_SAMPLE_TIMES"] ?? "1"
        guard let times = Int(text), times >= 1 else {
            preconditionFailure("TEST_SAMPLE_TIMES is no number: \"\(text)\"")
        }
        return times
    }()

    /// Appends one line to the file that `scripts/test` names in `TEST_SAMPLE_LOG`.
    private static func note(_ line: String) {
        guard let path = ProcessInfo.processInfo.environment["TEST_SAMPLE_LOG"] else { return }
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        precondition(descriptor >= 0, "cannot open \"\(path)\": errno \(errno)")
        let bytes = Array((line + "\n").utf8)
        let count = write(descriptor, bytes, bytes.count)
        precondition(count == bytes.count, "cannot write to \"\(path)\": errno \(errno)")
        close(descriptor)
    }

    /// SplitMix64, which begins with the seed and the name (FNV-1a).
    private struct Numbers: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64, name: String) {
            state = name.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var number = state
            number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
            number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
            return number ^ (number >> 31)
        }
    }
}
