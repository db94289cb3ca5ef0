// SPDX-License-Identifier: Apache-2.0

import Testing
import UserNotifications

/// Days strict, times bent: the rule that UNCalendarNotificationTrigger documents.
struct TriggerDateTests {
    /// Moments are written in UTC.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let zone: String
        let components: DateComponents
        let after: String
        let next: String?

        init(_ name: String, in zone: String = "UTC", _ components: DateComponents, after: String, next: String?) {
            (self.name, self.zone, self.components, self.after, self.next) = (name, zone, components, after, next)
        }

        var testDescription: String { name }
    }

    private static func next(_ components: DateComponents, in zone: String, after: String) throws -> String? {
        var components = components
        let timeZone = try #require(TimeZone(identifier: zone))
        components.timeZone = timeZone
        let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        let next = trigger.nextTriggerDate(after: try Date(after, strategy: .iso8601))
        return next?.formatted(.iso8601)
    }

    private static func dayOfYear(_ day: Int, _ others: DateComponents = DateComponents()) -> DateComponents {
        var components = others
        components.dayOfYear = day
        return components
    }

    static let ordinary: [Case] = [
        Case(
            "an hour is every day",
            DateComponents(hour: 9),
            after: "2026-11-21T08:59:59Z",
            next: "2026-11-21T09:00:00Z"
        ),
        Case("strictly after", DateComponents(hour: 9), after: "2026-11-21T09:00:00Z", next: "2026-11-22T09:00:00Z"),
        Case(
            "a minute is every hour",
            DateComponents(minute: 30),
            after: "2026-11-21T09:30:00Z",
            next: "2026-11-21T10:30:00Z"
        ),
        Case(
            "a second is every minute",
            DateComponents(second: 10),
            after: "2026-11-21T12:00:10Z",
            next: "2026-11-21T12:01:10Z"
        ),
        Case(
            "a part between is any",
            DateComponents(hour: 9, second: 5),
            after: "2026-11-21T09:00:05Z",
            next: "2026-11-21T09:01:05Z"
        ),
        Case("a day is midnight", DateComponents(day: 1), after: "2026-11-21T12:00:00Z", next: "2026-12-01T00:00:00Z"),
        Case(
            "a month is its first day",
            DateComponents(month: 3),
            after: "2026-11-21T12:00:00Z",
            next: "2027-03-01T00:00:00Z"
        ),
        Case(
            "in the month, the next one",
            DateComponents(month: 3),
            after: "2027-03-15T00:00:00Z",
            next: "2028-03-01T00:00:00Z"
        ),
        Case(
            "a month's hour is each of its days",
            DateComponents(month: 3, hour: 9),
            after: "2027-03-01T09:00:00Z",
            next: "2027-03-02T09:00:00Z"
        ),
        Case(
            "a quarter is its first day",
            DateComponents(quarter: 2),
            after: "2026-11-21T12:00:00Z",
            next: "2027-04-01T00:00:00Z"
        ),
        Case("a year to come", DateComponents(year: 2027), after: "2026-11-21T12:00:00Z", next: "2027-01-01T00:00:00Z"),
        Case("a year that began", DateComponents(year: 2027), after: "2027-01-01T00:00:00Z", next: nil),
        Case(
            "a date that was",
            DateComponents(year: 2026, month: 11, day: 20),
            after: "2026-11-21T12:00:00Z",
            next: nil
        ),
        Case(
            "a weekday",
            DateComponents(hour: 8, weekday: 2),
            after: "2026-11-21T12:00:00Z",
            next: "2026-11-23T08:00:00Z"
        ),
        Case(
            "a weekday's half hours",
            DateComponents(minute: 30, weekday: 2),
            after: "2026-11-23T23:30:00Z",
            next: "2026-11-30T00:30:00Z"
        ),
        Case(
            "the fourth Thursday of November",
            in: "America/New_York",
            DateComponents(month: 11, hour: 12, weekday: 5, weekdayOrdinal: 4),
            after: "2026-11-21T12:00:00Z",
            next: "2026-11-26T17:00:00Z"
        ),
        Case(
            "a day of the year",
            dayOfYear(366),
            after: "2026-11-21T12:00:00Z",
            next: "2028-12-31T00:00:00Z"
        ),
        Case(
            "Friday the 13th",
            DateComponents(day: 13, weekday: 6),
            after: "2026-11-21T12:00:00Z",
            next: "2027-08-13T00:00:00Z"
        ),
    ]

    static let strictDays: [Case] = [
        Case(
            "the 31st, after January",
            in: "America/New_York",
            DateComponents(day: 31, hour: 9),
            after: "2026-01-31T14:00:00Z",
            next: "2026-03-31T13:00:00Z"
        ),
        Case(
            "29 February",
            in: "America/New_York",
            DateComponents(month: 2, day: 29),
            after: "2026-01-01T12:00:00Z",
            next: "2028-02-29T05:00:00Z"
        ),
        Case(
            "29 February on a Sunday",
            DateComponents(month: 2, day: 29, weekday: 1),
            after: "2026-01-01T12:00:00Z",
            next: "2032-02-29T00:00:00Z"
        ),
        Case(
            "29 February after 2096",
            DateComponents(month: 2, day: 29),
            after: "2096-03-01T00:00:00Z",
            next: "2104-02-29T00:00:00Z"
        ),
        Case(
            "a day that an island skipped",
            in: "Pacific/Apia",
            DateComponents(month: 12, day: 30, hour: 9),
            after: "2011-12-01T00:00:00Z",
            next: "2012-12-29T19:00:00Z"
        ),
        Case(
            "every day, on that island",
            in: "Pacific/Apia",
            DateComponents(hour: 9),
            after: "2011-12-29T19:00:00Z",
            next: "2011-12-30T19:00:00Z"
        ),
    ]

    static let bentTimes: [Case] = [
        Case(
            "New York, in the gap",
            in: "America/New_York",
            DateComponents(hour: 2, minute: 30),
            after: "2026-03-08T06:00:00Z",
            next: "2026-03-08T07:30:00Z"
        ),
        Case(
            "New York, in the gap, with its weekday",
            in: "America/New_York",
            DateComponents(hour: 2, minute: 30, weekday: 1),
            after: "2026-03-08T06:00:00Z",
            next: "2026-03-08T07:30:00Z"
        ),
        Case(
            "New York, the day after the gap",
            in: "America/New_York",
            DateComponents(hour: 2, minute: 30),
            after: "2026-03-08T07:30:00Z",
            next: "2026-03-09T06:30:00Z"
        ),
        Case(
            "New York, half hours over the gap",
            in: "America/New_York",
            DateComponents(minute: 30),
            after: "2026-03-08T06:30:00Z",
            next: "2026-03-08T07:30:00Z"
        ),
        Case(
            "New York, the overlap",
            in: "America/New_York",
            DateComponents(hour: 1, minute: 30),
            after: "2026-11-01T04:00:00Z",
            next: "2026-11-01T05:30:00Z"
        ),
        Case(
            "New York, once in the overlap",
            in: "America/New_York",
            DateComponents(hour: 1, minute: 30),
            after: "2026-11-01T05:30:00Z",
            next: "2026-11-02T06:30:00Z"
        ),
        Case(
            "New York, half hours in the overlap",
            in: "America/New_York",
            DateComponents(minute: 30),
            after: "2026-11-01T05:30:00Z",
            next: "2026-11-01T06:30:00Z"
        ),
        Case(
            "New York, half hours after the overlap",
            in: "America/New_York",
            DateComponents(minute: 30),
            after: "2026-11-01T06:30:00Z",
            next: "2026-11-01T07:30:00Z"
        ),
        Case(
            "New York, 02:00 after the overlap",
            in: "America/New_York",
            DateComponents(hour: 2),
            after: "2026-11-01T04:00:00Z",
            next: "2026-11-01T07:00:00Z"
        ),
        Case(
            "Havana, no midnight",
            in: "America/Havana",
            DateComponents(day: 8),
            after: "2026-03-07T12:00:00Z",
            next: "2026-03-08T05:00:00Z"
        ),
        Case(
            "Lord Howe, a gap of half an hour",
            in: "Australia/Lord_Howe",
            DateComponents(hour: 2, minute: 15),
            after: "2026-10-03T14:00:00Z",
            next: "2026-10-03T15:45:00Z"
        ),
        Case(
            "Tokyo has neither",
            in: "Asia/Tokyo",
            DateComponents(hour: 9),
            after: "2026-11-21T00:00:00Z",
            next: "2026-11-22T00:00:00Z"
        ),
    ]

    @Test(arguments: ordinary + strictDays + bentTimes)
    func `the next date`(of example: Case) throws {
        #expect(try Self.next(example.components, in: example.zone, after: example.after) == example.next)
    }

    @Test func `weeks are counted as the components' calendar does`() throws {
        var components = DateComponents(weekday: 2, weekOfYear: 53)
        components.calendar = Calendar(identifier: .iso8601)
        #expect(try Self.next(components, in: "UTC", after: "2026-11-21T12:00:00Z") == "2026-12-28T00:00:00Z")
        components = DateComponents(weekOfYear: 1, yearForWeekOfYear: 2027)
        #expect(try Self.next(components, in: "UTC", after: "2026-11-21T12:00:00Z") == "2026-12-27T00:00:00Z")
    }

    @Test func `nanoseconds come after their second`() throws {
        let noon = try Date("2026-11-21T12:00:00Z", strategy: .iso8601)
        let components = DateComponents(timeZone: .gmt, second: 0, nanosecond: 500_000_000)
        let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        #expect(trigger.nextTriggerDate(after: noon) == noon + 0.5)
        #expect(trigger.nextTriggerDate(after: noon + 0.5) == noon + 60.5)
    }

    static let impossible: [DateComponents] = {
        var leapMonth = DateComponents(month: 2)
        leapMonth.isLeapMonth = true
        return [
            DateComponents(), DateComponents(month: 2, day: 30), DateComponents(month: 4, day: 31),
            DateComponents(year: 2027, month: 2, day: 29), DateComponents(year: 1999), DateComponents(era: 0, day: 1),
            DateComponents(era: 1), DateComponents(month: 13), DateComponents(month: 0), DateComponents(day: 32),
            DateComponents(hour: 24), DateComponents(minute: 60), DateComponents(second: 60), DateComponents(hour: -1),
            DateComponents(nanosecond: 1_000_000_000), DateComponents(weekday: 8), DateComponents(weekday: 0),
            DateComponents(weekdayOrdinal: 6), DateComponents(quarter: 5), DateComponents(weekOfYear: 54),
            DateComponents(month: 6, quarter: 1), DateComponents(day: 1, weekdayOrdinal: 2),
            DateComponents(month: 2, weekOfMonth: 6), dayOfYear(32, DateComponents(month: 1)),
            dayOfYear(1, DateComponents(weekOfYear: 30)), DateComponents(year: .max), leapMonth,
        ]
    }()

    @Test(.timeLimit(.minutes(5)), arguments: impossible)
    func `a date that never comes is no date`(components: DateComponents) {
        let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        #expect(trigger.nextTriggerDate() == nil)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a thousand impossible dates are no work`() {
        let components = DateComponents(timeZone: .gmt, month: 2, day: 30)
        let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        for _ in 0..<1000 {
            #expect(trigger.nextTriggerDate() == nil)
        }
    }

    @Test(arguments: [
        Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 1e18), Date(timeIntervalSince1970: -1e18),
    ])
    func `far dates have a next one or none`(date: Date) {
        let trigger = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 9), repeats: true)
        let next = trigger.nextTriggerDate(after: date)
        #expect(next.map { $0 > date } ?? (abs(date.timeIntervalSince1970) > 1e17))
    }

    // MARK: Intervals

    @Test func `an interval counts down, and its number does not`() throws {
        let now = Date(timeIntervalSince1970: 1_000_000)
        let once = UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: false)
        #expect(once.nextTriggerDate(after: now, elapsed: .seconds(0)) == now + 90)
        #expect(once.nextTriggerDate(after: now, elapsed: .seconds(60)) == now + 30)
        #expect(once.nextTriggerDate(after: now, elapsed: .seconds(90)) == nil)
        #expect(once.timeInterval == 90)
        let again = UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: true)
        #expect(again.nextTriggerDate(after: now, elapsed: .seconds(90)) == now + 90)
        #expect(again.nextTriggerDate(after: now, elapsed: .seconds(200)) == now + 70)
        let next = try #require(again.nextTriggerDate())
        #expect((0...90).contains(next.timeIntervalSinceNow))
    }

    @Test func `an interval that Apple raises for is a trap`() async {
        await #expect(processExitsWith: .signal(SIGILL)) {
            _ = UNTimeIntervalNotificationTrigger(timeInterval: 0, repeats: false)
        }
        await #expect(processExitsWith: .signal(SIGILL)) {
            _ = UNTimeIntervalNotificationTrigger(timeInterval: .nan, repeats: false)
        }
        await #expect(processExitsWith: .signal(SIGILL)) {
            _ = UNTimeIntervalNotificationTrigger(timeInterval: 59.9, repeats: true)
        }
        await #expect(processExitsWith: .success) {
            _ = UNTimeIntervalNotificationTrigger(timeInterval: 0.1, repeats: false)
            _ = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
        }
    }
}
