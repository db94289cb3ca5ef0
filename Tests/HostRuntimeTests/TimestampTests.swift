// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostRuntime
import Testing

struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_795_230_000.123, "2026-11-21T03:00:00.123Z"),
            // Before 1970.
            (-0.001, "1969-12-31T23:59:59.999Z"),
            (-1, "1969-12-31T23:59:59.000Z"),
            (-86_400, "1969-12-31T00:00:00.000Z"),
            (-86_400.5, "1969-12-30T23:59:59.500Z"),
            (-14_182_940, "1969-07-20T20:17:40.000Z"),
            // Leap years: every fourth, not every hundredth, every four hundredth.
            (1_709_164_799.999, "2024-02-28T23:59:59.999Z"),
            (1_709_164_800, "2024-02-29T00:00:00.000Z"),
            (1_709_251_199.999, "2024-02-29T23:59:59.999Z"),
            (1_709_251_200, "2024-03-01T00:00:00.000Z"),
            (1_677_628_800, "2023-03-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"),
            (-2_203_891_200, "1900-03-01T00:00:00.000Z"),
            (13_574_563_200, "2400-02-29T00:00:00.000Z"),
            // Years begin and end.
            (1_767_225_599.999, "2025-12-31T23:59:59.999Z"),
            (1_767_225_600, "2026-01-01T00:00:00.000Z"),
            (1_735_603_200, "2024-12-31T00:00:00.000Z"),
            (2_147_483_648, "2038-01-19T03:14:08.000Z"),
            (-62_135_596_800, "0001-01-01T00:00:00.000Z"),
            (-62_167_219_200, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
        ] as [(TimeInterval, String)]
    )
    func `a date is written in UTC with milliseconds`(seconds: TimeInterval, text: String) {
        #expect(Date(timeIntervalSince1970: seconds).timestamp == text)
    }

    @Test(
        arguments: [
            (253_402_300_800, "9999-12-31T23:59:59.999Z"), (1e18, "9999-12-31T23:59:59.999Z"),
            (.infinity, "9999-12-31T23:59:59.999Z"), (-62_167_219_201, "0000-01-01T00:00:00.000Z"),
            (-1e18, "0000-01-01T00:00:00.000Z"), (-.infinity, "0000-01-01T00:00:00.000Z"),
            (.nan, "0000-01-01T00:00:00.000Z"),
        ] as [(TimeInterval, String)]
    )
    func `a date outside the years 0 to 9999 is the nearest inside`(seconds: TimeInterval, text: String) {
        #expect(Date(timeIntervalSince1970: seconds).timestamp == text)
    }

    @Test(arguments: 0..<4)
    func `whole milliseconds are written as they are`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<1000 {
            let milliseconds = Int64.random(in: -2_208_988_800_000...4_102_444_800_000, using: &generator)
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            let digits = "\(1000 + (milliseconds % 1000 + 1000) % 1000)".dropFirst()
            #expect(date.timestamp.hasSuffix(".\(digits)Z"), "\(milliseconds)")
        }
    }

    /// Glibc has its own calendar.
    @Test(arguments: 0..<4)
    func `the date is that of gmtime`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<1000 {
            var seconds = time_t.random(in: -62_167_219_200..<253_402_300_800, using: &generator)
            var parts = tm()
            gmtime_r(&seconds, &parts)
            let expected = String(
                format: "%04d-%02d-%02dT%02d:%02d:%02d.000Z",
                parts.tm_year + 1900,
                parts.tm_mon + 1,
                parts.tm_mday,
                parts.tm_hour,
                parts.tm_min,
                parts.tm_sec
            )
            #expect(Date(timeIntervalSince1970: Double(seconds)).timestamp == expected)
        }
    }

    // MARK: Duration

    @Test(
        arguments: [
            (.zero, 0, 0), (.seconds(30), 30_000, 30_000_000), (.milliseconds(1), 1, 1000),
            (.microseconds(1), 0, 1), (.microseconds(999), 0, 999), (.microseconds(1999), 1, 1999),
            (.nanoseconds(999), 0, 0), (.nanoseconds(1_999_999), 1, 1999),
            (.seconds(1) + .nanoseconds(1), 1000, 1_000_000),
            // Down is away from zero below it.
            (.milliseconds(-1), -1, -1000), (.microseconds(-1), -1, -1), (.nanoseconds(-1), -1, -1),
            (.microseconds(-1500), -2, -1500), (.seconds(-2), -2000, -2_000_000),
            // Beyond 64 bits.
            (.seconds(Int64.max), .max, .max), (.seconds(Int64.min), .min, .min),
        ] as [(Duration, Int64, Int64)]
    )
    func `a duration is counted in whole units, rounded down`(duration: Duration, milliseconds: Int64, micro: Int64) {
        #expect(duration.milliseconds == milliseconds)
        #expect(duration.microseconds == micro)
    }
}
