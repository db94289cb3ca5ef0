// SPDX-License-Identifier: Apache-2.0

/// A moment as people write it: ISO 8601 in UTC with whole seconds, `2026-11-21T02:40:00Z`, from 1970 to 9999.
package enum UTCTime {
    private static let shape = Array("0000-00-00T00:00:00Z".utf8)
    private static let secondsPerDay: Int64 = 86_400

    /// Unix milliseconds; nil for any other text and for a day that no calendar has.
    package static func milliseconds(of text: some Sequence<UInt8>) -> Int64? {
        let characters = Array(text)
        guard characters.count == shape.count else { return nil }
        let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard zip(characters, shape).allSatisfy({ $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }) else {
            return nil
        }
        let numbers = characters.split { !isDigit($0) }.map { $0.reduce(Int64(0)) { $0 * 10 + Int64($1 & 15) } }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard year >= 1970, (1...12).contains(month), numbers[3] < 24, numbers[4] < 60, numbers[5] < 60 else {
            return nil
        }
        let date = days(to: year, month) + day - 1
        guard day >= 1, date < (month == 12 ? days(to: year + 1, 1) : days(to: year, month + 1)) else { return nil }
        return (date * secondsPerDay + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]) * 1000
    }

    /// The second in which `milliseconds` lies; what is before 1970 is its beginning.
    package static func text(of milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1000
        let date = seconds / secondsPerDay
        // Years of 366 days never lead past the year looked for; a few steps are missing.
        var year = 1970 + date / 366
        while days(to: year + 1, 1) <= date { year += 1 }
        var month: Int64 = 12
        while days(to: year, month) > date { month -= 1 }
        let time = seconds % secondsPerDay
        return padded(year, 4) + "-" + padded(month) + "-" + padded(date - days(to: year, month) + 1)
            + "T" + padded(time / 3600) + ":" + padded(time / 60 % 60) + ":" + padded(time % 60) + "Z"
    }

    /// Days from 1970 to the first of a month.
    ///
    /// Counts years that begin in March, so that the day added every four years is the last.
    private static func days(to year: Int64, _ month: Int64) -> Int64 {
        let shifted = month < 3 ? year - 1 : year
        let monthsSinceMarch = (month + 9) % 12
        let sinceMarch = (153 * monthsSinceMarch + 2) / 5
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + sinceMarch - 719_468
    }

    private static func padded(_ number: Int64, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
