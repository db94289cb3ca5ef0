// SPDX-License-Identifier: Apache-2.0

/// The keyed hash SipHash-2-4 with a result of 64 bits.
///
/// Whoever does not know the key cannot make texts of equal hashes. Source: Aumasson and Bernstein, "SipHash: a fast
/// short-input PRF", 2012.
struct SipHash {
    private let low: UInt64
    private let high: UInt64

    /// The key: its first 8 bytes are `low`, its last 8 `high`, both as little-endian numbers.
    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Reads a key of 16 bytes; `nil` means that there are more or fewer.
    init?(key: [UInt8]) {
        guard key.count == 16 else { return nil }
        self.init(low: Self.word(key.span, at: 0), high: Self.word(key.span, at: 8))
    }

    func hash(_ text: Span<UInt8>) -> UInt64 {
        var state = State(low, high)
        let whole = text.count & ~7
        for offset in stride(from: 0, to: whole, by: 8) { state.take(Self.word(text, at: offset)) }
        var last = UInt64(truncatingIfNeeded: text.count) << 56
        for offset in whole..<text.count { last |= UInt64(text[offset]) << UInt64(8 * (offset - whole)) }
        state.take(last)
        return state.finish()
    }

    private static func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<8 { word |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
        return word
    }

    /// The four words that are mixed.
    private struct State {
        private var words: (UInt64, UInt64, UInt64, UInt64)

        init(_ low: UInt64, _ high: UInt64) {
            words = (
                low ^ 0x736F_6D65_7073_6575, high ^ 0x646F_7261_6E64_6F6D,
                low ^ 0x6C79_6765_6E65_7261, high ^ 0x7465_6462_7974_6573
            )
        }

        mutating func take(_ word: UInt64) {
            words.3 ^= word
            mix()
            mix()
            words.0 ^= word
        }

        mutating func finish() -> UInt64 {
            words.2 ^= 0xFF
            for _ in 0..<4 { mix() }
            return words.0 ^ words.1 ^ words.2 ^ words.3
        }

        private mutating func mix() {
            words.0 &+= words.1
            words.1 = Self.turned(words.1, by: 13) ^ words.0
            words.0 = Self.turned(words.0, by: 32)
            words.2 &+= words.3
            words.3 = Self.turned(words.3, by: 16) ^ words.2
            words.0 &+= words.3
            words.3 = Self.turned(words.3, by: 21) ^ words.0
            words.2 &+= words.1
            words.1 = Self.turned(words.1, by: 17) ^ words.2
            words.2 = Self.turned(words.2, by: 32)
        }

        private static func turned(_ word: UInt64, by count: UInt64) -> UInt64 {
            word << count | word >> (64 - count)
        }
    }
}

/// The hash under which a store keeps names and threads, so that its heads and indexes hold no text.
///
/// Two texts may have one hash, so whoever finds a row by it compares the content.
struct NameHash {
    private let hash: SipHash
    private let mask: UInt64

    /// `bits` is the length of the result, 63 but in tests, which make equal hashes likely.
    init(_ hash: SipHash, bits: Int = 63) {
        self.hash = hash
        mask = 1 << UInt64(bits) - 1
    }

    func callAsFunction(_ text: String) -> Int64 {
        Int64(hash.hash(Array(text.utf8).span) & mask)
    }

    /// All 64 bits, for what is never compared with a name.
    func whole(_ bytes: [UInt8]) -> UInt64 { hash.hash(bytes.span) }
}
