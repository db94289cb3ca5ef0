// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Locking

/// A connection of an app, whatever carries it, as somebody who is told what no store keeps.
protocol AppNewsReceiver: Sendable {
    /// True if the app has a delegate, which shows its settings.
    var showsSettings: Bool { get }
    /// Has a message sent behind those before it, and returns at once; false: the app has gone, or reads too slowly.
    func tell(_ message: AppNews.Message) -> Bool
}

/// The connections of apps that are told of a device token, and of a person who wants to see an app's own settings.
///
/// A connection hears of a token that is another than the one it heard last. One person's wish is told to one
/// connection, the last that came; an app that is about to come is told within a minute.
final class AppNews: Sendable {
    enum Message: Sendable, Equatable {
        /// The app's device token; `nil` means that it was withdrawn.
        case token(String?)
        /// The notification that leads to the settings; `nil` means that none does.
        case openSettings(ToldNotification?)
    }

    /// A connection, by the order in which they came.
    struct ID: Hashable {
        fileprivate let number: Int
    }

    private struct Entry {
        let key: InstallationKey
        let receiver: any AppNewsReceiver
        /// The token that it heard last; `nil` means that it heard of none.
        var token: String??
    }

    private struct Wish {
        let notification: ToldNotification?
        /// By the machine's clock, in milliseconds.
        let end: Int64
    }

    private struct State {
        var entries: [ID: Entry] = [:]
        /// The last wish for each app that is about to come.
        var wishes: [InstallationKey: Wish] = [:]
        var last = 0

        func ids(of key: InstallationKey) -> [ID] {
            entries.filter { $0.value.key == key }.keys.sorted { $0.number < $1.number }
        }
    }

    /// Milliseconds within which an app that was started is told why.
    private static let wishLimit: Int64 = 60_000
    /// Apps that are about to come; beyond them a wish is not kept.
    private static let wishCountLimit = 64

    private let state = Locked(State())

    func enter(_ key: InstallationKey, _ receiver: any AppNewsReceiver) -> ID {
        state.withLock { state in
            state.last += 1
            let id = ID(number: state.last)
            state.entries[id] = Entry(key: key, receiver: receiver)
            return id
        }
    }

    /// The number of connections.
    var count: Int { state.withLock(\.entries.count) }

    func leave(_ id: ID) { state.withLock { $0.entries[id] = nil } }

    /// Tells the connections of an app which token it has now; `nil` means that it has none any more.
    func tell(token: String?, of key: InstallationKey) {
        // Under the lock, so that all hear of changes in one order.
        state.withLock { state in
            for id in state.ids(of: key) {
                guard let entry = state.entries[id], entry.token != .some(token) else { continue }
                if entry.receiver.tell(.token(token)) { state.entries[id]?.token = .some(token) }
            }
        }
    }

    /// Has an app show its settings; false: it has no connection that can.
    func openSettings(_ notification: ToldNotification?, of key: InstallationKey) -> Bool {
        state.withLock { state in
            let receivers = state.ids(of: key).reversed().compactMap { state.entries[$0]?.receiver }
            return receivers.contains { $0.showsSettings && $0.tell(.openSettings(notification)) }
        }
    }

    /// Keeps the wish for an app that was started; a later wish takes its place.
    func keepWish(_ notification: ToldNotification?, for key: InstallationKey, at now: Int64) {
        state.withLock { state in
            state.wishes = state.wishes.filter { $0.value.end > now }
            guard state.wishes[key] != nil || state.wishes.count < Self.wishCountLimit else { return }
            state.wishes[key] = Wish(notification: notification, end: now + Self.wishLimit)
        }
    }

    /// A connection of the app can show its settings: it is told of the wish for which it was started.
    func fulfilWish(of key: InstallationKey, _ receiver: some AppNewsReceiver, at now: Int64) {
        state.withLock { state in
            guard let wish = state.wishes.removeValue(forKey: key), wish.end > now else { return }
            _ = receiver.tell(.openSettings(wish.notification))
        }
    }
}
