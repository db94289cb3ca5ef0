// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, without a time zone.
///
///     CivilDay(number: 20_000)                      // 2024-10-04
///     CivilDay(year: 2026, month: 12, day: 24).number
///
/// Foundation's calendar is not asked: it takes 40 ms to find that there is no 30 February, and a first use of it costs
/// a worker more than its whole start.
package struct CivilDay: Equatable, Comparable, Sendable {
    /// The year of the calendar: 0 is the year before 1, and years before 0 are negative.
    package let year: Int
    /// 1…12.
    package let month: Int
    /// 1…31.
    package let day: Int
    /// Days since 1 January 1970.
    package let number: Int

    /// Takes a day that the calendar has: 1…12, and 1 to `length(of:in:)`.
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
        number = Self.number(ofFirstOf: month, in: year) + day - 1
    }

    /// Takes the number of a day.
    ///
    /// Years are counted from March on, in eras of 400, so that the day that some years add is always the last one.
    package init(number: Int) {
        let days = number + Self.daysToEpoch
        let era = days.floored(by: Self.daysPerEra)
        let dayOfEra = days.remainder(by: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        self.number = number
    }

    private init(_ year: Int, _ month: Int, _ day: Int, number: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.number = number
    }

    package static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }

    /// 1 is Sunday, 7 Saturday.
    package var weekday: Int { Self.weekday(of: number) }
    /// 1…366.
    package var dayOfYear: Int { number - Self.number(ofFirstIn: year) + 1 }
    /// 28…31.
    package var monthLength: Int { Self.length(of: month, in: year) }

    package var next: CivilDay {
        day < monthLength ? CivilDay(year, month, day + 1, number: number + 1) : firstOfNextMonth
    }

    package var previous: CivilDay { CivilDay(number: number - 1) }

    package var firstOfNextMonth: CivilDay {
        let (nextYear, nextMonth) = month == 12 ? (year + 1, 1) : (year, month + 1)
        return CivilDay(nextYear, nextMonth, 1, number: number + monthLength - day + 1)
    }

    // MARK: Arithmetic

    /// 1 January 1970 was a Thursday.
    package static func weekday(of number: Int) -> Int { (number + 4).remainder(by: 7) + 1 }

    /// Returns the number of days of a month, 28…31; the month is 1…12.
    package static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The number of 1 January.
    package static func number(ofFirstIn year: Int) -> Int { number(ofFirstOf: 1, in: year) }

    private static let daysPerEra = 146_097
    /// Days from 1 March of the year 0 to 1 January 1970.
    private static let daysToEpoch = 719_468

    private static func number(ofFirstOf month: Int, in year: Int) -> Int {
        let years = month < 3 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        return years * 365 + years.floored(by: 4) - years.floored(by: 100) + years.floored(by: 400)
            + (153 * monthFromMarch + 2) / 5 - daysToEpoch
    }
}

extension Int {
    /// Division that rounds down, also below zero.
    package func floored(by divisor: Int) -> Int { (self - remainder(by: divisor)) / divisor }

    /// The remainder of that division, never below zero.
    package func remainder(by divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
