// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension UNNotificationSound.Kind {
    /// Returns `nil` for no sound: an absent value, "", and every kind of value but text and object.
    init?(payload value: JSON?) {
        switch value {
        case .string(let name)? where !name.isEmpty:
            self = UNNotificationSound.kind(named: name)
        case .object(let sound)?:
            let name = sound["name"]?.string
            if sound["critical"]?.integer == 1 {
                let volume = UNNotificationSound.clamped(Float(sound["volume"]?.double ?? 1))
                self = .critical(name: UNNotificationSound.playableName(name), volume: volume)
            } else if sound["ringtone"]?.integer == 1 {
                self = .ringtone(name: UNNotificationSound.playableName(name))
            } else {
                self = UNNotificationSound.kind(named: name)
            }
        default:
            return nil
        }
    }

    var payloadValue: JSON {
        switch self {
        case .standard: "default"
        case .named(let name): .string(name)
        case .critical(let name, let volume):
            ["critical": 1, "name": .string(name ?? "default"), "volume": .double(Self.decimal(volume))]
        case .ringtone(let name):
            ["name": .string(name ?? "default"), "ringtone": 1]
        }
    }

    /// The double that prints like the float: 0.8 stays 0.8.
    private static func decimal(_ volume: Float) -> Double {
        Double(volume.description) ?? Double(volume)
    }
}
