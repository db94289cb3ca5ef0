// SPDX-License-Identifier: Apache-2.0

internal import NotificationPayload

package import struct Foundation.Date

extension Date {
    /// ISO 8601 in UTC with milliseconds, to the nearest: `2026-11-21T03:00:00.123Z`.
    ///
    /// Years 0 to 9999; a date outside them is written as the nearest inside.
    package var timestamp: String { UTCTime.preciseText(of: Int64(clampedMilliseconds)) }

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
