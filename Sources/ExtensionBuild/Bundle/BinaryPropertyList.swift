// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The binary form: a table of objects that name each other by number.
///
/// An object may be named any number of times, by others that are named so too, and even by itself. Each naming counts
/// against the list's bounds, so that reading takes no more steps than the bounds have values.
struct BinaryPropertyList {
    private typealias Mistake = PropertyList.Mistake

    private static let headByteCount = 8
    private static let trailerByteCount = 32

    private let bytes: [UInt8]
    private let offsetByteCount: Int
    private let referenceByteCount: Int
    private let objectCount: Int
    private let top: Int
    private let table: Int
    private var allowance = PropertyList.Allowance()

    init(_ bytes: [UInt8]) throws(PropertyList.Mistake) {
        let trailer = bytes.count - Self.trailerByteCount
        guard trailer >= Self.headByteCount else { throw Self.mistake("it is cut off") }
        self.bytes = bytes
        offsetByteCount = Int(bytes[trailer + 6])
        referenceByteCount = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetByteCount), (1...8).contains(referenceByteCount),
            let objectCount = Self.integer(bytes[(trailer + 8)..<(trailer + 16)]),
            let top = Self.integer(bytes[(trailer + 16)..<(trailer + 24)]),
            let table = Self.integer(bytes[(trailer + 24)..<(trailer + 32)]),
            objectCount > 0, objectCount <= bytes.count, top < objectCount,
            table >= Self.headByteCount, table <= trailer, (trailer - table) / offsetByteCount >= objectCount
        else { throw Self.mistake("its trailer is wrong") }
        self.objectCount = objectCount
        self.top = top
        self.table = table
    }

    mutating func value() throws(PropertyList.Mistake) -> Any {
        try object(top, depth: 1)
    }

    private mutating func object(_ number: Int, depth: Int) throws(PropertyList.Mistake) -> Any {
        try allowance.takeValue(depth: depth)
        let start = try offset(of: number)
        let marker = bytes[start]
        let low = Int(marker & 15)
        switch marker >> 4 {
        case 0 where low == 8: return false
        case 0 where low == 9: return true
        case 1: return NSNumber(value: try signed(at: start + 1, low))
        case 2: return NSNumber(value: try real(at: start + 1, low))
        case 3 where low == 3:
            return Date(timeIntervalSinceReferenceDate: try real(at: start + 1, 3))
        case 4: return Data(try run(start, low, of: 1))
        case 5: return try text(run(start, low, of: 1), isUTF16: false)
        case 6: return try text(run(start, low, of: 2), isUTF16: true)
        case 10: return try list(start, low, depth: depth)
        case 13: return try dictionary(start, low, depth: depth)
        default: throw Self.mistake("it has a value of an unknown kind")
        }
    }

    private mutating func list(_ start: Int, _ low: Int, depth: Int) throws(PropertyList.Mistake) -> [Any] {
        let (count, place) = try count(start, low)
        let references = try slice(place, count, of: referenceByteCount)
        var list: [Any] = []
        for index in 0..<count {
            list.append(try object(try reference(index, in: references), depth: depth + 1))
        }
        return list
    }

    private mutating func dictionary(_ start: Int, _ low: Int, depth: Int) throws(PropertyList.Mistake) -> [String: Any]
    {
        let (count, place) = try count(start, low)
        let keys = try slice(place, count, of: referenceByteCount)
        let values = try slice(keys.endIndex, count, of: referenceByteCount)
        var dictionary: [String: Any] = [:]
        for index in 0..<count {
            guard let key = try object(try reference(index, in: keys), depth: depth + 1) as? String else {
                throw Self.mistake("it has a key that is no text")
            }
            dictionary[key] = try object(try reference(index, in: values), depth: depth + 1)
        }
        return dictionary
    }

    // MARK: Parts of an object

    private func offset(of number: Int) throws(PropertyList.Mistake) -> Int {
        let place = table + number * offsetByteCount
        guard number < objectCount, let offset = Self.integer(bytes[place..<(place + offsetByteCount)]),
            offset >= Self.headByteCount, offset < table
        else { throw Self.mistake("it refers to what it does not have") }
        return offset
    }

    private func reference(_ index: Int, in slice: ArraySlice<UInt8>) throws(PropertyList.Mistake) -> Int {
        let start = slice.startIndex + index * referenceByteCount
        guard let number = Self.integer(slice[start..<(start + referenceByteCount)]), number < objectCount else {
            throw Self.mistake("it refers to what it does not have")
        }
        return number
    }

    /// Returns the number of an object's elements and their start; 15 in the marker means that a number follows it.
    private func count(_ start: Int, _ low: Int) throws(PropertyList.Mistake) -> (count: Int, place: Int) {
        guard low == 15 else { return (low, start + 1) }
        guard start + 1 < table, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 15 <= 3 else {
            throw Self.mistake("it has a value without a length")
        }
        let byteCount = 1 << Int(bytes[start + 1] & 15)
        guard let count = Self.integer(try slice(start + 2, byteCount, of: 1)) else {
            throw Self.mistake("it is cut off")
        }
        return (count, start + 2 + byteCount)
    }

    private mutating func run(
        _ start: Int,
        _ low: Int,
        of size: Int
    ) throws(PropertyList.Mistake) -> ArraySlice<UInt8> {
        let (count, place) = try count(start, low)
        let run = try slice(place, count, of: size)
        try allowance.takeBytes(run.count)
        return run
    }

    /// Bytes of objects, all of which lie before the table of their places.
    private func slice(_ start: Int, _ count: Int, of size: Int) throws(PropertyList.Mistake) -> ArraySlice<UInt8> {
        guard start <= table, count <= (table - start) / size else { throw Self.mistake("it is cut off") }
        return bytes[start..<(start + count * size)]
    }

    private func text(_ run: ArraySlice<UInt8>, isUTF16: Bool) throws(PropertyList.Mistake) -> String {
        let text = isUTF16 ? String(bytes: run, encoding: .utf16BigEndian) : String(validating: run, as: UTF8.self)
        guard let text else { throw Self.mistake("it has a text that is none") }
        return text
    }

    /// A number of 1, 2, 4 or 8 bytes, of which only that of 8 has a sign.
    ///
    /// A number of 16 bytes fits no integer here.
    private func signed(at place: Int, _ power: Int) throws(PropertyList.Mistake) -> Int {
        guard power <= 3 else { throw Self.mistake("it has a number that is too large") }
        let bits = try slice(place, 1 << power, of: 1).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(bitPattern: UInt(bits))
    }

    private func real(at place: Int, _ power: Int) throws(PropertyList.Mistake) -> Double {
        guard power == 2 || power == 3 else { throw Self.mistake("it has a number that is none") }
        let bits = try slice(place, 1 << power, of: 1).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return power == 3 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(bits)))
    }

    /// A big-endian number without a sign; nil above the largest integer.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int? {
        Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private static func mistake(_ reason: String) -> PropertyList.Mistake {
        PropertyList.Mistake(reason: reason)
    }
}
