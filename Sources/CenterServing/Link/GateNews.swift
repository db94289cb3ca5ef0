// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Locking

/// The apps of which a host has to hear again whether their extensions run, by the links to hosts.
///
/// A link gets the apps and not what was decided: it reads that when it speaks, so that two decisions in a row are told
/// in the right order, or as one.
final class GateNews: Sendable {
    /// The apps of which one link has not told yet.
    final class Feed: Sendable {
        private let keys = Locked<Set<InstallationKey>>([])
        /// There may be something to tell.
        let hasNews = Signal()

        func add(_ new: Set<InstallationKey>) {
            keys.withLock { $0.formUnion(new) }
            hasNews.raise()
        }

        func take() -> Set<InstallationKey> {
            keys.withLock { keys in
                defer { keys = [] }
                return keys
            }
        }
    }

    private let feeds = Locked<[ObjectIdentifier: Feed]>([:])

    /// Runs the body with a feed of what is decided meanwhile.
    func withFeed(_ body: (Feed) async -> Void) async {
        let feed = Feed()
        feeds.withLock { $0[ObjectIdentifier(feed)] = feed }
        defer { feeds.withLock { $0[ObjectIdentifier(feed)] = nil } }
        await body(feed)
    }

    /// Something else was decided about an app.
    func add(_ key: InstallationKey) {
        for feed in feeds.withLock({ Array($0.values) }) { feed.add([key]) }
    }
}
