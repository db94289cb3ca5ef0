// SPDX-License-Identifier: Apache-2.0

package import struct Foundation.Date

extension Date {
    /// ISO 8601 in UTC with milliseconds, to the nearest: `2026-11-21T03:00:00.123Z`.
    ///
    /// Years 0 to 9999; a date outside them is written as the nearest inside.
    package var timestamp: String {
        let (days, timeOfDay) = Int64(clampedMilliseconds).dividedFloor(by: 86_400_000)
        let (year, month, day) = Self.civil(daysSince1970: days)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func append(_ value: Int64, digits: Int, then separator: Character) {
            var power = Int64(1)
            for _ in 1..<digits { power *= 10 }
            while power > 0 {
                text.append(UInt8(ascii: "0") + UInt8(value / power % 10))
                power /= 10
            }
            text.append(contentsOf: separator.utf8)
        }
        append(year, digits: 4, then: "-")
        append(month, digits: 2, then: "-")
        append(day, digits: 2, then: "T")
        append(timeOfDay / 3_600_000, digits: 2, then: ":")
        append(timeOfDay / 60_000 % 60, digits: 2, then: ":")
        append(timeOfDay / 1000 % 60, digits: 2, then: ".")
        append(timeOfDay % 1000, digits: 3, then: "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// Since 1970, within the years 0 to 9999.
    ///
    /// A `Double` holds no decimal fraction exactly, so that rounding down would lose a millisecond here and there.
    private var clampedMilliseconds: Double {
        let first = -62_167_219_200_000.0
        let last = 253_402_300_799_999.0
        let exact = (timeIntervalSince1970 * 1000).rounded()
        // No comparison holds for NaN.
        return exact >= last ? last : exact > first ? exact : first
    }

    /// The Gregorian date of a day, by counting in eras of 400 years that begin in March.
    private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).dividedFloor(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension FixedWidthInteger {
    fileprivate func dividedFloor(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension Duration {
    /// Whole milliseconds, rounded down; as many as 64 bits hold.
    package var milliseconds: Int64 {
        Int64(clamping: attoseconds.dividedFloor(by: 1_000_000_000_000_000).quotient)
    }

    /// Whole microseconds, rounded down; as many as 64 bits hold.
    package var microseconds: Int64 {
        Int64(clamping: attoseconds.dividedFloor(by: 1_000_000_000_000).quotient)
    }
}
