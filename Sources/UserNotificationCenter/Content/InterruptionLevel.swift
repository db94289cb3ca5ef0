// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The urgency of a notification, as its sender sees it.
///
/// Raw values are Apple's, and those that a store keeps. Source: Apple, "UNNotificationInterruptionLevel".
package enum InterruptionLevel: Int, CaseIterable, Sendable {
    case passive = 0
    case active = 1
    case timeSensitive = 2
    case critical = 3

    /// The word of a payload and of the API.
    package var word: String {
        switch self {
        case .passive: "passive"
        case .active: "active"
        case .timeSensitive: "time-sensitive"
        case .critical: "critical"
        }
    }

    /// Reads `aps.interruption-level`; an absent or unknown one is active.
    ///
    /// A critical sound without a level makes a critical notification, because critical alerts were sent so before
    /// levels existed.
    package init(_ value: JSON?, sound: RequestedSound?) {
        guard let word = value?.string else {
            self = sound?.kind == .critical ? .critical : .active
            return
        }
        self = Self.allCases.first { word.isWord($0.word) } ?? .active
    }
}

/// The sound for which a payload asks.
///
/// Source: Apple, "Generating a remote notification", keys of the dictionary `sound`.
package struct RequestedSound: Sendable, Equatable {
    package enum Kind: Sendable {
        case ordinary, critical, ringtone
    }

    package var kind: Kind
    /// A name that is looked up among the app's sounds; `nil` means the default sound of the kind.
    package var name: String?
    /// 0 to 1; only a critical sound is played at a volume of its own.
    package var volume: Double

    package init(kind: Kind = .ordinary, name: String? = nil, volume: Double = 1) {
        self.kind = kind
        self.name = name
        self.volume = volume
    }

    /// Reads `aps.sound`; `nil` means no sound: an absent value, "", and every value but a text and an object.
    init?(_ value: JSON?) {
        switch value {
        case .string(let name)? where !name.isEmpty:
            self.init(name: Self.ownName(name))
        case .object(let sound)?:
            let name = Self.ownName(sound["name"]?.string)
            if sound["critical"]?.integer == 1 {
                let volume = sound["volume"]?.double ?? 1
                self.init(kind: .critical, name: name, volume: volume.isNaN ? 1 : min(max(0, volume), 1))
            } else {
                self.init(kind: sound["ringtone"]?.integer == 1 ? .ringtone : .ordinary, name: name)
            }
        case .string?, .null?, .bool?, .integer?, .double?, .array?, nil:
            return nil
        }
    }

    /// The name of a file of the app; `nil` means the default sound, as does a name with a slash or control character.
    private static func ownName(_ name: String?) -> String? {
        guard let name, !name.isEmpty, !name.isWord("default"),
            name.unicodeScalars.allSatisfy({ $0 != "/" && $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        else { return nil }
        return name
    }
}
