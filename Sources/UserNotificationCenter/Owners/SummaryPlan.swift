// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import NotificationPayload

/// The hours at which an owner reads what is not urgent, and the apps whose notifications are held until then.
///
/// Source: center.md §8, "Summary".
package struct SummaryPlan: Sendable, Equatable {
    package static let timeLimit = 12

    /// Ascending minutes of the day in the owner's zone, at most 12.
    package let times: [MinuteOfDay]
    /// Topics of the apps that are held.
    package let apps: Set<String>

    /// No summary.
    package init() {
        times = []
        apps = []
    }

    package init(times: some Sequence<MinuteOfDay>, apps: Set<String>) throws(PreferenceFault) {
        let ascending = times.sorted()
        guard ascending.count <= Self.timeLimit else { throw .tooMany("times", count: ascending.count) }
        guard Set(ascending).count == ascending.count else { throw .repeated("times") }
        guard apps.count <= CenterApp.limit else { throw .tooMany("apps", count: apps.count) }
        self.times = ascending
        self.apps = apps
    }

    /// Tells whether an app's notifications are held: without an hour nothing would ever release them.
    package func holds(_ topic: String) -> Bool { !times.isEmpty && apps.contains(topic) }

    /// The minutes from one minute of the day to the next summary, 1 to 1,440; `nil` means that there is none.
    package func minutesToNext(after minute: MinuteOfDay) -> Int? {
        times.map { minute.minutes(to: $0) }.min()
    }

    /// Tells whether an hour lies behind one minute of the day and not behind another, at most a day later.
    ///
    /// Two equal minutes have nothing between them. A caller that slept for longer than a day knows without asking.
    package func isDue(after last: MinuteOfDay, through now: MinuteOfDay) -> Bool {
        guard last != now, let distance = minutesToNext(after: last) else { return false }
        return distance <= last.minutes(to: now)
    }
}

/// The notifications of one summary in the order in which they are read.
package struct SummaryIssue: Sendable, Equatable {
    /// The notifications that are shown larger than the others.
    package static let featuredLimit = 2

    /// A notification that is held.
    package struct Entry: Sendable, Equatable {
        package let number: Int64
        /// 0 to 1.
        package let relevanceScore: Double

        package init(number: Int64, relevanceScore: Double) {
            self.number = number
            self.relevanceScore = relevanceScore
        }
    }

    /// By score, the greatest first, and then the newest first.
    package let numbers: [Int64]

    /// `nil` means that nothing is held: an empty summary is not sent.
    package init?(_ held: some Sequence<Entry>) {
        let ordered = held.sorted { left, right in
            left.relevanceScore != right.relevanceScore
                ? left.relevanceScore > right.relevanceScore : left.number > right.number
        }
        guard !ordered.isEmpty else { return nil }
        numbers = ordered.map(\.number)
    }

    package var featured: ArraySlice<Int64> { numbers.prefix(Self.featuredLimit) }
}

// MARK: JSON

extension SummaryPlan {
    package var json: JSONObject {
        ["times": .array(times.map { .string($0.text) }), "apps": apps.json]
    }

    /// Reads what `json` writes; unknown members are ignored.
    package init(_ object: JSONObject) throws(PreferenceFault) {
        guard let value = object["times"] else { throw .missing("times") }
        guard let list = value.array else { throw .wrongKind("times") }
        guard list.count <= Self.timeLimit else { throw .tooMany("times", count: list.count) }
        var times: [MinuteOfDay] = []
        for value in list {
            guard let text = value.string else { throw .wrongKind("times") }
            guard let minute = MinuteOfDay(text) else { throw .malformed("times") }
            times.append(minute)
        }
        try self.init(times: times, apps: try PreferenceReader(object).topics("apps"))
    }
}
