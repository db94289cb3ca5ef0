// SPDX-License-Identifier: Apache-2.0

/// Finds the ends of regular expressions in Swift source: `/a+/`, `#/a+/#`, and those of several lines.
///
/// Source: Swift Evolution, SE-0354.
struct RegularExpressions {
    /// The bytes that an expression between bare slashes may have.
    private static let limit = 1000
    /// The signs `#` that may stand around an expression.
    private static let poundLimit = 64

    /// The count of signs for which no end was found up to the end of the source; more have none either.
    private var poundsWithoutEnd = Int.max
    /// The same for the line that ends at `endOfLine`.
    private var poundsWithoutEndOnLine = Int.max
    /// The end of the line that was last looked at; the slashes come from left to right.
    private var endOfLine = 0

    /// The place behind the expression whose slash is at `slash`, behind `pounds` signs; nil when none begins there.
    mutating func end(of slash: Int, pounds: Int, in source: [UInt8]) -> Int? {
        guard slash + 1 < source.count, source[slash] == UInt8(ascii: "/"), pounds <= Self.poundLimit else {
            return nil
        }
        if pounds == 0 { return Self.bareEnd(of: slash, in: source) }
        if slash >= endOfLine {
            endOfLine = source[slash...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
            poundsWithoutEndOnLine = .max
        }
        let isOfOneLine = !source[(slash + 1)..<endOfLine].allSatisfy {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
        }
        // A slash behind a sign `#` is never the second byte of an escape, so that every search meets the same ends.
        guard pounds < (isOfOneLine ? poundsWithoutEndOnLine : poundsWithoutEnd) else { return nil }
        let range = isOfOneLine ? (slash + 1)..<endOfLine : endOfLine..<source.count
        if let end = Self.end(in: range, pounds: pounds, of: source) { return end }
        if isOfOneLine { poundsWithoutEndOnLine = pounds } else { poundsWithoutEnd = pounds }
        return nil
    }

    /// The place behind the slash and the signs that end an expression.
    private static func end(in range: Range<Int>, pounds: Int, of source: [UInt8]) -> Int? {
        var place = range.lowerBound
        while place < range.upperBound {
            if source[place] == UInt8(ascii: "\\") {
                place += 2
                continue
            }
            if source[place] == UInt8(ascii: "/"),
                source[(place + 1)...].prefix(pounds).elementsEqual(
                    repeatElement(UInt8(ascii: "#"), count: pounds)
                )
            {
                return place + 1 + pounds
            }
            place += 1
        }
        return nil
    }

    /// The same between bare slashes: on one line, without a blank at either end, and with as many opening as closing
    /// parentheses; others are operators.
    private static func bareEnd(of slash: Int, in source: [UInt8]) -> Int? {
        guard !isBlank(source[slash + 1]) else { return nil }
        var (place, parentheses, isInClass) = (slash + 1, 0, false)
        let limit = min(source.count, slash + limit)
        while place < limit, source[place] != UInt8(ascii: "\n") {
            switch source[place] {
            case UInt8(ascii: "\\"): place += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "(") where !isInClass: parentheses += 1
            case UInt8(ascii: ")") where !isInClass:
                parentheses -= 1
                if parentheses < 0 { return nil }
            case UInt8(ascii: "/"):
                return isBlank(source[place - 1]) || place == slash + 1 ? nil : place + 1
            default: break
            }
            place += 1
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r")
    }
}
