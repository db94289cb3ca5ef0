// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import DesktopPresenter
import Locking

/// The notification portal of the session bus, by which a program in a sandbox shows popups.
///
/// The portal never tells that a popup was put away, so that nothing is dismissed there. Source:
/// org.freedesktop.portal.Notification; presenters.md §8, rule 15.
final class PortalClient: PopupScreen {
    /// A call that has no answer yet.
    private enum Call: Sendable {
        case owner
        case start
        case version(String)
        case options(String)
        /// `again` is the popup if it is to be asked for without its files when the portal refuses them.
        case show(ticket: Int, UInt32, again: Popup?)
        case other
    }

    private struct State: Sendable {
        var inquiry = DaemonInquiry()
        /// The unique name of the portal that has stated its facts.
        var portal: String?
        var version: UInt32 = 1
        var lastID: UInt32 = 0
        var calls: [UInt64: Call] = [:]
    }

    /// Calls whose answers are waited for; of more the oldest are given up.
    private static let callLimit = 256
    private static let busName = "org.freedesktop.portal.Desktop"
    private static let interface = "org.freedesktop.portal.Notification"
    private static let path = "/org/freedesktop/portal/desktop"
    private static let bus = "org.freedesktop.DBus"

    let name = "notification portal"
    let endsWithout = true

    private let connection: BusConnection
    private let mayStart: Bool
    private let state = Locked(State())

    /// Connects, and asks who the portal is; one that the bus knows how to start is started if it may be.
    init(mayStart: Bool = true) throws(BusFailure) {
        self.mayStart = mayStart
        connection = try BusConnection()
        let owners = "type='signal',sender='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.busName)'"
        let clicks = "type='signal',sender='\(Self.busName)',interface='\(Self.interface)',member='ActionInvoked'"
        for rule in [owners, clicks] {
            try callBus("AddMatch", .other) { message throws(BusFailure) in try message.append(rule) }
        }
        try callBus("GetNameOwner", .owner) { message throws(BusFailure) in try message.append(Self.busName) }
    }

    // MARK: Calls

    func show(_ popup: Popup, _ bytes: PopupBytes, ticket: Int) throws(BusFailure) {
        let (id, version) = state.withLock { state in
            if popup.replaces == 0 { state.lastID &+= 1 }
            return (popup.replaces == 0 ? state.lastID : popup.replaces, state.version)
        }
        let notification = PortalNotification(popup, bytes, version: version)
        try callPortal("AddNotification", .show(ticket: ticket, id, again: bytes.isEmpty ? nil : popup)) {
            message throws(BusFailure) in
            try message.append(Self.text(of: id))
            try message.append(notification.values)
        }
        withExtendedLifetime(notification) {}
    }

    func close(_ id: UInt32) throws(BusFailure) {
        try callPortal("RemoveNotification", .other) { message throws(BusFailure) in
            try message.append(Self.text(of: id))
        }
    }

    /// A sandbox has one icon, which is that of all apps.
    func tell(_ badge: LauncherBadges.Change) throws(BusFailure) {}

    private static func text(of id: UInt32) -> String { "popup-\(id)" }

    private static func id(of text: String) -> UInt32? {
        text.hasPrefix("popup-") ? UInt32(text.dropFirst("popup-".count)) : nil
    }

    private func callBus(
        _ member: String,
        _ call: Call,
        _ write: (borrowing BusMessage) throws(BusFailure) -> Void
    ) throws(BusFailure) {
        try self.call(member, of: Self.bus, at: "/org/freedesktop/DBus", on: Self.bus, call, write)
    }

    private func callPortal(
        _ member: String,
        _ call: Call,
        _ write: (borrowing BusMessage) throws(BusFailure) -> Void
    ) throws(BusFailure) {
        guard let portal = state.withLock(\.portal) else { throw BusFailure.notThere }
        try self.call(member, of: Self.interface, at: Self.path, on: portal, call, write)
    }

    private func call(
        _ member: String,
        of interface: String,
        at path: String,
        on destination: String,
        _ call: Call,
        _ write: (borrowing BusMessage) throws(BusFailure) -> Void
    ) throws(BusFailure) {
        // The state is locked until the number is known, since the answer may be read before.
        try state.withLock { state throws(BusFailure) in
            let cookie = try connection.call(member, of: interface, at: path, on: destination, write)
            state.calls[cookie] = call
            if state.calls.count > Self.callLimit, let oldest = state.calls.keys.min() { state.calls[oldest] = nil }
        }
    }

    // MARK: News

    func next() async throws -> [ScreenEvent] {
        while true {
            let events = try take(try await connection.next { message in PortalWord(message) })
            if !events.isEmpty { return events }
        }
    }

    private func take(_ word: PortalWord) throws(BusFailure) -> [ScreenEvent] {
        switch word {
        case .answer(let cookie, let value):
            return try take(value, isRefused: false, of: state.withLock { $0.calls.removeValue(forKey: cookie) })
        case .refusal(let cookie):
            return try take(nil, isRefused: true, of: state.withLock { $0.calls.removeValue(forKey: cookie) })
        case .owner(let name, let owner):
            guard name == Self.busName else { return [] }
            return try carryOut(state.withLock { $0.inquiry.take(owner: owner.isEmpty ? nil : owner) })
        case .click(let sender, let text, let action, let values):
            guard state.withLock({ $0.portal == sender }), let id = Self.id(of: text) else { return [] }
            return Self.events(action, id, values)
        case .other: return []
        }
    }

    /// The news of a click: its token, and its text if its button asks for one.
    private static func events(_ action: String, _ id: UInt32, _ values: [BusMessage.Value]) -> [ScreenEvent] {
        var events: [ScreenEvent] = []
        var text: String?
        for value in values {
            if case .values(let data) = value, case .text(let token)? = data["activation-token"] {
                events.append(.activation(token, id))
            }
            if case .text(let typed) = value { text = typed }
        }
        guard action == Popup.replyKey else { return events + [.chosen(action, id)] }
        return events + (text.map { [.reply($0, id)] } ?? [])
    }

    private func take(
        _ value: BusMessage.Value?,
        isRefused: Bool,
        of call: Call?
    ) throws(BusFailure) -> [ScreenEvent] {
        switch call {
        case .show(let ticket, let id, _) where !isRefused: return [.shown(ticket: ticket, id)]
        case .show(let ticket, let id, let again?):
            // It judges files by rules of its own, and a popup is more than its picture.
            var popup = again
            popup.replaces = id
            do throws(BusFailure) { try show(popup, PopupBytes(), ticket: ticket) } catch {
                return [.refused(ticket: ticket)]
            }
            return []
        case .show(let ticket, _, nil): return [.refused(ticket: ticket)]
        case .owner where !isRefused:
            guard case .text(let owner) = value else { return [] }
            return try carryOut(state.withLock { $0.inquiry.take(owner: owner) })
        case .owner:
            guard mayStart else { return try carryOut(state.withLock { $0.inquiry.takeNoStart() }) }
            try callBus("StartServiceByName", .start) { message throws(BusFailure) in
                try message.append(Self.busName)
                try message.append(UInt32(0))
            }
            return []
        case .start where isRefused: return try carryOut(state.withLock { $0.inquiry.takeNoStart() })
        case .version(let portal):
            guard case .natural(let version) = value, version >= 1 else {
                return try carryOut(state.withLock { $0.inquiry.take(refusalOf: portal) })
            }
            return try carryOut(state.withLock { $0.inquiry.take(name: "portal", version: "\(version)", of: portal) })
        case .options(let portal):
            let capabilities = state.withLock { state in
                guard case .values(let options) = value else { return ["actions", "body"] }
                state.version = 2
                return ["actions", "body", "sound", DaemonFacts.takingSounds] + Self.fields(options)
            }
            return try carryOut(state.withLock { $0.inquiry.take(capabilities: capabilities, of: portal) })
        case .start, .other, nil: return []
        }
    }

    private static func fields(_ options: [String: BusMessage.Value]) -> [String] {
        guard case .texts(let purposes)? = options["button-purpose"] else { return [] }
        return purposes.contains(PortalNotification.replyPurpose) ? ["inline-reply"] : []
    }

    private func carryOut(_ changes: [DaemonInquiry.Change]) throws(BusFailure) -> [ScreenEvent] {
        var events: [ScreenEvent] = []
        for change in changes {
            switch change {
            case .went:
                state.withLock { ($0.portal, $0.version) = (nil, 1) }
                events.append(.went)
            case .ask(let portal):
                for (property, call) in [("version", Call.version(portal)), ("SupportedOptions", .options(portal))] {
                    let properties = "org.freedesktop.DBus.Properties"
                    try self.call("Get", of: properties, at: Self.path, on: portal, call) {
                        message throws(BusFailure) in
                        try message.append(Self.interface)
                        try message.append(property)
                    }
                }
            case .came(let portal, let facts):
                state.withLock { $0.portal = portal }
                events.append(.came(facts))
            case .absent: events.append(.absent)
            }
        }
        return events
    }
}

/// A message of the bus as a value, as far as the portal's are read.
enum PortalWord: Sendable {
    /// Values of a click that are read.
    private static let valueLimit = 8

    case answer(UInt64, BusMessage.Value?)
    case refusal(UInt64)
    case owner(name: String, String)
    case click(sender: String, String, action: String, [BusMessage.Value])
    case other

    /// Reads a message; one that is malformed is an `other`.
    init(_ message: borrowing BusMessage) {
        do throws(BusFailure) {
            switch (message.kind, message.member, message.signature) {
            case (.answer(let cookie), _, "v"): self = .answer(cookie, try message.readVariant())
            case (.answer(let cookie), _, "s"): self = .answer(cookie, .text(try message.readText()))
            case (.answer(let cookie), _, _): self = .answer(cookie, nil)
            case (.refusal(let cookie), _, _): self = .refusal(cookie)
            case (.signal, "NameOwnerChanged", "sss") where message.sender == "org.freedesktop.DBus":
                let name = try message.readText()
                _ = try message.readText()
                self = .owner(name: name, try message.readText())
            case (.signal, "ActionInvoked", "ssav"):
                let (id, action) = (try message.readText(), try message.readText())
                let values = try message.readVariants(limit: Self.valueLimit)
                self = .click(sender: message.sender, id, action: action, values)
            case (.call, _, _), (.signal, _, _), (.other, _, _): self = .other
            }
        } catch {
            self = .other
        }
    }
}
