// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload

/// The times of a day that date components name.
///
/// A part above the largest named one matches every value, and so does one between two named ones; a part below the
/// smallest is 0. `{minute: 30}` is every hour at half past; no part at all is midnight.
struct TimePattern {
    private let hour: Int?
    private let minute: Int?
    private let second: Int?
    /// 0..<1,000,000,000, added to the second.
    let nanosecond: Int

    /// False if no part names a time.
    let namesTimes: Bool
    /// The time is one in the whole day, or the hour is fixed: it is moved out of a gap, and comes once in an overlap.
    let isOfOneHour: Bool

    /// Returns `nil` if a part is out of its range.
    init?(_ components: DateComponents) {
        func within(_ value: Int?, _ range: Range<Int>) -> Bool { value.map(range.contains) ?? true }
        guard within(components.hour, 0..<24), within(components.minute, 0..<60), within(components.second, 0..<60),
            within(components.nanosecond, 0..<1_000_000_000)
        else { return nil }
        let fixesNanosecond = components.nanosecond != nil
        nanosecond = components.nanosecond ?? 0
        second = components.second ?? (fixesNanosecond ? nil : 0)
        let fixesSecond = fixesNanosecond || components.second != nil
        minute = components.minute ?? (fixesSecond ? nil : 0)
        let fixesMinute = fixesSecond || components.minute != nil
        hour = components.hour ?? (fixesMinute ? nil : 0)
        namesTimes = fixesMinute || components.hour != nil
        isOfOneHour = hour != nil
    }

    /// The first matching second of the day in a range; nil if it has none.
    func first(in range: Range<Int>) -> Int? {
        guard let time = first(from: max(0, range.lowerBound)), time < range.upperBound else { return nil }
        return time
    }

    private func first(from start: Int) -> Int? {
        let hours = hour.map { $0...$0 } ?? 0...23
        let minutes = minute.map { $0...$0 } ?? 0...59
        let seconds = second.map { $0...$0 } ?? 0...59
        for hour in hours where hour * 3600 + 3599 >= start {
            for minute in minutes where hour * 3600 + minute * 60 + 59 >= start {
                let base = hour * 3600 + minute * 60
                let second = max(seconds.lowerBound, start - base)
                if second <= seconds.upperBound { return base + second }
            }
        }
        return nil
    }
}
