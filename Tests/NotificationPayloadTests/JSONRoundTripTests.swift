// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

struct JSONRoundTripTests {
    @Test(arguments: 0..<20)
    func `what is written is read as the same value`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<100 {
            let value = JSON.random(depth: 5, using: &generator)
            let text = value.text
            let read = try parse(text)
            #expect(read == value)
            #expect(value == read)
            #expect(read.text == text)
        }
    }

    @Test(arguments: 0..<4)
    func `every finite Double survives`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<1000 {
            let double = Double(bitPattern: generator.next())
            guard double.isFinite else { continue }
            #expect(try parse(JSON.double(double).text).double == double)
        }
    }

    @Test(arguments: 0..<4)
    func `every integer survives exactly`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for shift in 0..<64 {
            let integer = Int64(bitPattern: generator.next()) >> Int64(shift)
            #expect(try parse(JSON.integer(integer).text).exact == JSON.integer(integer).exact)
        }
    }

    /// Changes bytes of valid texts: whatever is read must be written and read again as the same.
    @Test(arguments: 0..<20)
    func `a damaged text is refused or is another text`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<200 {
            var bytes = Array(JSON.random(depth: 4, using: &generator).text.utf8)
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            do {
                let read = try parse(bytes: bytes)
                #expect(try parse(read.text) == read)
            } catch {
                if let offset = error.offset { #expect((0..<bytes.count).contains(offset)) }
            }
        }
    }
}

extension JSONError {
    fileprivate var offset: Int? {
        switch self {
        case .unexpectedEnd, .tooDeep, .notAnObject: nil
        case .unexpectedByte(let offset), .invalidUTF8(let offset), .invalidEscape(let offset),
            .numberOutOfRange(let offset), .nulCharacter(let offset), .duplicateKey(let offset),
            .tooManyMarks(let offset):
            offset
        }
    }
}

extension JSON {
    fileprivate static func random(depth: Int, using generator: inout SeededGenerator) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .integer(Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<64, using: &generator))
        case 3:
            let double = Double(bitPattern: generator.next())
            return .double(double.isFinite ? double : 0.5)
        case 4, 5: return .string(randomText(using: &generator))
        case 6: return .array(randomElements(depth: depth, using: &generator))
        default:
            let pairs = randomElements(depth: depth, using: &generator)
            return .object(JSONObject(pairs.map { (randomText(using: &generator), $0) }))
        }
    }

    private static func randomElements(depth: Int, using generator: inout SeededGenerator) -> [JSON] {
        (0..<Int.random(in: 0..<5, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) }
    }

    private static func randomText(using generator: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0..<8, using: &generator) {
            let highest: UInt32 = [0x7F, 0x7FF, 0xFFFF, 0x10FFFF].randomElement(using: &generator) ?? 0x7F
            // Not U+0000, which a reader refuses.
            if let scalar = Unicode.Scalar(UInt32.random(in: 1...highest, using: &generator)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
