// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import DesktopPresenter
import Glibc
import Locking

/// The notification daemon of the session bus, whichever runs: its calls and its signals.
final class DaemonClient: PopupScreen {
    /// A call that has no answer yet.
    private enum Call: Sendable {
        case owner
        case start
        case capabilities(String)
        case information(String)
        case show(Int)
        case other
    }

    private struct State: Sendable {
        var inquiry = DaemonInquiry()
        /// The unique name of the daemon that has stated its facts.
        var daemon: String?
        var calls: [UInt64: Call] = [:]
        var pictures = PictureShelf()
    }

    /// Calls whose answers are waited for; of more the oldest are given up.
    private static let callLimit = 256

    private static let busName = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    private static let bus = "org.freedesktop.DBus"

    let name = "notification daemon"
    let endsWithout = false

    private let connection: BusConnection
    private let state = Locked(State())

    /// Connects, and asks who the daemon is; one that the bus knows how to start is started.
    init() throws(BusFailure) {
        connection = try BusConnection()
        // The rules come before the question, so that no change falls between the two.
        let owners = "type='signal',sender='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.busName)'"
        for rule in [owners, "type='signal',sender='\(Self.busName)',interface='\(Self.busName)'"] {
            try callBus("AddMatch", .other) { message throws(BusFailure) in try message.append(rule) }
        }
        try callBus("GetNameOwner", .owner) { message throws(BusFailure) in try message.append(Self.busName) }
    }

    // MARK: Calls

    /// Asks the daemon for a popup, which reads its picture in the agent's memory.
    func show(_ popup: Popup, _ bytes: PopupBytes, ticket: Int) throws(BusFailure) {
        var popup = popup
        if let picture = bytes.picture {
            let address = state.withLock { $0.pictures.put(picture, for: ticket) }
            popup.hints["image-path"] = address.map(Popup.Hint.text)
        }
        do throws(BusFailure) { try show(popup, ticket) } catch {
            state.withLock { $0.pictures.take(refused: ticket) }
            throw error
        }
    }

    private func show(_ popup: Popup, _ ticket: Int) throws(BusFailure) {
        try callDaemon("Notify", .show(ticket)) { message throws(BusFailure) in
            try message.append(popup.appName)
            try message.append(popup.replaces)
            try message.append("")
            try message.append(popup.summary)
            try message.append(popup.body)
            try message.append(popup.buttons.flatMap { [$0.key, $0.label] })
            try message.append(popup.hints.mapValues(Self.value))
            try message.append(popup.expiry.rawValue)
        }
    }

    func close(_ id: UInt32) throws(BusFailure) {
        try callDaemon("CloseNotification", .other) { message throws(BusFailure) in try message.append(id) }
    }

    func tell(_ badge: LauncherBadges.Change) throws(BusFailure) {
        let launcher = "com.canonical.Unity.LauncherEntry"
        try connection.signal("Update", of: launcher, at: "/com/canonical/unity/launcherentry/nestbox") {
            message throws(BusFailure) in
            try message.append(badge.address)
            try message.append(["count": .number(badge.count), "count-visible": .flag(badge.count > 0)])
        }
    }

    private static func value(_ hint: Popup.Hint) -> BusMessage.Value {
        switch hint {
        case .byte(let byte): .byte(byte)
        case .flag(let flag): .flag(flag)
        case .text(let text): .text(text)
        }
    }

    private func callBus(
        _ member: String,
        _ call: Call,
        _ write: (borrowing BusMessage) throws(BusFailure) -> Void
    ) throws(BusFailure) {
        // The state is locked until the number is known, since the answer may be read before.
        try state.withLock { state throws(BusFailure) in
            let cookie = try connection.call(
                member,
                of: Self.bus,
                at: "/org/freedesktop/DBus",
                on: Self.bus,
                write
            )
            state.calls[cookie] = call
        }
    }

    private func callDaemon(
        _ member: String,
        _ call: Call,
        to daemon: String? = nil,
        _ write: (borrowing BusMessage) throws(BusFailure) -> Void
    ) throws(BusFailure) {
        try state.withLock { state throws(BusFailure) in
            // The unique name of the daemon, so that no other daemon gets an id of this one.
            guard let destination = daemon ?? state.daemon else { throw BusFailure.notThere }
            let cookie = try connection.call(member, of: Self.busName, at: Self.path, on: destination, write)
            state.calls[cookie] = call
            if state.calls.count > Self.callLimit, let oldest = state.calls.keys.min() { state.calls[oldest] = nil }
        }
    }

    // MARK: News

    func next() async throws -> [ScreenEvent] {
        while true {
            let events = try take(try await connection.next { message in Heard(message) })
            state.withLock { $0.pictures.take(events) }
            if !events.isEmpty { return events }
        }
    }

    private func take(_ heard: Heard) throws(BusFailure) -> [ScreenEvent] {
        switch heard {
        case .answer(let cookie, let body):
            return try take(body, of: state.withLock { $0.calls.removeValue(forKey: cookie) })
        case .refusal(let cookie): return try take(nil, of: state.withLock { $0.calls.removeValue(forKey: cookie) })
        case .signal(Self.bus, Self.bus + ".NameOwnerChanged", .texts(let texts)) where texts.count == 3:
            guard texts[0] == Self.busName else { return [] }
            return try carryOut(state.withLock { $0.inquiry.take(owner: texts[2].isEmpty ? nil : texts[2]) })
        case .signal(let sender, let name, let body):
            guard state.withLock({ $0.daemon == sender }) else { return [] }
            return Self.event(name, body).map { [$0] } ?? []
        case .other: return []
        }
    }

    private static func event(_ name: String, _ body: Heard.Body) -> ScreenEvent? {
        switch (name, body) {
        case (Self.busName + ".NotificationClosed", .numbers(let id, let reason)): .closed(id, reason: reason)
        case (Self.busName + ".ActionInvoked", .numberAndText(let id, let key)): .chosen(key, id)
        case (Self.busName + ".NotificationReplied", .numberAndText(let id, let text)): .reply(text, id)
        case (Self.busName + ".ActivationToken", .numberAndText(let id, let token)): .activation(token, id)
        default: nil
        }
    }

    /// Takes the answer of a call; `nil` means that it was refused.
    private func take(_ body: Heard.Body?, of call: Call?) throws(BusFailure) -> [ScreenEvent] {
        switch (call, body) {
        case (.show(let ticket), .number(let id)): return [.shown(ticket: ticket, id)]
        case (.show(let ticket), _): return [.refused(ticket: ticket)]
        case (.owner, .texts(let names)) where names.count == 1:
            return try carryOut(state.withLock { $0.inquiry.take(owner: names[0]) })
        case (.owner, _):
            try callBus("StartServiceByName", .start) { message throws(BusFailure) in
                try message.append(Self.busName)
                try message.append(UInt32(0))
            }
            return []
        case (.start, nil): return try carryOut(state.withLock { $0.inquiry.takeNoStart() })
        case (.capabilities(let daemon), let body):
            var capabilities: [String] = []
            if case .texts(let texts) = body { capabilities = texts }
            return try carryOut(state.withLock { $0.inquiry.take(capabilities: capabilities, of: daemon) })
        case (.information(let daemon), let body):
            var information = ["", "", "", ""]
            if case .texts(let texts) = body, texts.count == 4 { information = texts }
            return try carryOut(
                state.withLock { $0.inquiry.take(name: information[0], version: information[2], of: daemon) }
            )
        case (.start, _), (.other, _), (nil, _): return []
        }
    }

    private func carryOut(_ changes: [DaemonInquiry.Change]) throws(BusFailure) -> [ScreenEvent] {
        var events: [ScreenEvent] = []
        for change in changes {
            switch change {
            case .went:
                state.withLock { $0.daemon = nil }
                events.append(.went)
            case .ask(let daemon):
                for (member, call) in [
                    ("GetCapabilities", Call.capabilities(daemon)), ("GetServerInformation", .information(daemon)),
                ] { try callDaemon(member, call, to: daemon) { _ in } }
            case .came(let daemon, let facts):
                state.withLock { $0.daemon = daemon }
                events.append(.came(facts))
            case .absent: events.append(.absent)
            }
        }
        return events
    }
}

extension BusFailure {
    /// Nobody is there to be called.
    static let notThere = BusFailure(ENOTCONN)
}
