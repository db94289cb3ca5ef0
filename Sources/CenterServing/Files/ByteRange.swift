// SPDX-License-Identifier: Apache-2.0

/// The part of a file that a request asks for.
///
/// Source: RFC 9110, section 14.
package enum ByteRange: Equatable {
    case whole
    case part(Range<Int64>)
    /// Nothing of the file lies in the range.
    case unsatisfiable

    /// Reads a header `Range`; several ranges, other units and what cannot be read ask for the whole file.
    package init(_ header: String?, of byteCount: Int64) {
        self = .whole
        guard let header, header.hasPrefix("bytes="), !header.contains(",") else { return }
        let halves = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return }
        switch (Self.number(halves[0]), Self.number(halves[1])) {
        case (let first?, let last?) where first <= last:
            self = first < byteCount ? .part(first..<min(last, byteCount - 1) + 1) : .unsatisfiable
        case (let first?, nil) where halves[1].isEmpty:
            self = first < byteCount ? .part(first..<byteCount) : .unsatisfiable
        case (nil, let count?) where halves[0].isEmpty:
            self = count > 0 && byteCount > 0 ? .part(max(0, byteCount - count)..<byteCount) : .unsatisfiable
        default: break
        }
    }

    /// Digits alone; more than a number holds stand for the greatest.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text) ?? Int64.max
    }
}
