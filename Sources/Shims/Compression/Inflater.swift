// SPDX-License-Identifier: Apache-2.0

/// Reads DEFLATE: RFC 1951.
struct Inflater {
    private enum Stop: Error {
        case damaged
        /// The output holds as much as was asked for.
        case full
    }

    private let input: [UInt8]
    private let limit: Int
    private var place = 0
    /// Bits taken from the input and not used, the next one lowest.
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var output: [UInt8] = []

    private init(_ input: [UInt8], limit: Int) {
        self.input = input
        self.limit = limit
    }

    /// The first `limit` bytes at most; nil when the input is damaged.
    static func decompress(_ input: [UInt8], limit: Int) -> [UInt8]? {
        var inflater = Inflater(input, limit: limit)
        do throws(Stop) {
            try inflater.readBlocks()
        } catch {
            if case .damaged = error { return nil }
        }
        return inflater.output
    }

    private mutating func readBlocks() throws(Stop) {
        while true {
            let isLast = try take(1) == 1
            switch try take(2) {
            case 0: try readStored()
            case 1: try readCompressed(Self.fixedLengths, Self.fixedDistances)
            case 2:
                let (lengths, distances) = try readCodes()
                try readCompressed(lengths, distances)
            default: throw .damaged
            }
            if isLast { return }
        }
    }

    private mutating func take(_ count: Int) throws(Stop) -> Int {
        while bitCount < count {
            guard place < input.count else { throw .damaged }
            bits |= UInt32(input[place]) << UInt32(bitCount)
            place += 1
            bitCount += 8
        }
        defer {
            bits >>= UInt32(count)
            bitCount -= count
        }
        return Int(bits & ((1 << UInt32(count)) - 1))
    }

    private mutating func put(_ byte: UInt8) throws(Stop) {
        guard output.count < limit else { throw .full }
        output.append(byte)
    }

    private mutating func readStored() throws(Stop) {
        // Blocks begin with a byte here; what was taken in advance is less than one.
        (bits, bitCount) = (0, 0)
        guard place + 4 <= input.count else { throw .damaged }
        let count = Int(input[place]) | Int(input[place + 1]) << 8
        let check = Int(input[place + 2]) | Int(input[place + 3]) << 8
        place += 4
        guard count == ~check & 0xFFFF, place + count <= input.count else { throw .damaged }
        for byte in input[place..<place + count] { try put(byte) }
        place += count
    }

    private mutating func readCompressed(_ lengths: Code, _ distances: Code) throws(Stop) {
        while true {
            let symbol = try take(lengths)
            if symbol < 256 {
                try put(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol < 286 else { throw .damaged }
            let length = DeflateTables.lengthBases[symbol - 257] + (try take(DeflateTables.lengthBits[symbol - 257]))
            let code = try take(distances)
            guard code < 30 else { throw .damaged }
            let distance = DeflateTables.distanceBases[code] + (try take(DeflateTables.distanceBits[code]))
            guard distance <= output.count else { throw .damaged }
            for _ in 0..<length { try put(output[output.count - distance]) }
        }
    }

    // MARK: Codes

    /// A Huffman code by the lengths of its words: RFC 1951, 3.2.2.
    private struct Code {
        /// The number of words of each length, indexed by the length.
        private(set) var counts = [Int](repeating: 0, count: 16)
        /// In the order of words.
        private(set) var symbols: [Int] = []

        /// Makes the code; returns `nil` when the lengths stand for more words than there can be.
        init?(_ lengths: ArraySlice<Int>) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            var free = 1
            for length in 1...15 {
                free = free << 1 - counts[length]
                guard free >= 0 else { return nil }
            }
            let all = Array(lengths)
            for length in 1...15 { symbols += all.indices.filter { all[$0] == length } }
        }
    }

    private mutating func take(_ code: Code) throws(Stop) -> Int {
        var word = 0
        var first = 0
        var index = 0
        for length in 1...15 {
            word |= try take(1)
            let count = code.counts[length]
            if word - first < count { return code.symbols[index + word - first] }
            index += count
            first = (first + count) << 1
            word <<= 1
        }
        throw .damaged
    }

    private mutating func readCodes() throws(Stop) -> (lengths: Code, distances: Code) {
        let lengthCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        let codeCount = try take(4) + 4
        guard lengthCount <= 286, distanceCount <= 30 else { throw .damaged }
        var lengths = [Int](repeating: 0, count: 19)
        for place in DeflateTables.codeOrder.prefix(codeCount) { lengths[place] = try take(3) }
        guard let code = Code(lengths[...]) else { throw .damaged }
        var all: [Int] = []
        while all.count < lengthCount + distanceCount {
            let symbol = try take(code)
            switch symbol {
            case 0..<16: all.append(symbol)
            case 16:
                guard let last = all.last else { throw .damaged }
                all += [Int](repeating: last, count: 3 + (try take(2)))
            case 17: all += [Int](repeating: 0, count: 3 + (try take(3)))
            default: all += [Int](repeating: 0, count: 11 + (try take(7)))
            }
        }
        guard all.count == lengthCount + distanceCount, all[256] != 0, let lengths = Code(all[..<lengthCount]),
            let distances = Code(all[lengthCount...])
        else { throw .damaged }
        return (lengths, distances)
    }

    private static let fixedLengths = fixed((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    private static let fixedDistances = fixed([Int](repeating: 5, count: 30))

    private static func fixed(_ lengths: [Int]) -> Code {
        guard let code = Code(lengths[...]) else { preconditionFailure("RFC 1951, 3.2.6") }
        return code
    }
}

/// RFC 1951, 3.2.5 and 3.2.7.
enum DeflateTables {
    static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    static let lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]
    static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
    static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
}
