// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import Locking

/// The Do Not Disturb of a desktop that a test puts on: that of Plasma's daemon, or that of GNOME's settings.
enum FakeQuiet: String, CaseIterable, Sendable {
    case plasma
    case gnome

    static let portal = "org.freedesktop.portal.Desktop"

    /// The switch that a call asks about.
    init?(_ message: borrowing BusMessage) {
        switch (message.path, message.member) {
        case ("/org/freedesktop/Notifications", "Get"): self = .plasma
        case ("/org/freedesktop/portal/desktop", "Read"): self = .gnome
        default: return nil
        }
    }

    func answer(_ message: borrowing BusMessage, _ isOn: Bool) {
        try? message.answer { answer throws(BusFailure) in
            switch self {
            case .plasma: try answer.append(variant: .flag(isOn))
            case .gnome: try answer.append(variant: .variant(.flag(!isOn)))
            }
        }
    }

    func signal(_ bus: BusConnection, _ isOn: Bool) throws(BusFailure) {
        switch self {
        case .plasma:
            let properties = "org.freedesktop.DBus.Properties"
            try bus.signal("PropertiesChanged", of: properties, at: "/org/freedesktop/Notifications") {
                message throws(BusFailure) in
                try message.append("org.freedesktop.Notifications")
                try message.append(["Inhibited": .flag(isOn)])
                try message.append([String]())
            }
        case .gnome:
            let settings = "org.freedesktop.portal.Settings"
            try bus.signal("SettingChanged", of: settings, at: "/org/freedesktop/portal/desktop") {
                message throws(BusFailure) in
                try message.append("org.gnome.desktop.notifications")
                try message.append("show-banners")
                try message.append(variant: .flag(!isOn))
            }
        }
    }
}
