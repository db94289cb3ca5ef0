// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Locking
import NotificationPayload

/// Events without a number, told to whoever watches now and never again, and the signals of all who watch.
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

    /// The way of announcements to one watcher, and its signal that there may be something to read.
    final class Feed: Sendable {
        private struct State {
            var news = News()
            /// The beats since something was written to the watcher.
            var silentBeats = 0
        }

        private let state = Locked(State())
        /// The signal that there is news, a later number of the owner, or silence.
        let isDue = Signal()

        fileprivate func add(_ more: News) {
            state.withLock { $0.news.add(more) }
            isDue.raise()
        }

        /// Notes that the owner's surfaces are others, or say something else of themselves.
        func markSurfaces() { add(News(hasSurfaces: true)) }

        func take() -> News {
            state.withLock { state in
                defer { state.news = News() }
                return state.news
            }
        }

        /// True if there is news that nobody took.
        var hasNews: Bool { state.withLock { $0.news != News() } }

        /// Notes that something was written to the watcher.
        func endSilence() { state.withLock { $0.silentBeats = 0 } }

        /// True if nothing was written to the watcher for five beats.
        var isSilent: Bool { state.withLock { $0.silentBeats >= Announcements.silentBeats } }

        fileprivate func beat() {
            state.withLock { $0.silentBeats += 1 }
            if isSilent { isDue.raise() }
        }
    }

    /// The time between two looks at who has heard nothing.
    private static let beat = Duration.seconds(5)
    /// The looks after which silence is broken, so that the connection stays open on its way.
    private static let silentBeats = 5

    /// The surfaces of the owners as whom somebody watches.
    let surfaces = Surfaces()
    private let feeds = Locked<[OwnerName: [ObjectIdentifier: Feed]]>([:])

    /// Runs the body with a feed of what is told to an owner meanwhile.
    func withFeed<Value>(of owner: OwnerName, _ body: (Feed) async throws -> Value) async rethrows -> Value {
        let feed = Feed()
        feeds.withLock { $0[owner, default: [:]][ObjectIdentifier(feed)] = feed }
        defer {
            feeds.withLock { feeds in
                feeds[owner]?[ObjectIdentifier(feed)] = nil
                if feeds[owner]?.isEmpty == true { feeds[owner] = nil }
            }
        }
        return try await body(feed)
    }

    /// Has those who hear nothing be written a comment, until the task is cancelled.
    ///
    /// One clock for all of them: a timer for each wait of each watcher stays in the timers' heap when the wait is
    /// over.
    func breakSilence(_ clock: some Clock<Duration>) async {
        while (try? await clock.sleep(for: Self.beat)) != nil {
            for feed in feeds.withLock({ $0.values.flatMap(\.values) }) { feed.beat() }
        }
    }

    func tell(_ owner: OwnerName, _ name: String, _ data: JSONObject) {
        tell(owner, News(events: [EventView.text(name, data)]))
    }

    /// Tells an owner of apps, which the owner has, that their icons or switches are others.
    func tell(_ owner: OwnerName, looksOf topics: Set<String>) { tell(owner, News(looks: topics)) }

    /// Tells an owner that something of the history was deleted for good.
    func tellForgotten(_ owner: OwnerName) { tell(owner, News(hasForgotten: true)) }

    /// Has those who watch as the owner look for a later number.
    func wake(_ owner: OwnerName) { for feed in feeds(of: owner) { feed.isDue.raise() } }

    private func tell(_ owner: OwnerName, _ news: News) { for feed in feeds(of: owner) { feed.add(news) } }

    private func feeds(of owner: OwnerName) -> [Feed] { feeds.withLock { $0[owner].map { Array($0.values) } ?? [] } }

    /// The number of those who watch.
    var watcherCount: Int { feeds.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// The owners as whom somebody watches.
    var owners: Set<OwnerName> { feeds.withLock { Set($0.keys) } }

    /// True if somebody watches as the owner.
    func hasWatcher(of owner: OwnerName) -> Bool { feeds.withLock { $0[owner] != nil } }
}
