// SPDX-License-Identifier: Apache-2.0

import Locking
import Metrics

/// The metrics of notifications between their coming and their going.
final class NotificationMetrics: Sendable {
    /// The one who had a notification removed from the list, or what did.
    enum Remover: String, CaseIterable {
        case user, app, response, replaced, uninstalled, retention
    }

    /// Apps with counters of their own, in the life of the process; all others are counted as `other`.
    static let topicLimit = 256
    /// Sets of labels, some dozen for each of those apps; sets beyond them share one.
    private static let setLimit = 4096

    let removed: CounterSet<Remover>
    /// The time from the date of a request to its notification.
    let triggerLateness: Histogram
    /// The counters of apps that nobody has named in host.yaml.
    let other: TopicCounts
    private let notifications: MetricFamily<Counter>
    private let triggersDropped: MetricFamily<Counter>
    private let known = Locked<[String: TopicCounts]>([:])

    init(_ catalogue: inout MetricCatalogue) {
        notifications = catalogue.counters(
            "nestbox_center_notifications_total",
            ["topic", "source", "result"],
            limit: Self.setLimit,
            "Notifications that came."
        )
        removed = catalogue.counters("nestbox_center_removed_total", "by", "Notifications that left the list.")
        triggerLateness = catalogue.histogram(
            "nestbox_center_trigger_lateness_seconds",
            .seconds,
            unit: .seconds,
            "From the date of a request to its notification."
        )
        triggersDropped = catalogue.counters(
            "nestbox_center_trigger_dropped_total",
            ["topic"],
            limit: Self.topicLimit + 1,
            "Requests over the limit of their app."
        )
        other = TopicCounts("other", notifications, triggersDropped)
    }

    /// Returns the counters of apps that the configuration names, by their topics.
    ///
    /// An app that is named again has the counters that it had.
    func counts(of topics: [String]) -> [String: TopicCounts] {
        known.withLock { known in
            var named: [String: TopicCounts] = [:]
            for topic in topics {
                if known[topic] == nil {
                    guard known.count < Self.topicLimit else { continue }
                    known[topic] = TopicCounts(LabelValue(configured: topic), notifications, triggersDropped)
                }
                named[topic] = known[topic]
            }
            return named
        }
    }
}
