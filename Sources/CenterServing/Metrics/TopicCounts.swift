// SPDX-License-Identifier: Apache-2.0

import Metrics
import Synchronization

/// The counters of one app, each of which is made when it first counts something.
///
/// Counting takes no lock and no memory after that, because each record passes here.
final class TopicCounts: Sendable {
    /// The origin of a notification.
    enum Source: Int, CaseIterable {
        case record, trigger, call
        /// The notification had waited for what its app says.
        case inFront
    }

    /// The place of a notification after its coming.
    enum Result: Int, CaseIterable {
        /// Listed, with a banner.
        case presented
        case listed
        case held
        /// The notification waits for what its app says, and is counted again then.
        case asked
        /// Kept for the app alone.
        case silent
        /// Kept out of every list, as the app, its settings or its level say.
        case notShown
        /// The record is known.
        case repeated
        /// The request or the wait is gone.
        case withdrawn
        case refused
    }

    private static let slotCount = 36

    private let topic: LabelValue
    private let notifications: MetricFamily<Counter>
    private let triggersDropped: MetricFamily<Counter>
    private let slots: InlineArray<36, AtomicLazyReference<Counter>>

    init(
        _ topic: LabelValue,
        _ notifications: MetricFamily<Counter>,
        _ triggersDropped: MetricFamily<Counter>
    ) {
        precondition(Source.allCases.count * Result.allCases.count == Self.slotCount, "a slot for each pair")
        self.topic = topic
        self.notifications = notifications
        self.triggersDropped = triggersDropped
        slots = InlineArray { _ in AtomicLazyReference() }
    }

    func count(_ source: Source, _ result: Result) {
        let place = source.rawValue * Result.allCases.count + result.rawValue
        if let counter = slots[place].load() { return counter.increment() }
        let counter = notifications.with(topic, LabelValue(known: "\(source)"), LabelValue(known: "\(result)"))
        slots[place].storeIfNil(counter).increment()
    }

    /// Counts requests that went over the limit of the app.
    func dropTriggers(_ count: Int) { triggersDropped.with(topic).increment(by: count) }
}
