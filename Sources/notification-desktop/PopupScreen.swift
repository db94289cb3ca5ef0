// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import DesktopPresenter

/// A place where popups are shown for an agent: the daemon of a desktop, or the portal of a sandbox.
protocol PopupScreen: Sendable {
    /// The words for people.
    var name: String { get }
    /// True if nobody is waited for where nobody is.
    var endsWithout: Bool { get }

    /// Asks for a popup; `shown` or `refused` of the ticket comes when it was answered.
    func show(_ popup: Popup, _ bytes: PopupBytes, ticket: Int) throws(BusFailure)
    func close(_ id: UInt32) throws(BusFailure)
    /// Tells launchers the number on an icon.
    func tell(_ badge: LauncherBadges.Change) throws(BusFailure)
    /// Waits for news; throws when the bus has ended.
    func next() async throws -> [ScreenEvent]
}

/// The files of a popup, as they are handed over.
struct PopupBytes: Sendable, Equatable {
    var picture: [UInt8]?
    var sound: [UInt8]?

    var isEmpty: Bool { picture == nil && sound == nil }
}

/// The news of what shows popups, in the order in which the bus has them.
enum ScreenEvent: Sendable, Equatable {
    case came(DaemonFacts)
    case went
    /// Nobody has the name on the bus, and nobody is started for it.
    case absent
    case shown(ticket: Int, UInt32)
    case refused(ticket: Int)
    case closed(UInt32, reason: UInt32)
    case chosen(String, UInt32)
    case reply(String, UInt32)
    /// The token of a click that is told next.
    case activation(String, UInt32)
}
