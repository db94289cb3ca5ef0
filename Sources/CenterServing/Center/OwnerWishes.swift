// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import CenterStore
import Foundation
package import NotificationPayload
package import UserNotificationCenter

/// The wishes of an owner, as the rules read them; what is damaged in the store was never wished.
package struct OwnerWishes: Equatable {
    package var language: String?
    /// The time zone by its name; `nil` means the machine's.
    package var zoneName: String?
    package var quiet = DoNotDisturb()
    package var summary = SummaryPlan()

    package init() {}

    /// The time zone in which the owner's hours are meant.
    var zone: TimeZone { zoneName.flatMap { TimeZone(identifier: $0) } ?? .current }

    /// The minute of the owner's day.
    func minute(at now: WallTime) -> MinuteOfDay {
        let perDay = MinuteOfDay.perDay
        let ofDay = ((localMinutes(at: now) % perDay) + perDay) % perDay
        guard let minute = MinuteOfDay(ofDay) else { preconditionFailure("a day has 1,440 minutes") }
        return minute
    }

    /// The moment at which Do Not Disturb ends by itself, if it is on; `nil` means that it is off.
    ///
    /// Hours end with a whole minute of the owner's clock.
    func quietEnd(at now: WallTime) -> WallTime? {
        if case .until(let end) = quiet.schedule { return now < end ? end : nil }
        let minute = minute(at: now)
        guard quiet.isOn(at: now, minute: minute), let rest = quiet.minutesToChange(at: now, minute: minute) else {
            return nil
        }
        let past = ((now % 60_000) + 60_000) % 60_000
        return now - past + WallTime(rest) * 60_000
    }

    /// The minutes that the owner's clock shows since 1970.
    func localMinutes(at now: WallTime) -> Int {
        let seconds = Int(now / 1000) + zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(now) / 1000))
        return Int((Double(seconds) / 60).rounded(.down))
    }
}

// MARK: Stored

extension OwnerWishes {
    package init(stored preferences: OwnerPreferences) {
        func read<Value>(_ bytes: [UInt8]?, _ body: (JSONObject) throws -> Value) -> Value? {
            bytes.flatMap { try? JSONObject(parsing: $0.span, depthLimit: 8) }.flatMap { try? body($0) }
        }
        language = preferences.language
        zoneName = preferences.zone
        quiet = read(preferences.focus) { try DoNotDisturb($0) } ?? DoNotDisturb()
        summary = read(preferences.summary) { try SummaryPlan($0) } ?? SummaryPlan()
    }

    package var stored: OwnerPreferences {
        var preferences = OwnerPreferences()
        preferences.language = language
        preferences.zone = zoneName
        preferences.focus = quiet == DoNotDisturb() ? nil : quiet.json.serialized
        preferences.summary = summary == SummaryPlan() ? nil : summary.json.serialized
        return preferences
    }
}

// MARK: The API

extension OwnerWishes {
    package var json: JSONObject {
        [
            "language": language.map(JSON.string) ?? .null, "zone": zoneName.map(JSON.string) ?? .null,
            "doNotDisturb": .object(quiet.json), "summary": .object(summary.json),
        ]
    }

    /// Changes what the members name and leaves everything else; a fault changes nothing.
    ///
    /// `null` takes a wish back. Unknown members are ignored.
    package mutating func apply(_ changes: JSONObject) throws(PreferenceFault) {
        var changed = self
        if let value = changes["language"] {
            changed.language = try Self.name(value, "language") {
                $0.wholeMatch(of: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/) != nil
            }
        }
        if let value = changes["zone"] {
            changed.zoneName = try Self.name(value, "zone") { TimeZone(identifier: $0) != nil }
        }
        if let value = changes["doNotDisturb"] {
            changed.quiet =
                try Self.object(value, "doNotDisturb").map { object throws(PreferenceFault) in
                    try DoNotDisturb(object)
                } ?? DoNotDisturb()
        }
        if let value = changes["summary"] {
            changed.summary =
                try Self.object(value, "summary").map { object throws(PreferenceFault) in
                    try SummaryPlan(object)
                } ?? SummaryPlan()
        }
        self = changed
    }

    private static func object(_ value: JSON, _ key: String) throws(PreferenceFault) -> JSONObject? {
        if value == .null { return nil }
        guard let object = value.object else { throw .wrongKind(key) }
        return object
    }

    /// Reads a name of at most 64 bytes.
    private static func name(
        _ value: JSON,
        _ key: String,
        _ isKnown: (String) -> Bool
    ) throws(PreferenceFault) -> String? {
        if value == .null { return nil }
        guard let text = value.string else { throw .wrongKind(key) }
        guard (1...64).contains(text.utf8.count) else { throw .badLength(key, byteCount: text.utf8.count) }
        guard isKnown(text) else { throw .unknownWord(key) }
        return text
    }
}
