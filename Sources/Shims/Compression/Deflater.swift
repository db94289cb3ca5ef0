// SPDX-License-Identifier: Apache-2.0

/// Writes DEFLATE with the fixed code: one block, with the nearest earlier place of each three bytes.
///
/// Larger than what zlib makes of the same bytes, and read by everything that reads DEFLATE.
struct Deflater {
    private var output: [UInt8] = []
    private var bits: UInt32 = 0
    private var bitCount = 0

    static func compress(_ input: [UInt8]) -> [UInt8] {
        var deflater = Deflater()
        // The last block, of the fixed code.
        deflater.put(1, 1)
        deflater.put(1, 2)
        deflater.putBytes(input)
        deflater.putSymbol(256)
        if deflater.bitCount > 0 { deflater.put(0, 8 - deflater.bitCount) }
        return deflater.output
    }

    private mutating func putBytes(_ input: [UInt8]) {
        var lastPlaces = [Int32](repeating: -1, count: 1 << 13)
        var place = 0
        while place < input.count {
            guard place + 3 <= input.count else {
                putSymbol(Int(input[place]))
                place += 1
                continue
            }
            let key = (Int(input[place]) << 10 ^ Int(input[place + 1]) << 5 ^ Int(input[place + 2])) & (1 << 13 - 1)
            let earlier = Int(lastPlaces[key])
            lastPlaces[key] = Int32(truncatingIfNeeded: place)
            let length = earlier >= 0 && place - earlier <= 32_768 ? Self.match(input, earlier, place) : 0
            if length >= 3 {
                putMatch(length, place - earlier)
                place += length
            } else {
                putSymbol(Int(input[place]))
                place += 1
            }
        }
    }

    private static func match(_ input: [UInt8], _ earlier: Int, _ place: Int) -> Int {
        let most = min(258, input.count - place)
        var length = 0
        while length < most, input[earlier + length] == input[place + length] { length += 1 }
        return length
    }

    private mutating func putMatch(_ length: Int, _ distance: Int) {
        let lengthCode = (DeflateTables.lengthBases.lastIndex { $0 <= length }) ?? 0
        putSymbol(257 + lengthCode)
        put(length - DeflateTables.lengthBases[lengthCode], DeflateTables.lengthBits[lengthCode])
        let distanceCode = (DeflateTables.distanceBases.lastIndex { $0 <= distance }) ?? 0
        putWord(distanceCode, 5)
        put(distance - DeflateTables.distanceBases[distanceCode], DeflateTables.distanceBits[distanceCode])
    }

    /// RFC 1951, 3.2.6.
    private mutating func putSymbol(_ symbol: Int) {
        switch symbol {
        case ..<144: putWord(0x30 + symbol, 8)
        case ..<256: putWord(0x190 + symbol - 144, 9)
        case ..<280: putWord(symbol - 256, 7)
        default: putWord(0xC0 + symbol - 280, 8)
        }
    }

    /// Words of a code go out highest bit first, numbers lowest bit first.
    private mutating func putWord(_ word: Int, _ count: Int) {
        var reversed = 0
        for place in 0..<count { reversed |= (word >> place & 1) << (count - 1 - place) }
        put(reversed, count)
    }

    private mutating func put(_ number: Int, _ count: Int) {
        bits |= UInt32(number) << UInt32(bitCount)
        bitCount += count
        while bitCount >= 8 {
            output.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }
}
