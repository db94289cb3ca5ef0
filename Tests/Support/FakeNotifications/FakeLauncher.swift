// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import NotificationPayload

/// A launcher, which reads the numbers on icons from whoever signals them.
enum FakeLauncher {
    private static let interface = "com.canonical.Unity.LauncherEntry"

    static func listen(on bus: BusConnection) throws(BusFailure) {
        let bureau = "org.freedesktop.DBus"
        _ = try bus.call("AddMatch", of: bureau, at: "/org/freedesktop/DBus", on: bureau) {
            message throws(BusFailure) in
            try message.append("type='signal',interface='\(interface)'")
        }
    }

    /// The number that a signal tells, as it is printed; `nil` means a message of another kind.
    static func badge(_ message: borrowing BusMessage) -> JSONObject? {
        guard message.kind == .signal, message.interface == interface, message.member == "Update" else { return nil }
        do throws(BusFailure) {
            let address = try message.readText()
            let values = try message.readValues()
            guard case .number(let count) = values["count"], case .flag(let isVisible) = values["count-visible"] else {
                return nil
            }
            return [
                "call": "Update", "address": .string(address), "count": .integer(count), "visible": .bool(isVisible),
            ]
        } catch {
            return nil
        }
    }
}
