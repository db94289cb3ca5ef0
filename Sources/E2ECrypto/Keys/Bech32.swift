// SPDX-License-Identifier: Apache-2.0

/// Bech32 without its limit of 90 characters: prefix, `1`, data in groups of 5 bits, six characters of checksum.
///
/// Works on secrets: characters are found by comparing with all 32, never through a table, and neither verb keeps a
/// copy of what it reads.
/// Source: BIP 173.
enum Bech32 {
    private static let characters: StaticString = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    private static let checksumCount = 6

    static func characterCount(prefix: String, byteCount: Int) -> Int {
        prefix.utf8.count + 1 + (byteCount * 8 + 4) / 5 + checksumCount
    }

    /// Decodes the data of `text`, whose prefix the caller has recognised, into `output` with room for
    /// `capacity` bytes; returns how many there were.
    static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        prefix: String,
        into output: UnsafeMutablePointer<UInt8>,
        capacity: Int
    ) throws(KeyTextError) -> Int {
        let start = prefix.utf8.count + 1
        guard text.count >= start + checksumCount else { throw .wrongChecksum }
        var hasUpper = false
        var hasLower = false
        var checksum = Checksum(prefix: prefix)
        let dataEnd = text.count - checksumCount
        let byteCount = (dataEnd - start) * 5 / 8
        guard byteCount <= capacity else { throw .wrongByteCount(got: byteCount) }
        var group: UInt32 = 0
        var bits: UInt32 = 0
        var written = 0
        for index in text.indices {
            let character = unsafe text[index]
            hasUpper = hasUpper || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character)
            hasLower = hasLower || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
            guard index >= start else { continue }
            guard let value = value(of: character) else { throw .unexpectedCharacter(offset: index) }
            checksum.add(value)
            guard index < dataEnd else { continue }
            group = (group << 5 | value) & 0xFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                unsafe output[written] = UInt8(truncatingIfNeeded: group >> bits)
                written += 1
            }
        }
        guard !(hasUpper && hasLower) else { throw .mixedCase }
        guard checksum.value == 1, bits < 5, group & ((1 << bits) - 1) == 0 else { throw .wrongChecksum }
        return written
    }

    /// Writes prefix, separator, data and checksum to `output`, with room for `characterCount(prefix:byteCount:)`.
    static func encode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        prefix: String,
        into output: UnsafeMutablePointer<UInt8>,
        uppercase: Bool
    ) {
        var written = 0
        func put(_ character: UInt8) {
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
            unsafe output[written] = uppercase && isLetter ? character & ~0x20 : character
            written += 1
        }
        var checksum = Checksum(prefix: prefix)
        func put(value: UInt32) {
            checksum.add(value)
            put(character(of: value))
        }
        for character in prefix.utf8 { put(character) }
        put(UInt8(ascii: "1"))
        var group: UInt32 = 0
        var bits: UInt32 = 0
        for index in bytes.indices {
            group = unsafe (group << 8 | UInt32(bytes[index])) & 0xFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                put(value: group >> bits & 31)
            }
        }
        if bits > 0 { put(value: group << (5 - bits) & 31) }
        let closing = checksum.closing
        for position in 0..<checksumCount {
            put(character(of: closing >> UInt32(5 * (checksumCount - 1 - position)) & 31))
        }
    }

    /// Compares with every character, so that time and memory touched do not depend on which it is.
    private static func value(of character: UInt8) -> UInt32? {
        let lower = character | ((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character) ? 0x20 : 0)
        var found: UInt32 = 0
        for value in 0..<32 {
            let isEqual: UInt32 = unsafe characters.utf8Start[value] == lower ? 1 : 0
            found |= isEqual * (UInt32(value) + 1)
        }
        return found == 0 ? nil : found - 1
    }

    private static func character(of value: UInt32) -> UInt8 {
        var found: UInt8 = 0
        for candidate in 0..<32 {
            let mask: UInt8 = UInt32(candidate) == value ? 0xFF : 0
            unsafe found |= characters.utf8Start[candidate] & mask
        }
        return found
    }

    private struct Checksum {
        private(set) var value: UInt32 = 1

        init(prefix: String) {
            for character in prefix.utf8 { add(UInt32(character) >> 5) }
            add(0)
            for character in prefix.utf8 { add(UInt32(character) & 31) }
        }

        mutating func add(_ group: UInt32) {
            let top = value >> 25
            value = (value & 0x1FF_FFFF) << 5 ^ group
            let generators: [UInt32] = [0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3]
            for (bit, generator) in generators.enumerated() {
                value ^= generator & (0 &- (top >> UInt32(bit) & 1))
            }
        }

        var closing: UInt32 {
            var copy = self
            for _ in 0..<checksumCount { copy.add(0) }
            return copy.value ^ 1
        }
    }
}

// MARK: Public texts

extension Bech32 {
    static func encode(_ bytes: [UInt8], prefix: String) -> String {
        let count = characterCount(prefix: prefix, byteCount: bytes.count)
        return unsafe String(unsafeUninitializedCapacity: count) { output in
            guard let start = output.baseAddress else { return 0 }
            unsafe bytes.withUnsafeBufferPointer {
                unsafe encode($0, prefix: prefix, into: start, uppercase: false)
            }
            return count
        }
    }

    static func decode(_ characters: [UInt8], prefix: String) throws(KeyTextError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: characters.count)
        let count = try unsafe bytes.withUnsafeMutableBufferPointer { output throws(KeyTextError) -> Int in
            guard let start = output.baseAddress else { throw .empty }
            let capacity = output.count
            return try unsafe characters.withUnsafeBufferPointer { text throws(KeyTextError) -> Int in
                try unsafe decode(text, prefix: prefix, into: start, capacity: capacity)
            }
        }
        return Array(bytes.prefix(count))
    }
}
