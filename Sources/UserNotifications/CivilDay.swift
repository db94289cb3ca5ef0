// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, without a time zone.
///
/// Foundation's calendar is not asked: it takes 40 ms to find that there is no 30 February, and a first use of it costs
/// a worker more than its whole start.
struct CivilDay: Equatable, Comparable {
    /// 1…9999 in what this module makes.
    private(set) var year: Int
    /// 1…12.
    private(set) var month: Int
    /// 1…31.
    private(set) var day: Int
    /// Days since 1 January 1970.
    private(set) var number: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
        number = Self.number(ofFirstIn: year) + Self.daysBefore(month, in: year) + day - 1
    }

    init(number: Int) {
        // 146,097 days are 400 years; the guess is off by one at most.
        var year = 1970 + Int((Double(number) / 146_097 * 400).rounded(.down))
        while Self.number(ofFirstIn: year) > number { year -= 1 }
        while Self.number(ofFirstIn: year + 1) <= number { year += 1 }
        let dayOfYear = number - Self.number(ofFirstIn: year) + 1
        var month = 12
        while Self.daysBefore(month, in: year) >= dayOfYear { month -= 1 }
        self.year = year
        self.month = month
        self.day = dayOfYear - Self.daysBefore(month, in: year)
        self.number = number
    }

    static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }

    /// 1 is Sunday, 7 Saturday.
    var weekday: Int { Self.weekday(of: number) }
    /// 1…366.
    var dayOfYear: Int { Self.daysBefore(month, in: year) + day }
    /// 28…31.
    var monthLength: Int { Self.length(of: month, in: year) }

    var next: CivilDay {
        if day < monthLength {
            var next = self
            next.day += 1
            next.number += 1
            return next
        }
        return firstOfNextMonth
    }

    var previous: CivilDay { CivilDay(number: number - 1) }

    var firstOfNextMonth: CivilDay {
        var next = self
        next.number += monthLength - day + 1
        next.day = 1
        (next.year, next.month) = month == 12 ? (year + 1, 1) : (year, month + 1)
        return next
    }

    // MARK: Weeks

    /// The week of the month: 0, before the first one that counts, to 6.
    func weekOfMonth(_ weeks: Weeks) -> Int {
        weeks.number(ofDay: day, inPeriodWithFirst: Self.weekday(of: number - day + 1))
    }

    /// The week of the year and the year it counts to, which at either end may be the neighbouring one.
    func weekOfYear(_ weeks: Weeks) -> (week: Int, year: Int) {
        let first = Self.number(ofFirstIn: year)
        let next = Self.number(ofFirstIn: year + 1)
        // In the next year's first week already?
        let started = weeks.daysBefore(Self.weekday(of: next))
        if 7 - started >= weeks.minimumDays, number >= next - started { return (1, year + 1) }
        let week = weeks.number(ofDay: dayOfYear, inPeriodWithFirst: Self.weekday(of: first))
        guard week == 0 else { return (week, year) }
        let before = Self.number(ofFirstIn: year - 1)
        return (weeks.number(ofDay: number - before + 1, inPeriodWithFirst: Self.weekday(of: before)), year - 1)
    }

    // MARK: Arithmetic

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysBefore(_ month: Int, in year: Int) -> Int {
        let common = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
        return common[month - 1] + (month > 2 && isLeap(year) ? 1 : 0)
    }

    private static func number(ofFirstIn year: Int) -> Int {
        // Years before this one since 1 January of year 1; 719,162 days lie between that day and 1970.
        let years = year - 1
        return years * 365 + years.floored(by: 4) - years.floored(by: 100) + years.floored(by: 400) - 719_162
    }

    /// 1 January 1970 was a Thursday.
    private static func weekday(of number: Int) -> Int { (number + 4).remainder(by: 7) + 1 }
}

/// How weeks are counted.
struct Weeks: Equatable {
    /// 1 is Sunday.
    var firstWeekday = 1
    /// How many days of a month or year its first week must have.
    var minimumDays = 1

    /// How many days of its week come before that weekday.
    func daysBefore(_ weekday: Int) -> Int { (weekday - firstWeekday).remainder(by: 7) }

    /// The week that the day (from 1) of a month or year is in; 0 before the first week that counts.
    func number(ofDay day: Int, inPeriodWithFirst weekday: Int) -> Int {
        let offset = daysBefore(weekday)
        return (day - 1 + offset) / 7 + (7 - offset >= minimumDays ? 1 : 0)
    }
}

extension Int {
    /// Division that rounds down, also below zero.
    func floored(by divisor: Int) -> Int { (self - remainder(by: divisor)) / divisor }

    /// The remainder of that division, never below zero.
    func remainder(by divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
