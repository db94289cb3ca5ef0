// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload

/// The moments that date components name in a time zone: days strict, times bent.
///
/// A day that does not exist is passed over: there is no 31 April, and 1 May is none. A time that does not exist on its
/// day, because clocks were put forward, comes as much later as they were: 02:30 becomes 03:30. A time that exists
/// twice comes the first time; one that fixes no hour comes in both hours. Apple does not state a rule for any of this.
struct CalendarPattern {
    private let days: DayPattern
    private let times: TimePattern
    private let timeZone: TimeZone

    /// Returns `nil` if the components name nothing, or a part of them is out of its range.
    ///
    /// Components without a time zone are of the system's, as it is now.
    init?(_ components: DateComponents) {
        guard let times = TimePattern(components),
            let days = DayPattern(components, alone: !times.namesTimes),
            days.namesDays || times.namesTimes
        else { return nil }
        self.times = times
        self.days = days
        timeZone = components.timeZone ?? .current
    }

    /// The first moment after `date`; nil if there is none in 400 years, after which the calendar repeats itself.
    func next(after date: Date) -> Date? {
        // From `distantPast` to the year 9999; the first whole second that, with the nanoseconds, lies after the date.
        guard (-62_200_000_000.0...253_000_000_000).contains(date.timeIntervalSince1970) else { return nil }
        var earliest = Int(date.timeIntervalSince1970.rounded(.down))
        if moment(of: earliest) <= date { earliest += 1 }
        var day = CivilDay(number: (earliest + offset(at: earliest)).floored(by: 86_400))
        let limit = days.limit(from: day)
        while let match = days.first(from: day, limit: limit) {
            if let second = first(on: match, from: earliest) { return moment(of: second) }
            day = match.next
        }
        return nil
    }

    private func moment(of second: Int) -> Date {
        Date(timeIntervalSince1970: Double(second) + Double(times.nanosecond) / 1_000_000_000)
    }

    private func offset(at second: Int) -> Int {
        timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
    }

    /// The first second, counted from 1970, of a day in the zone that matches and is not before `earliest`.
    private func first(on day: CivilDay, from earliest: Int) -> Int? {
        let midnight = day.number * 86_400
        // All of the day lies between these, whatever the offset: zones reach from -12 to +14 hours.
        let (start, end) = (midnight - 15 * 3600, midnight + 39 * 3600)
        let (before, after) = (offset(at: start), offset(at: end))
        guard before != after else { return first(midnight, before, from: max(earliest, start), below: .max) }
        let change = change(after: start, notAfter: end, from: before)
        let changed = offset(at: change)
        let kept = first(midnight, before, from: max(earliest, start), below: change)
        if let kept { return kept }
        // In an overlap, clocks show again what they showed before the change.
        let skipped = times.isOfOneHour ? max(0, before - changed) : 0
        let later = first(midnight, changed, from: max(earliest, change + skipped), below: .max)
        guard times.isOfOneHour, changed > before else { return later }
        // In a gap, the old offset tells how late a time that clocks never show is.
        let bent = first(midnight, before, from: max(earliest, change), below: change + changed - before)
        guard let bent, bent + changed < midnight + 86_400 else { return later }
        return later.map { min($0, bent) } ?? bent
    }

    /// The first matching second of a day, where clocks show `offset`.
    private func first(_ midnight: Int, _ offset: Int, from start: Int, below end: Int) -> Int? {
        let shift = offset - midnight
        let last = min(86_400, end == .max ? 86_400 : end + shift)
        let first = max(0, start + shift)
        guard first < last, let time = times.first(in: first..<last) else { return nil }
        return time - shift
    }

    /// The second at which the offset stops being `offset`.
    private func change(after start: Int, notAfter end: Int, from offset: Int) -> Int {
        var (low, high) = (start, end)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if self.offset(at: middle) == offset { low = middle } else { high = middle }
        }
        return high
    }
}
