// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Locking
import NotificationPayload

/// Events without a number: told to whoever watches now, and never again.
final class Announcements: Sendable {
    /// The events that one watcher has not been told yet.
    final class Feed: Sendable {
        /// Events that lie for a watcher that reads slowly; the oldest go.
        private static let limit = 64

        private let events = Locked<[String]>([])
        let hasNews = Signal()

        fileprivate func add(_ event: String) {
            events.withLock { events in
                if events.count == Self.limit { events.removeFirst() }
                events.append(event)
            }
            hasNews.raise()
        }

        func take() -> [String] {
            events.withLock { events in
                defer { events = [] }
                return events
            }
        }
    }

    private let feeds = Locked<[ObjectIdentifier: (owner: OwnerName, feed: Feed)]>([:])

    /// Runs the body with a feed of what is told to an owner meanwhile.
    func withFeed<Value>(of owner: OwnerName, _ body: (Feed) async throws -> Value) async rethrows -> Value {
        let feed = Feed()
        feeds.withLock { $0[ObjectIdentifier(feed)] = (owner, feed) }
        defer { feeds.withLock { $0[ObjectIdentifier(feed)] = nil } }
        return try await body(feed)
    }

    func tell(_ owner: OwnerName, _ name: String, _ data: JSONObject) {
        // JSON has no line ends of its own, so the data is one line.
        let event = "event: \(name)\ndata: \(String(decoding: data.serialized, as: UTF8.self))\n\n"
        for entry in feeds.withLock({ Array($0.values) }) where entry.owner == owner { entry.feed.add(event) }
    }

    /// The number of those who watch.
    var watcherCount: Int { feeds.withLock(\.count) }

    /// The owners as whom somebody watches.
    var owners: Set<OwnerName> { feeds.withLock { Set($0.values.map(\.owner)) } }

    /// True if somebody watches as the owner.
    func hasWatcher(of owner: OwnerName) -> Bool { feeds.withLock { $0.values.contains { $0.owner == owner } } }
}
