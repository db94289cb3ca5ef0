// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import E2ECrypto
import Glibc
import NotificationPayload

/// The name of a format.
struct FormatArgument: ExpressibleByArgument {
    let format: SealFormat

    init?(argument: String) {
        guard let format = SealFormat(rawValue: argument), Sealer.formats.contains(format) else { return nil }
        self.format = format
    }

    static var allValueStrings: [String] {
        SealFormat.allCases.filter { Sealer.formats.contains($0) }.map(\.rawValue)
    }
}

/// Names of formats with commas between.
struct AcceptArgument: ExpressibleByArgument {
    let formats: [SealFormat]

    init?(argument: String) {
        let names = argument.split(separator: ",", omittingEmptySubsequences: false)
        formats = names.compactMap { SealFormat(rawValue: String($0)) }
        guard formats.count == names.count else { return nil }
    }

    static var allValueStrings: [String] { SealFormat.allCases.map(\.rawValue) }
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
        guard let milliseconds = UTCTime.milliseconds(of: argument.utf8) else { return nil }
        self.milliseconds = milliseconds
    }
}

/// The clock of this machine.
enum Now {
    static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
