// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Locking
import NotificationPayload

/// Events without a number: told to whoever watches now, and never again.
final class Announcements: Sendable {
    /// The announcements that one watcher has not been told yet: events in their order, and marks of what has changed.
    ///
    /// A mark stands for however many changes: the watcher is told the last state, when it reads.
    struct News: Sendable, Equatable {
        /// Events that lie for a watcher that reads slowly; the oldest go.
        private static let limit = 64

        private(set) var events: [String] = []
        /// The topics of apps that have other icons or other switches by now.
        private(set) var looks: Set<String> = []
        /// True if the owner's surfaces are others, or say something else of themselves.
        private(set) var hasSurfaces = false
        /// True if something of the history was deleted for good.
        private(set) var hasForgotten = false

        fileprivate init(
            events: [String] = [],
            looks: Set<String> = [],
            hasSurfaces: Bool = false,
            hasForgotten: Bool = false
        ) {
            (self.events, self.looks, self.hasSurfaces) = (events, looks, hasSurfaces)
            self.hasForgotten = hasForgotten
        }

        /// No news.
        init() {}

        /// Takes later news.
        mutating func add(_ later: News) {
            events += later.events
            events.removeFirst(max(0, events.count - Self.limit))
            looks.formUnion(later.looks)
            hasSurfaces = hasSurfaces || later.hasSurfaces
            hasForgotten = hasForgotten || later.hasForgotten
        }
    }

    /// The way of announcements to one watcher.
    final class Feed: Sendable {
        private let news = Locked(News())
        let hasNews = Signal()

        fileprivate func add(_ more: News) {
            news.withLock { $0.add(more) }
            hasNews.raise()
        }

        /// Notes that the owner's surfaces are others, or say something else of themselves.
        func markSurfaces() { add(News(hasSurfaces: true)) }

        func take() -> News {
            news.withLock { news in
                defer { news = News() }
                return news
            }
        }
    }

    /// The surfaces of the owners as whom somebody watches.
    let surfaces = Surfaces()
    private let feeds = Locked<[ObjectIdentifier: (owner: OwnerName, feed: Feed)]>([:])

    /// Runs the body with a feed of what is told to an owner meanwhile.
    func withFeed<Value>(of owner: OwnerName, _ body: (Feed) async throws -> Value) async rethrows -> Value {
        let feed = Feed()
        feeds.withLock { $0[ObjectIdentifier(feed)] = (owner, feed) }
        defer { feeds.withLock { $0[ObjectIdentifier(feed)] = nil } }
        return try await body(feed)
    }

    func tell(_ owner: OwnerName, _ name: String, _ data: JSONObject) {
        tell(owner, News(events: [EventView.text(name, data)]))
    }

    /// Tells an owner of apps, which the owner has, that their icons or switches are others.
    func tell(_ owner: OwnerName, looksOf topics: Set<String>) { tell(owner, News(looks: topics)) }

    /// Tells an owner that something of the history was deleted for good.
    func tellForgotten(_ owner: OwnerName) { tell(owner, News(hasForgotten: true)) }

    private func tell(_ owner: OwnerName, _ news: News) {
        for entry in feeds.withLock({ Array($0.values) }) where entry.owner == owner { entry.feed.add(news) }
    }

    /// The number of those who watch.
    var watcherCount: Int { feeds.withLock(\.count) }

    /// The owners as whom somebody watches.
    var owners: Set<OwnerName> { feeds.withLock { Set($0.values.map(\.owner)) } }

    /// True if somebody watches as the owner.
    func hasWatcher(of owner: OwnerName) -> Bool { feeds.withLock { $0.values.contains { $0.owner == owner } } }
}
