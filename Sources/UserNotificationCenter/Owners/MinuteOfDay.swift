// SPDX-License-Identifier: Apache-2.0

/// A minute of a day, in the zone of whoever says it: 0 for 00:00 to 1,439 for 23:59.
package struct MinuteOfDay: Sendable, Hashable, Comparable {
    package static let perDay = 1440

    package let number: Int

    /// `nil` means that no day has such a minute.
    package init?(_ number: Int) {
        guard (0..<Self.perDay).contains(number) else { return nil }
        self.number = number
    }

    /// Reads `HH:MM`, five bytes; returns `nil` for any other text.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let digits = [0, 1, 3, 4].compactMap { place in
            bytes.count == 5 && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
                ? Int(bytes[place] & 15) : nil
        }
        guard digits.count == 4, bytes[2] == UInt8(ascii: ":") else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard hour < 24, minute < 60 else { return nil }
        number = hour * 60 + minute
    }

    package var text: String {
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(digits(number / 60)):\(digits(number % 60))"
    }

    /// The minutes until another minute of the day comes, 1 to 1,440: the same minute comes tomorrow.
    package func minutes(to other: MinuteOfDay) -> Int {
        let distance = other.number - number
        return distance > 0 ? distance : distance + Self.perDay
    }

    package static func < (left: MinuteOfDay, right: MinuteOfDay) -> Bool { left.number < right.number }
}
