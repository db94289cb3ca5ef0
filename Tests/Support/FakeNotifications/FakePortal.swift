// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import Glibc
import NotificationPayload

/// The notification portal of a version, which prints what it is handed, and what its descriptors hold.
struct FakePortal: Sendable {
    static let name = "org.freedesktop.portal.Desktop"
    private static let interface = "org.freedesktop.portal.Notification"
    private static let path = "/org/freedesktop/portal/desktop"

    let version: UInt32

    /// A portal of the version that a name such as `portal-2` has; `nil` means that the name is a daemon's.
    init?(_ name: String) {
        guard name.hasPrefix("portal-"), let version = UInt32(name.dropFirst(7)) else { return nil }
        self.version = version
    }

    /// Answers a call, and returns it as it is printed; `nil` means that nothing is printed.
    func take(_ message: borrowing BusMessage) -> JSONObject? {
        guard message.kind == .call, message.path == Self.path else { return nil }
        do throws(BusFailure) {
            switch message.member {
            case "Get":
                _ = try message.readText()
                let property = try message.readText()
                guard version > 0 else {
                    try message.refuse()
                    return ["call": "Get"]
                }
                if property == "version" {
                    try message.answer { answer throws(BusFailure) in
                        try answer.append(variant: .natural(version))
                    }
                } else if version >= 2 {
                    let options: [String: BusMessage.Value] = [
                        "button-purpose": .texts(["system.custom-alert", "im.reply-with-text"]),
                        "category": .texts(["im.received"]),
                    ]
                    try message.answer { answer throws(BusFailure) in try answer.append(variant: .values(options)) }
                } else {
                    try message.refuse()
                }
                return nil
            case "AddNotification":
                var printed: JSONObject = ["call": "AddNotification", "id": .string(try message.readText())]
                for (name, value) in try message.readValues().sorted(by: { $0.key < $1.key }) {
                    printed[name] = Self.json(value)
                }
                // The portal has refused what it does not take as a picture.
                if printed["title"]?.string?.contains("refused") == true, printed["icon"] != nil {
                    try message.refuse()
                } else {
                    try message.answer { _ in }
                }
                return printed
            case "RemoveNotification":
                let printed: JSONObject = ["call": "RemoveNotification", "id": .string(try message.readText())]
                try message.answer { _ in }
                return printed
            default:
                try message.refuse()
                return nil
            }
        } catch {
            return ["call": "error", "error": .string("\(error)")]
        }
    }

    /// Sends that a person has chosen an action, with a text if it asks for one.
    func invoke(_ words: [String], on bus: BusConnection) throws(BusFailure) {
        let text = words.dropFirst(2).first
        let values: [BusMessage.Value] =
            version < 2 ? [] : [.values(["activation-token": .text("token-1")])] + (text.map { [.text($0)] } ?? [])
        try bus.signal("ActionInvoked", of: Self.interface, at: Self.path) { message throws(BusFailure) in
            try message.append(words[0])
            try message.append(words[1])
            try message.append(variants: values)
        }
    }

    private static func json(_ value: BusMessage.Value) -> JSON {
        switch value {
        case .byte(let byte): .integer(Int64(byte))
        case .flag(let flag): .bool(flag)
        case .natural(let number): .integer(Int64(number))
        case .number(let number): .integer(number)
        case .text(let text): .string(text)
        case .texts(let texts): .array(texts.map(JSON.string))
        case .bytes(let bytes): ["bytes": .integer(Int64(bytes.count))]
        case .values(let values): .object(object(values))
        case .list(let list): .array(list.map { .object(object($0)) })
        case .pair(let name, let value): [.string(name), json(value)]
        case .descriptor(let descriptor): file(descriptor)
        case .variant(let value): json(value)
        }
    }

    private static func object(_ values: [String: BusMessage.Value]) -> JSONObject {
        var object = JSONObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { object[name] = json(value) }
        return object
    }

    /// The count of the bytes from where the descriptor stands, and its seals.
    ///
    /// Source: fcntl(2), F_GET_SEALS.
    private static func file(_ descriptor: CInt) -> JSON {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &bytes, bytes.count)
        return ["bytes": .integer(Int64(count)), "seals": .integer(Int64(fcntl(descriptor, 1034)))]
    }
}
