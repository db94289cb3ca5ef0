// SPDX-License-Identifier: Apache-2.0

/// A moment as people write it: ISO 8601 in UTC, with whole seconds or with milliseconds.
///
///     UTCTime.text(of: 1_795_228_800_000)                  // "2026-11-21T02:40:00Z"
///     UTCTime.milliseconds(of: "2026-11-21T02:40:00Z".utf8)
package enum UTCTime {
    private static let shape = Array("0000-00-00T00:00:00Z".utf8)
    private static let millisecondsPerDay = 86_400_000

    /// Reads whole seconds from 1970 to 9999, and returns Unix milliseconds; `nil` for any other text and for a day
    /// that no calendar has.
    package static func milliseconds(of text: some Sequence<UInt8>) -> Int64? {
        let characters = Array(text)
        guard characters.count == shape.count else { return nil }
        let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard zip(characters, shape).allSatisfy({ $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }) else {
            return nil
        }
        let numbers = characters.split { !isDigit($0) }.map { $0.reduce(0) { $0 * 10 + Int($1 & 15) } }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard year >= 1970, (1...12).contains(month), numbers[3] < 24, numbers[4] < 60, numbers[5] < 60,
            (1...CivilDay.length(of: month, in: year)).contains(day)
        else { return nil }
        let days = CivilDay(year: year, month: month, day: day).number
        return Int64(days * millisecondsPerDay + (numbers[3] * 3600 + numbers[4] * 60 + numbers[5]) * 1000)
    }

    /// Writes the second in which Unix `milliseconds` lie; what is before 1970 is its beginning.
    package static func text(of milliseconds: Int64) -> String {
        var text = seconds(of: Int(max(0, milliseconds)))
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes Unix `milliseconds` in the years 0 to 9999 with three digits behind the second.
    package static func preciseText(of milliseconds: Int64) -> String {
        var text = seconds(of: Int(milliseconds))
        append(Int(milliseconds).remainder(by: 1000), digits: 3, after: ".", to: &text)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    private static func seconds(of milliseconds: Int) -> [UInt8] {
        let date = CivilDay(number: milliseconds.floored(by: millisecondsPerDay))
        let time = milliseconds.remainder(by: millisecondsPerDay) / 1000
        var text: [UInt8] = []
        text.reserveCapacity(24)
        append(date.year, digits: 4, to: &text)
        append(date.month, digits: 2, after: "-", to: &text)
        append(date.day, digits: 2, after: "-", to: &text)
        append(time / 3600, digits: 2, after: "T", to: &text)
        append(time / 60 % 60, digits: 2, after: ":", to: &text)
        append(time % 60, digits: 2, after: ":", to: &text)
        return text
    }

    private static func append(_ number: Int, digits: Int, after mark: Unicode.Scalar, to text: inout [UInt8]) {
        text.append(UInt8(ascii: mark))
        append(number, digits: digits, to: &text)
    }

    /// Appends a number that is not negative, with zeros in front up to `digits`; a longer one stays whole.
    private static func append(_ number: Int, digits: Int, to text: inout [UInt8]) {
        if digits > 1 || number >= 10 { append(number / 10, digits: digits - 1, to: &text) }
        text.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
