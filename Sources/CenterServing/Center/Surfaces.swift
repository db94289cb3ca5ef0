// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Locking
import NotificationPayload
import UserNotificationCenter

/// The surfaces of owners: streams of events whose readers may interrupt a person, with what each last said of itself.
///
/// A surface is there as long as its stream. Nothing waits in here: a watcher has one mark that something has changed,
/// and reads the list as it then is.
final class Surfaces: Sendable {
    /// Surfaces of an owner; a stream beyond them is none.
    static let limit = 32
    /// A surface may say so often how it is, within a second of the machine's clock.
    private static let changesPerSecond = 2

    private struct Entry {
        let id: String
        let feed: Announcements.Feed
        var presenter: Presenter
        /// The moments of the last changes, in milliseconds since the machine was booted.
        var changes: [Int64] = []
    }

    /// The effect of what a surface says of itself.
    enum Change {
        case done
        /// The owner has no surface of the name.
        case unknown
        case tooSoon
    }

    private let entries = Locked<[OwnerName: [Entry]]>([:])

    /// Enters the surface of a stream, which hears of the others by the feed, and returns its name.
    ///
    /// Nobody can guess a name: who knows one has read the stream. `nil` means that the owner has as many surfaces as
    /// it may.
    func join(_ presenter: Presenter, of owner: OwnerName, _ feed: Announcements.Feed) -> String? {
        let id = Hexadecimal.encode((0..<8).map { _ in UInt8.random(in: 0...UInt8.max) })
        let isIn = entries.withLock { entries in
            guard entries[owner, default: []].count < Self.limit else { return false }
            entries[owner, default: []].append(Entry(id: id, feed: feed, presenter: presenter))
            return true
        }
        guard isIn else { return nil }
        tell(owner, besides: id)
        return id
    }

    func leave(_ id: String, of owner: OwnerName) {
        entries.withLock { entries in
            entries[owner]?.removeAll { $0.id == id }
            if entries[owner]?.isEmpty == true { entries[owner] = nil }
        }
        tell(owner)
    }

    /// Takes what a surface says of itself; `now` is a time of the machine's clock in milliseconds.
    func change(_ id: String, of owner: OwnerName, to state: Presenter.State, at now: Int64) -> Change {
        let (change, isNew) = entries.withLock { entries -> (Change, isNew: Bool) in
            guard let place = entries[owner]?.firstIndex(where: { $0.id == id }), var entry = entries[owner]?[place]
            else { return (.unknown, false) }
            entry.changes.removeAll { now - $0 >= 1000 }
            guard entry.changes.count < Self.changesPerSecond else { return (.tooSoon, false) }
            entry.changes.append(now)
            let isNew = entry.presenter.state != state
            entry.presenter.state = state
            entries[owner]?[place] = entry
            return (.done, isNew)
        }
        if isNew { tell(owner) }
        return change
    }

    /// The owner's surfaces in the order in which they joined, and the place of one among them; `nil` means that it is
    /// gone.
    func list(of owner: OwnerName, as id: String) -> (surfaces: [Presenter], own: Int)? {
        entries.withLock { entries in
            guard let all = entries[owner], let own = all.firstIndex(where: { $0.id == id }) else { return nil }
            return (all.map(\.presenter), own)
        }
    }

    /// A surface and what it has said of itself last; `nil` means that it is gone.
    func presenter(_ id: String, of owner: OwnerName) -> Presenter? {
        entries.withLock { entries in entries[owner]?.first { $0.id == id }?.presenter }
    }

    private func tell(_ owner: OwnerName, besides id: String? = nil) {
        let others = entries.withLock { entries in entries[owner, default: []].filter { $0.id != id }.map(\.feed) }
        for feed in others { feed.markSurfaces() }
    }
}
