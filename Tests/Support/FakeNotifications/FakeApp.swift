// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import NotificationPayload

/// An app that comes to the front when it is called over the bus.
enum FakeApp {
    /// Answers a call that brings the app to the front, and returns it as it is printed; `nil` means another message.
    static func activation(_ message: borrowing BusMessage) -> JSONObject? {
        guard message.interface == "org.freedesktop.Application" else { return nil }
        var printed: JSONObject = ["call": .string(message.member), "path": .string(message.path)]
        do throws(BusFailure) {
            if message.member == "ActivateAction" {
                printed["action"] = .string(try message.readText())
                printed["parameters"] = .integer(Int64(try message.readVariants(limit: 8).count))
            }
            for (name, value) in try message.readValues() {
                if case .text(let text) = value { printed[name] = .string(text) }
            }
            try message.answer { _ in }
        } catch {
            printed["error"] = .string("\(error)")
        }
        return printed
    }
}
