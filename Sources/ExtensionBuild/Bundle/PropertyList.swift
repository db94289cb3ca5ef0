// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads property lists of bundles and projects, XML or binary, with bounds on depth, number and size of their values.
///
/// Foundation's reader has none: a binary list of 250 bytes, whose values refer to each other, is 2^40 values to it,
/// and nested elements of XML use up its stack. Values are what Foundation would make of them: `String`, `NSNumber`,
/// `Bool`, `Date`, `Data`, `[Any]` and `[String: Any]`; of two equal keys the later counts. The form with braces, which
/// no tool has written for twenty years, is not read.
/// Source: property-list.dtd of Apple; the head of CFBinaryPList.c for the binary form.
enum PropertyList {
    struct Mistake: Error, Equatable {
        /// Counted from 1; nil in a binary list.
        var line: Int?
        let reason: String
    }

    /// The greatest depth to which lists and dictionaries may be nested.
    static let depthLimit = 32
    /// Values of all kinds and keys, each counted as often as it stands somewhere.
    static let valueLimit = 200_000
    /// Bytes of all texts and data, counted in the same way.
    static let byteCountLimit = 32 << 20

    static func value(of data: Data) throws(Mistake) -> Any {
        if data.starts(with: Array("bplist".utf8)) {
            var reader = try BinaryPropertyList(Array(data))
            return try reader.value()
        }
        var reader = XMLPropertyList(try PropertyListText.utf8(of: data))
        return try reader.value()
    }

    /// The numbers of values and bytes that were read so far, checked against the limits.
    struct Allowance {
        private var values = 0
        private var bytes = 0

        /// Counts one value at a depth, the outermost being 1.
        mutating func takeValue(depth: Int) throws(Mistake) {
            values += 1
            guard values <= valueLimit else {
                throw Mistake(reason: "it has more than \(valueLimit) values")
            }
            guard depth <= depthLimit else {
                throw Mistake(reason: "its values are nested deeper than \(depthLimit)")
            }
        }

        mutating func takeBytes(_ count: Int) throws(Mistake) {
            bytes += count
            guard bytes <= byteCountLimit else {
                throw Mistake(reason: "its texts are longer than \(byteCountLimit) bytes")
            }
        }
    }
}

/// A property list's text in the one encoding in which it is read.
///
/// A reader that decodes a text otherwise than it is judged can be shown one list and read another; so there is one
/// decoding, UTF-8 or, after a byte order mark, UTF-16, and the text must not claim to be in a third.
enum PropertyListText {
    static func utf8(of data: Data) throws(PropertyList.Mistake) -> [UInt8] {
        let isUTF16 = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
        let text = isUTF16 ? String(data: data, encoding: .utf16) : String(validating: data, as: UTF8.self)
        guard var text else { throw PropertyList.Mistake(reason: "neither UTF-8 nor UTF-16 with its mark") }
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        let bytes = Array(text.utf8)
        let readable = ["utf-8", "utf8", "us-ascii"] + (isUTF16 ? ["utf-16"] : [])
        if let name = declaredEncoding(bytes), !readable.contains(name) {
            throw PropertyList.Mistake(line: 1, reason: "it is said to be in \"\(name)\", UTF-8 and UTF-16 are read")
        }
        return bytes
    }

    /// The encoding that `<?xml version="1.0" encoding="UTF-8"?>` names, in lower case.
    private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
        let start = String(decoding: bytes.prefix(200), as: UTF8.self)
        guard start.hasPrefix("<?xml"), let end = start.range(of: "?>"),
            let name = start[..<end.lowerBound].range(of: "encoding")
        else { return nil }
        let value = start[name.upperBound..<end.lowerBound].trimmingPrefix { $0 == " " || $0 == "=" }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return "" }
        return value.dropFirst().prefix { $0 != quote }.lowercased()
    }
}
