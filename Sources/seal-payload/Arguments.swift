// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import E2ECrypto
import Glibc

/// The name of a format.
struct FormatArgument: ExpressibleByArgument {
    let format: SealFormat

    init?(argument: String) {
        guard let format = SealFormat(rawValue: argument) else { return nil }
        self.format = format
    }
}

/// `max`, `none` or a number of bytes.
struct PaddingArgument: ExpressibleByArgument {
    let padding: Padding

    init?(argument: String) {
        switch argument {
        case "max": padding = .maximum
        case "none": padding = .none
        default:
            guard let count = Int(argument), count > 0 else { return nil }
            padding = .exact(count)
        }
    }
}

/// A number with a unit, from 1 second to 30 days.
///
/// `45s`, `10m`, `2h`, `7d`; a bare number is seconds.
struct DurationArgument: ExpressibleByArgument {
    static let limit = 30 * 86_400
    let seconds: UInt32

    init?(argument: String) {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let last = argument.last else { return nil }
        let digits = units[last] == nil ? argument[...] : argument.dropLast()
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
            case (let seconds, false) = number.multipliedReportingOverflow(by: units[last] ?? 1),
            (1...Self.limit).contains(seconds)
        else { return nil }
        self.seconds = UInt32(seconds)
    }
}

/// A moment: Unix milliseconds, or ISO 8601 in UTC, as `2026-11-21T03:00:00Z`.
struct TimeArgument: ExpressibleByArgument {
    let milliseconds: Int64

    init?(argument: String) {
        if let milliseconds = Int64(argument) {
            guard (0...1 << 47).contains(milliseconds) else { return nil }
            self.milliseconds = milliseconds
            return
        }
        let shape = Array("0000-00-00T00:00:00Z".utf8)
        let characters = Array(argument.utf8)
        guard characters.count == shape.count else { return nil }
        let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard zip(characters, shape).allSatisfy({ $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }) else {
            return nil
        }
        let numbers = characters.split { !isDigit($0) }.map { $0.reduce(Int32(0)) { $0 * 10 + Int32($1 & 15) } }
        var parts = tm()
        parts.tm_year = numbers[0] - 1900
        parts.tm_mon = numbers[1] - 1
        parts.tm_mday = numbers[2]
        parts.tm_hour = numbers[3]
        parts.tm_min = numbers[4]
        parts.tm_sec = numbers[5]
        let given = parts
        let seconds = timegm(&parts)
        // timegm(3) carries a 31st of February over instead of refusing it.
        guard given.tm_mon == parts.tm_mon, given.tm_mday == parts.tm_mday, given.tm_hour == parts.tm_hour,
            given.tm_min == parts.tm_min, given.tm_sec == parts.tm_sec, seconds >= 0
        else { return nil }
        milliseconds = Int64(seconds) * 1000
    }
}

/// The clock of this machine.
enum Now {
    static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// ISO 8601, UTC, whole seconds.
    static var text: String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
