// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Locking
import UserNotificationCenter

/// A connection of an app that can be asked how a notification is shown.
protocol ForegroundAsker: Sendable {
    /// Has a question sent behind those before it, and returns at once; `nil` means that it cannot be asked.
    func ask(_ notification: ToldNotification) -> Question<PresentationOptions>?
}

/// The apps that a person looks at, by their connections, and the notifications that wait for what they say.
final class ForegroundApps: Sendable {
    /// A connection in front, by the order in which they came.
    struct ID: Hashable {
        fileprivate let number: Int
    }

    private struct Entry {
        let key: InstallationKey
        /// `nil` means that the app has no delegate.
        let asker: (any ForegroundAsker)?
    }

    private struct State {
        var entries: [ID: Entry] = [:]
        var waiting: [InstallationKey: Int] = [:]
        var last = 0

        func standing(of key: InstallationKey) -> ForegroundAnswer? {
            let connections = entries.values.filter { $0.key == key }
            return .known(isInFront: !connections.isEmpty, listens: connections.contains { $0.asker != nil })
        }

        mutating func count(_ key: InstallationKey, _ change: Int) {
            let count = (waiting[key] ?? 0) + change
            waiting[key] = count == 0 ? nil : count
        }
    }

    private let state = Locked(State())
    /// A notification waits that nobody has asked about.
    let hasNews = Signal()

    /// A person looks at an app; without an asker nothing of the app is shown meanwhile.
    func enter(_ key: InstallationKey, _ asker: (any ForegroundAsker)?) -> ID {
        state.withLock { state in
            state.last += 1
            let id = ID(number: state.last)
            state.entries[id] = Entry(key: key, asker: asker)
            return id
        }
    }

    /// A connection is gone, or its app no longer in front.
    func leave(_ id: ID) { state.withLock { $0.entries[id] = nil } }

    /// Returns what holds for a notification of an app that comes now; `nil` means that it waits: the app is to be
    /// asked, or older ones of it wait, which come first.
    func answer(of key: InstallationKey) -> ForegroundAnswer? {
        state.withLock { $0.waiting[key] != nil ? nil : $0.standing(of: key) }
    }

    /// Returns what holds for a notification of an app whose turn it is; `nil` means that the app is to be asked.
    func standing(of key: InstallationKey) -> ForegroundAnswer? { state.withLock { $0.standing(of: key) } }

    /// The connection that came to the front last and has a delegate.
    func asker(of key: InstallationKey) -> (any ForegroundAsker)? {
        state.withLock { state in
            state.entries.filter { $0.value.key == key && $0.value.asker != nil }
                .max { $0.key.number < $1.key.number }?.value.asker
        }
    }

    // MARK: What waits

    /// Notifications of these apps wait from now on, or did when the centre started.
    func wait(_ keys: [InstallationKey]) {
        guard !keys.isEmpty else { return }
        state.withLock { state in
            for key in keys { state.count(key, 1) }
        }
    }

    /// Takes so many off: they were shown, or were not stored.
    func settle(_ key: InstallationKey, count: Int) { state.withLock { $0.count(key, -count) } }
}
