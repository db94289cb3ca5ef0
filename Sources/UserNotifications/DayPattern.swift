// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload

/// The days that date components name; an absent part matches every day.
struct DayPattern {
    private var year: Int?
    private var yearForWeekOfYear: Int?
    private var quarter: Int?
    private var month: Int?
    private var weekOfYear: Int?
    private var weekOfMonth: Int?
    private var weekday: Int?
    private var weekdayOrdinal: Int?
    private var day: Int?
    private var dayOfYear: Int?
    private let weeks: Weeks
    /// Only the first day of each run of matching ones: `{month: 3}` is 1 March.
    private let firstOfRun: Bool

    /// False if every day matches because no part names one.
    let namesDays: Bool

    /// Returns `nil` if a part is out of its range.
    ///
    /// `alone` says that no part names a time of day.
    init?(_ components: DateComponents, alone: Bool) {
        func within(_ value: Int?, _ range: ClosedRange<Int>) -> Bool { value.map(range.contains) ?? true }
        guard within(components.era, 1...1), components.isLeapMonth != true,
            within(components.year, 1...9999), within(components.yearForWeekOfYear, 1...9999),
            within(components.quarter, 1...4), within(components.month, 1...12),
            within(components.weekOfYear, 1...53), within(components.weekOfMonth, 0...6),
            within(components.weekday, 1...7), within(components.weekdayOrdinal, 1...5),
            within(components.day, 1...31), within(components.dayOfYear, 1...366)
        else { return nil }
        year = components.year
        yearForWeekOfYear = components.yearForWeekOfYear
        quarter = components.quarter
        month = components.month
        weekOfYear = components.weekOfYear
        weekOfMonth = components.weekOfMonth
        weekday = components.weekday
        weekdayOrdinal = components.weekdayOrdinal
        day = components.day
        dayOfYear = components.dayOfYear
        weeks = Self.weeks(of: components.calendar)
        let periods = [year, yearForWeekOfYear, quarter, month, weekOfYear, weekOfMonth, weekdayOrdinal]
        let names = [weekday, day, dayOfYear]
        namesDays = (periods + names).contains { $0 != nil }
        firstOfRun = alone && names.allSatisfy { $0 == nil }
    }

    /// Returns the weeks of the components' own calendar if it is Gregorian, else those of the United States.
    private static func weeks(of calendar: Calendar?) -> Weeks {
        guard let calendar, [.gregorian, .iso8601].contains(calendar.identifier) else { return Weeks() }
        return Weeks(firstWeekday: calendar.firstWeekday, minimumDays: calendar.minimumDaysInFirstWeek)
    }

    /// The last day worth looking at.
    ///
    /// After 400 years the calendar repeats itself, weekdays included: what did not come by then never does.
    func limit(from start: CivilDay) -> CivilDay {
        var limit = CivilDay(number: start.number + 146_097)
        if let year { limit = min(limit, CivilDay(year: year, month: 12, day: 31)) }
        if let yearForWeekOfYear { limit = min(limit, CivilDay(year: yearForWeekOfYear + 1, month: 1, day: 7)) }
        return limit
    }

    /// The first matching day from `start` on; nil if there is none up to `limit`.
    func first(from start: CivilDay, limit: CivilDay) -> CivilDay? {
        var candidate = max(start, earliest)
        while candidate <= limit {
            if let jump = jump(from: candidate) {
                candidate = jump
            } else if matches(candidate), !firstOfRun || !matches(candidate.previous) {
                return candidate
            } else {
                candidate = candidate.next
            }
        }
        return nil
    }

    private var earliest: CivilDay {
        let first = max(year ?? 1, (yearForWeekOfYear ?? 2) - 1)
        return CivilDay(year: first, month: 1, day: 1)
    }

    /// Returns the day to go on from, if neither this day nor any before that one matches.
    private func jump(from candidate: CivilDay) -> CivilDay? {
        if let month, month != candidate.month { return candidate.firstOfNextMonth }
        if let quarter, quarter != (candidate.month + 2) / 3 { return candidate.firstOfNextMonth }
        guard let day, day != candidate.day else { return nil }
        guard candidate.day < day, day <= candidate.monthLength else { return candidate.firstOfNextMonth }
        return CivilDay(year: candidate.year, month: candidate.month, day: day)
    }

    private func matches(_ candidate: CivilDay) -> Bool {
        func fits(_ wanted: Int?, _ actual: @autoclosure () -> Int) -> Bool { wanted.map { $0 == actual() } ?? true }
        guard fits(year, candidate.year), fits(month, candidate.month), fits(day, candidate.day),
            fits(weekday, candidate.weekday), fits(weekdayOrdinal, (candidate.day + 6) / 7),
            fits(quarter, (candidate.month + 2) / 3), fits(dayOfYear, candidate.dayOfYear),
            fits(weekOfMonth, candidate.weekOfMonth(weeks))
        else { return false }
        guard weekOfYear != nil || yearForWeekOfYear != nil else { return true }
        let (week, year) = candidate.weekOfYear(weeks)
        return fits(weekOfYear, week) && fits(yearForWeekOfYear, year)
    }
}
