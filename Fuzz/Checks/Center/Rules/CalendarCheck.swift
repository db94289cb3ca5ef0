// SPDX-License-Identifier: Apache-2.0

private import CenterProtocol
private import Foundation
private import NotificationPayload
private import UserNotifications

/// Feeds hostile date components to the search for the next date, and holds what it finds against Foundation's
/// calendar.
///
/// Shape: `MILLISECONDS ZONE COMPONENTS`, which are a moment since 1970, the owner's zone and JSON as in a calendar
/// trigger: `1795230000000 Europe/Madrid {"hour":9}`. Any other input is refused.
public enum CalendarCheck {
    /// Moments from 1970 to the year 3000.
    private static let moments: ClosedRange<Int64> = 0...32_503_680_000_000

    /// Reads one input, whatever it is.
    public static func check(_ bytes: [UInt8]) -> Verdict {
        Verdict { () throws(BrokenPromise) in
            let words = bytes.split(separator: UInt8(ascii: " "), maxSplits: 2).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard words.count == 3, let milliseconds = Int64(words[0]), moments.contains(milliseconds),
                words[1].utf8.count <= 64, let zone = TimeZone(identifier: words[1]),
                let object = try? JSONObject(parsing: Array(words[2].utf8).span),
                case .calendar(let components, _)? = RequestTrigger(
                    stored: ["type": "calendar", "components": .object(object), "repeats": false]
                )
            else { return 0 }
            let search = CalendarSearch(components, zone: zone)
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            try search.check(after: date)
            try search.checkParts(of: date)
            return 1
        }
    }
}

/// The search for the dates of some components, and what holds for it.
private struct CalendarSearch {
    private let components: CalendarComponents
    private let parts: DateComponents
    private let zone: TimeZone
    private let calendar: Calendar

    /// Components without a zone, or with one that nobody knows, are taken in `zone`.
    init(_ components: CalendarComponents, zone: TimeZone) {
        var parts = components.dateComponents
        self.components = components
        self.zone = parts.timeZone ?? zone
        parts.timeZone = self.zone
        self.parts = parts
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = self.zone
        calendar.firstWeekday = components.firstWeekday ?? 1
        calendar.minimumDaysInFirstWeek = components.minimumDaysInFirstWeek ?? 1
        self.calendar = calendar
    }

    private static func next(_ parts: DateComponents, after date: Date) -> Date? {
        UNCalendarNotificationTrigger(dateMatching: parts, repeats: false).nextTriggerDate(after: date)
    }

    // MARK: The date that is found

    func check(after date: Date) throws(BrokenPromise) {
        guard let next = Self.next(parts, after: date) else { return }
        try expect(components.nameADate, "components that name no date have none")
        try expect(next > date, "the next date comes after the one that is asked for")
        let middle = date + next.timeIntervalSince(date) / 2
        try expect(Self.next(parts, after: middle) == next || middle >= next, "no date is passed over")
        if let second = Self.next(parts, after: next) { try expect(second > next, "a date comes once") }
        let found = calendar.dateComponents(in: zone, from: next)
        try expect(isSame(found, [\.era, \.year, \.month, \.day, \.weekday]), "a date has the day that is named")
        try expect(
            isSame(found, [\.weekdayOrdinal, \.dayOfYear]),
            "a date has the day of month and year that is named"
        )
        try expect(
            isSame(found, [\.weekOfMonth, \.weekOfYear, \.yearForWeekOfYear]),
            "a date has the week that is named"
        )
        let quarter = found.month.map { ($0 + 2) / 3 }
        try expect(parts.quarter == nil || parts.quarter == quarter, "a date has the quarter that is named")
        // Where clocks change, a time may come later than it is named.
        if isUsual(next) { try expect(hasTime(found), "a date has the time that is named") }
    }

    private func isSame(_ found: DateComponents, _ paths: [KeyPath<DateComponents, Int?>]) -> Bool {
        paths.allSatisfy { path in parts[keyPath: path].map { $0 == found[keyPath: path] } ?? true }
    }

    /// Parts below the smallest that is named are zero.
    private func hasTime(_ found: DateComponents) -> Bool {
        let wanted = [parts.hour, parts.minute, parts.second]
        let last = parts.nanosecond == nil ? wanted.lastIndex { $0 != nil } ?? -1 : 2
        return zip(wanted, [found.hour, found.minute, found.second]).enumerated().allSatisfy { place, pair in
            pair.0.map { $0 == pair.1 } ?? (place <= last || pair.1 == 0)
        }
    }

    /// True if clocks did not change within a day.
    private func isUsual(_ date: Date) -> Bool {
        let offset = zone.secondsFromGMT(for: date)
        return zone.secondsFromGMT(for: date - 86_400) == offset && zone.secondsFromGMT(for: date + 86_400) == offset
    }

    // MARK: A date that must be found

    /// Names the same parts, and the second, with the values that they have in a date, which must then be found.
    func checkParts(of date: Date) throws(BrokenPromise) {
        let date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        guard isUsual(date) else { return }
        let found = calendar.dateComponents(in: zone, from: date)
        var own = parts
        let paths: [WritableKeyPath<DateComponents, Int?>] = [
            \.era, \.year, \.month, \.day, \.weekday, \.weekdayOrdinal, \.dayOfYear, \.weekOfMonth, \.weekOfYear,
            \.yearForWeekOfYear, \.hour, \.minute,
        ]
        for path in paths where own[keyPath: path] != nil { own[keyPath: path] = found[keyPath: path] }
        if own.quarter != nil { own.quarter = found.month.map { ($0 + 2) / 3 } }
        (own.second, own.nanosecond) = (found.second, nil)
        try expect(Self.next(own, after: date - 0.5) == date, "a date is found by the parts that it has")
    }
}
