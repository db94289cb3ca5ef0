// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension CivilDay {
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
}

/// A rule by which the weeks of a month or year are counted.
struct Weeks: Equatable {
    /// 1 is Sunday.
    var firstWeekday = 1
    /// The number of days that a week must have in a month or year to be counted as its first.
    var minimumDays = 1

    /// Returns the number of days that come before a weekday in its week, 0…6.
    func daysBefore(_ weekday: Int) -> Int { (weekday - firstWeekday).remainder(by: 7) }

    /// The week that the day (from 1) of a month or year is in; 0 before the first week that counts.
    func number(ofDay day: Int, inPeriodWithFirst weekday: Int) -> Int {
        let offset = daysBefore(weekday)
        return (day - 1 + offset) / 7 + (7 - offset >= minimumDays ? 1 : 0)
    }
}
