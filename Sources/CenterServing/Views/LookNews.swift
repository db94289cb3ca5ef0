// SPDX-License-Identifier: Apache-2.0

import CenterStore
import UserNotificationCenter

/// The news that the host has given apps other icons, permissions or extensions, for who watches now.
///
/// Whoever comes later reads it in the list of apps. A watcher keeps the former look until it loads the front if the
/// disk does not answer.
struct LookNews {
    let center: Center

    func tell(of topics: Set<String>) {
        guard !topics.isEmpty else { return }
        // What was written down of their notifications is as they looked before.
        center.eventPieces.forget()
        for owner in center.announcements.owners {
            let own = installations(of: owner, topics).map(\.key.app)
            if !own.isEmpty { center.announcements.tell(owner, looksOf: Set(own)) }
        }
    }

    /// The events that tell of apps as they are now, in texts of so many at most.
    func texts(of topics: Set<String>, for owner: OwnerName, limit: Int) -> [String] {
        guard !topics.isEmpty else { return [] }
        let events = installations(of: owner, topics).map { EventView.text("app", AppView($0, in: center).json) }
        return stride(from: 0, to: events.count, by: limit).map { start in
            events[start..<min(start + limit, events.count)].joined()
        }
    }

    private func installations(of owner: OwnerName, _ topics: Set<String>) -> [Installation] {
        ((try? center.store.installations(of: owner)) ?? []).filter { topics.contains($0.key.app) }
    }
}
