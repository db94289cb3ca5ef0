// SPDX-License-Identifier: Apache-2.0

import DesktopBus

/// A lock of a session that a test locks.
enum FakeLock: String, CaseIterable, Sendable {
    case gnome
    case login

    /// The lock that has a method of this name.
    init?(_ member: String) {
        switch member {
        case "GetActive": self = .gnome
        case "Get": self = .login
        default: return nil
        }
    }

    var name: String {
        switch self {
        case .gnome: "org.gnome.ScreenSaver"
        case .login: "org.freedesktop.login1"
        }
    }

    func answer(_ message: borrowing BusMessage, _ locked: Set<FakeLock>) {
        let isLocked = locked.contains(self)
        try? message.answer { answer throws(BusFailure) in
            switch self {
            case .gnome: try answer.append(isLocked)
            case .login: try answer.append(variant: .flag(isLocked))
            }
        }
    }

    func signal(_ bus: BusConnection, _ isLocked: Bool) throws(BusFailure) {
        switch self {
        case .gnome:
            try bus.signal("ActiveChanged", of: name, at: "/org/gnome/ScreenSaver") { message throws(BusFailure) in
                try message.append(isLocked)
            }
        case .login:
            let properties = "org.freedesktop.DBus.Properties"
            // The session is that which the agent in the same environment looks at.
            guard let path = LoginSession.path else { return }
            try bus.signal("PropertiesChanged", of: properties, at: path) {
                message throws(BusFailure) in
                try message.append(name + ".Session")
                try message.append(["LockedHint": .flag(isLocked)])
                try message.append([String]())
            }
        }
    }
}
