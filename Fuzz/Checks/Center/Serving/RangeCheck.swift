// SPDX-License-Identifier: Apache-2.0

private import CenterServing

/// Feeds hostile headers `Range` to their reader, and holds it against one that counts in wider numbers.
///
/// Shape: `LENGTH HEADER`, the bytes of a file and the header's value: `100 bytes=0-9`. Any other input is refused.
/// Source: RFC 9110, section 14.
public enum RangeCheck {
    /// Reads one input; one is taken if its header asks for a part, or for what the file has not.
    public static func check(_ bytes: [UInt8]) -> Verdict {
        Verdict { () throws(BrokenPromise) in
            let words = bytes.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, let length = String(validating: words[0], as: UTF8.self).flatMap({ Int64($0) }),
                length >= 0, let header = String(validating: words[1], as: UTF8.self)
            else { return 0 }
            let range = ByteRange(header, of: length)
            try expect(range == plain(words[1], of: length), "a header asks for this part of a file")
            guard case .part(let part) = range else { return range == .whole ? 0 : 1 }
            try expect(!part.isEmpty, "a part has bytes")
            try expect((0..<length).contains(part.lowerBound) && part.upperBound <= length, "a part is of the file")
            return 1
        }
    }

    /// Reads a header as RFC 9110 has it, byte by byte.
    private static func plain(_ header: ArraySlice<UInt8>, of length: Int64) -> ByteRange {
        guard header.starts(with: "bytes=".utf8) else { return .whole }
        let range = header.dropFirst("bytes=".utf8.count)
        guard let dash = range.firstIndex(of: UInt8(ascii: "-")),
            let first = digits(range[..<dash]), let last = digits(range[(dash + 1)...])
        else { return .whole }
        let count = Int128(length)
        let lower: Int128
        let upper: Int128
        switch (first.isEmpty, last.isEmpty) {
        case (true, true): return .whole
        case (true, false): (lower, upper) = (max(0, count - number(last)), number(last) == 0 ? 0 : count)
        case (false, true): (lower, upper) = (number(first), count)
        case (false, false):
            guard number(first) <= number(last) else { return .whole }
            (lower, upper) = (number(first), min(number(last) + 1, count))
        }
        return lower < upper ? .part(Int64(lower)..<Int64(upper)) : .unsatisfiable
    }

    private static func digits(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? text : nil
    }

    /// A number of whatever length; no file has as many bytes as the greatest of 64 bits.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int128 {
        digits.reduce(Int128(0)) { min($0 * 10 + Int128($1 & 15), Int128(Int64.max)) }
    }
}
