// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing

@testable import UserNotifications

/// Foundation's calendar is the second implementation.
struct CalendarTests {
    private static func calendar(firstWeekday: Int, minimumDays: Int) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        calendar.firstWeekday = firstWeekday
        calendar.minimumDaysInFirstWeek = minimumDays
        return calendar
    }

    @Test(arguments: [(1, 1), (2, 4), (2, 1), (7, 7)])
    func `days have the numbers that Foundation gives them`(firstWeekday: Int, minimumDays: Int) {
        let calendar = Self.calendar(firstWeekday: firstWeekday, minimumDays: minimumDays)
        let weeks = Weeks(firstWeekday: firstWeekday, minimumDays: minimumDays)
        let units: Set<Calendar.Component> = [
            .year, .month, .day, .weekday, .weekdayOrdinal, .weekOfMonth, .weekOfYear, .yearForWeekOfYear,
        ]
        // Twelve years around now, and the turn of a century without a leap day.
        for number in Array(18_200..<22_600) + Array(47_400..<47_700) {
            let day = CivilDay(number: number)
            let theirs = calendar.dateComponents(units, from: Date(timeIntervalSince1970: Double(number) * 86_400))
            #expect([day.year, day.month, day.day] == [theirs.year, theirs.month, theirs.day])
            #expect(day.weekday == theirs.weekday)
            #expect((day.day + 6) / 7 == theirs.weekdayOrdinal)
            #expect(day.weekOfMonth(weeks) == theirs.weekOfMonth)
            let (week, year) = day.weekOfYear(weeks)
            #expect([week, year] == [theirs.weekOfYear, theirs.yearForWeekOfYear])
        }
    }

    /// Numbers that are the same at every run.
    private struct Steps: RandomNumberGenerator {
        var state: UInt64 = 20_261_121

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    @Test(arguments: ["UTC", "America/New_York", "Asia/Kathmandu"])
    func `dates that exist are Foundation's`(zone: String) throws {
        var calendar = Self.calendar(firstWeekday: 1, minimumDays: 1)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        var steps = Steps()
        for index in 0..<200 {
            // Hours that no change of clocks touches, days that every month has.
            var components = DateComponents(hour: .random(in: 4...22, using: &steps))
            if index % 2 == 0 { components.minute = .random(in: 0...59, using: &steps) }
            switch index % 4 {
            case 0: components.weekday = .random(in: 1...7, using: &steps)
            case 1: components.day = .random(in: 1...28, using: &steps)
            case 2:
                components.month = .random(in: 1...12, using: &steps)
                components.day = .random(in: 1...28, using: &steps)
            default: break
            }
            let date = Date(timeIntervalSince1970: .random(in: 1.5e9...2.5e9, using: &steps).rounded())
            let theirs = calendar.nextDate(after: date, matching: components, matchingPolicy: .strict)
            components.timeZone = calendar.timeZone
            let pattern = try #require(CalendarPattern(components))
            #expect(pattern.next(after: date) == theirs, "\(components) after \(date)")
        }
    }
}
