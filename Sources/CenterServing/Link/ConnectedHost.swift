// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Locking
import NotificationPayload
import PacketSockets

/// The link to a host, as apps need it.
protocol HostAsker: AnyObject, Sendable {
    /// Returns the host's answer; `nil` means that none came in time, or that the host is gone.
    func ask(_ ask: LinkAsk) async -> CallAnswer?

    /// Has the host open a view, which hears of its scene and its end from then on; false if no more can be open.
    ///
    /// `files` are those of the notification, in its order.
    func open(_ wish: LinkView, _ files: [PassedFile], as view: ContentView) async -> Bool

    /// Hands an event to a view, which `event` makes when its turn has come; false if there is none, or no host.
    ///
    /// `files` are those of a notification that the event has, in its order.
    func tell(
        _ id: UInt64,
        _ files: [PassedFile],
        _ event: @escaping @Sendable () -> JSONObject?
    ) async -> Bool
}

/// The host that is connected last, which alone can fulfil some wishes of apps.
final class ConnectedHost: Sendable {
    private let asker = Locked<(any HostAsker)?>(nil)

    func enter(_ asker: any HostAsker) { self.asker.withLock { $0 = asker } }

    /// The link has ended; another that took its place stays.
    func leave(_ asker: any HostAsker) {
        self.asker.withLock { present in
            if present === asker { present = nil }
        }
    }

    var isAbsent: Bool { asker.withLock { $0 == nil } }

    /// Has the host fulfil a wish; without a host, or an answer of it, the wish fails.
    func ask(_ ask: LinkAsk) async -> CallAnswer {
        await asker.withLock(\.self)?.ask(ask) ?? .failed(.noHost)
    }

    /// Has the host open a view; throws without a host, or when as many are open as may be.
    func open(_ wish: LinkView, _ files: [PassedFile], as view: ContentView) async throws(APIError) {
        guard let host = asker.withLock(\.self) else { throw .noHost }
        guard await !host.open(wish, files, as: view) else { return }
        // One that has just gone, or has another in its place.
        throw asker.withLock(\.self) === host ? .tooManyViews : .noHost
    }
}
