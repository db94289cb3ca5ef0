// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The shapes of texts that name something on both sockets.
///
/// Source: PROTOCOL.md, "Names and bounds".
package enum CenterNames {
    /// Tells whether a text is an owner's name: `[a-z0-9][a-z0-9._-]{0,63}`.
    package static func isOwner(_ text: String) -> Bool {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first, isLowerAlphanumeric(first) else {
            return false
        }
        return text.utf8.allSatisfy { isLowerAlphanumeric($0) || ".-_".utf8.contains($0) }
    }

    /// Bytes of a topic, which is an app's bundle identifier as the host's configuration or the app itself writes it.
    package static let topicByteCounts = 1...255
    /// Bytes of identifiers of requests, categories, actions, attachments and regions.
    package static let identifierByteCounts = 1...256
    /// Bytes of a path below a worker's scratch folder.
    package static let scratchPathByteCounts = 1...255

    /// Tells whether a text is a device token: 1 to 100 bytes in lower-case hex digits.
    package static func isDeviceToken(_ text: String) -> Bool {
        (2...200).contains(text.utf8.count) && text.utf8.count.isMultiple(of: 2) && text.utf8.allSatisfy(isHexDigit)
    }

    /// Tells whether a text is a journal's name: eight lower-case hex digits.
    package static func isJournal(_ text: String) -> Bool {
        text.utf8.count == 8 && text.utf8.allSatisfy(isHexDigit)
    }

    /// Tells whether a text is a desktop file id without `.desktop`: `[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}`.
    ///
    /// Source: Desktop Entry Specification 1.5, "File naming" and "Desktop File ID".
    package static func isDesktopEntry(_ text: String) -> Bool {
        guard (1...128).contains(text.utf8.count), let first = text.utf8.first, !text.hasSuffix(".desktop") else {
            return false
        }
        return isWord(first) && text.utf8.allSatisfy { isWord($0) || ".-".utf8.contains($0) }
    }

    /// Tells whether a byte is a letter, a digit or `_`.
    private static func isWord(_ byte: UInt8) -> Bool {
        isLowerAlphanumeric(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
    }

    private static func isLowerAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

extension Members {
    mutating func owner() throws(MemberFault) -> String {
        try shape("owner") { CenterNames.isOwner($0) ? $0 : nil }
    }

    package mutating func topic(_ key: String = "topic") throws(MemberFault) -> String {
        try text(key, CenterNames.topicByteCounts)
    }

    package mutating func identifier(_ key: String = "identifier") throws(MemberFault) -> String {
        try text(key, CenterNames.identifierByteCounts)
    }

    mutating func optionalDeviceToken() throws(MemberFault) -> String? {
        try optionalShape("token") { CenterNames.isDeviceToken($0) ? $0 : nil }
    }

    package mutating func moment(_ key: String) throws(MemberFault) -> Moment { try shape(key, Moment.init) }
    package mutating func optionalMoment(_ key: String) throws(MemberFault) -> Moment? {
        try optionalShape(key, Moment.init)
    }
}

/// A moment as messages write it: ISO 8601 in UTC with milliseconds, `2026-11-21T03:00:00.123Z`, years 1970 to 9999.
package struct Moment: Sendable, Equatable, Comparable {
    /// Unix milliseconds, not negative.
    package let milliseconds: Int64

    package static let latest: Int64 = 253_402_300_799_999

    /// A moment outside the years 1970 to 9999 is taken as the nearest inside.
    package init(milliseconds: Int64) {
        self.milliseconds = min(max(0, milliseconds), Self.latest)
    }

    /// Reads exactly that form; returns `nil` for any other text and for a day that no calendar has.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, bytes[19] == UInt8(ascii: "."),
            let seconds = UTCTime.milliseconds(of: bytes[..<19] + bytes[23...])
        else { return nil }
        let digits = bytes[20..<23]
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        milliseconds = seconds + digits.reduce(0) { $0 * 10 + Int64($1 & 15) }
    }

    package var text: String { UTCTime.preciseText(of: milliseconds) }

    package static func < (left: Moment, right: Moment) -> Bool { left.milliseconds < right.milliseconds }
}
