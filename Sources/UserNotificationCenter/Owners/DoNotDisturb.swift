// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import NotificationPayload

/// The owner's wish for quiet, and the apps that may disturb all the same.
///
/// Source: center.md §8, "Do Not Disturb".
package struct DoNotDisturb: Sendable, Equatable {
    package enum Schedule: Sendable, Equatable {
        case off
        /// On before that moment: Unix milliseconds.
        case until(milliseconds: Int64)
        /// On each day from the first minute to the minute before the last; past midnight if the last comes before the
        /// first.
        case daily(from: MinuteOfDay, to: MinuteOfDay)
    }

    package var schedule: Schedule
    /// Topics of apps that are not quietened.
    package var exceptions: Set<String>

    package init(_ schedule: Schedule = .off, exceptions: Set<String> = []) {
        self.schedule = schedule
        self.exceptions = exceptions
    }

    /// Tells whether it is on, at a moment in Unix milliseconds that is this minute in the owner's zone.
    package func isOn(at milliseconds: Int64, minute: MinuteOfDay) -> Bool {
        switch schedule {
        case .off: false
        case .until(let end): milliseconds < end
        case .daily(let from, let to):
            from < to ? from <= minute && minute < to : minute >= from || minute < to
        }
    }

    /// Tells whether it quietens an app: it is on, and makes no exception.
    package func quietens(_ topic: String, at milliseconds: Int64, minute: MinuteOfDay) -> Bool {
        isOn(at: milliseconds, minute: minute) && !exceptions.contains(topic)
    }

    /// The minutes until it changes by itself, rounded up; `nil` means never.
    ///
    /// A change of the clock or of the zone makes this another number.
    package func minutesToChange(at milliseconds: Int64, minute: MinuteOfDay) -> Int? {
        switch schedule {
        case .off: nil
        case .until(let end): end > milliseconds ? Self.minutes(from: milliseconds, to: end) : nil
        case .daily(let from, let to): min(minute.minutes(to: from), minute.minutes(to: to))
        }
    }

    /// No sum of the two numbers leaves its range: an owner may name any moment.
    private static func minutes(from now: Int64, to end: Int64) -> Int {
        let (distance, isTooFar) = end.subtractingReportingOverflow(now)
        return isTooFar ? .max : Int(distance / 60_000) + (distance % 60_000 == 0 ? 0 : 1)
    }
}

// MARK: JSON

extension DoNotDisturb {
    private enum Mode: String, CaseIterable { case off, until, daily }

    package var json: JSONObject {
        var object: JSONObject =
            switch schedule {
            case .off: ["mode": .string(Mode.off.rawValue)]
            case .until(let end):
                ["mode": .string(Mode.until.rawValue), "until": .string(Moment(milliseconds: end).text)]
            case .daily(let from, let to):
                ["mode": .string(Mode.daily.rawValue), "from": .string(from.text), "to": .string(to.text)]
            }
        if !exceptions.isEmpty { object["exceptions"] = exceptions.json }
        return object
    }

    /// Reads what `json` writes; unknown members are ignored.
    package init(_ object: JSONObject) throws(PreferenceFault) {
        guard let mode: Mode = try PreferenceReader(object).word("mode") else { throw .missing("mode") }
        switch mode {
        case .off: schedule = .off
        case .until:
            guard let value = object["until"] else { throw .missing("until") }
            guard let text = value.string else { throw .wrongKind("until") }
            guard let end = Moment(text) else { throw .malformed("until") }
            schedule = .until(milliseconds: end.milliseconds)
        case .daily:
            let (from, to) = (try PreferenceReader(object).minute("from"), try PreferenceReader(object).minute("to"))
            guard from != to else { throw .emptyRange }
            schedule = .daily(from: from, to: to)
        }
        exceptions = try PreferenceReader(object).topics("exceptions")
    }
}
