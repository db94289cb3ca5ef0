// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NotificationPayload

/// The name of a sound file that the app carries.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// File name with its extension, without a folder.
    public let rawValue: String

    /// Takes any text; what is no plain file name plays as the default sound.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes any text; what is no plain file name plays as the default sound.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

// SAFETY: immutable after `init`.
/// A sound for the arrival of a notification.
///
/// Apple plays files of the app and of its library folder, up to 30 seconds. Here a name is handed to the sinks, which
/// play what they find under it.
/// Source: Apple, "UNNotificationSound".
open class UNNotificationSound: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Volumes run from 0 to 1; a nil name stands for the default of its kind.
    enum Kind: Hashable {
        case standard
        case named(String)
        case critical(name: String?, volume: Float)
        case ringtone(name: String?)
    }

    let kind: Kind

    init(kind: Kind) {
        self.kind = kind
    }

    /// The sound of the file with that name; the default sound if the name is no plain file name.
    public convenience init(named name: UNNotificationSoundName) {
        self.init(kind: Self.kind(named: name.rawValue))
    }

    /// The system's sound.
    open class var `default`: UNNotificationSound { UNNotificationSound(kind: .standard) }

    /// The system's sound for critical alerts, at full volume.
    open class var defaultCritical: UNNotificationSound {
        UNNotificationSound(kind: .critical(name: nil, volume: 1))
    }

    /// The system's sound for critical alerts; `volume` is clamped to 0…1.
    open class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound {
        UNNotificationSound(kind: .critical(name: nil, volume: clamped(volume)))
    }

    /// A critical sound of the app's own, at full volume.
    open class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        criticalSoundNamed(name, withAudioVolume: 1)
    }

    /// A critical sound of the app's own; `volume` is clamped to 0…1.
    open class func criticalSoundNamed(
        _ name: UNNotificationSoundName,
        withAudioVolume volume: Float
    ) -> UNNotificationSound {
        UNNotificationSound(kind: .critical(name: playableName(name.rawValue), volume: clamped(volume)))
    }

    /// The system's ringtone, which Apple plays for calls; the sinks here play their default sound.
    open class var defaultRingtone: UNNotificationSound { UNNotificationSound(kind: .ringtone(name: nil)) }

    /// A ringtone of the app's own.
    open class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(kind: .ringtone(name: playableName(name.rawValue)))
    }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns the sound itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares everything both hold.
    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.kind == kind }

    /// The same for equal objects.
    open override var hash: Int { kind.hashValue }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard let payload = coder.payload(forKey: "payload"), let kind = Kind(payload: payload["sound"]) else {
            return nil
        }
        self.kind = kind
    }

    /// Archives the sound in the form it has in a payload.
    open func encode(with coder: NSCoder) {
        coder.encodePayload(["sound": kind.payloadValue], forKey: "payload")
    }
}

extension UNNotificationSound {
    /// Returns `nil` for what plays as the default: no name, "default", and names that could leave the folder of
    /// sounds.
    static func playableName(_ name: String?) -> String? {
        guard let name, !name.isEmpty, name != "default" else { return nil }
        return name.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7F } ? nil : name
    }

    static func kind(named name: String?) -> Kind {
        playableName(name).map(Kind.named) ?? .standard
    }

    static func clamped(_ volume: Float) -> Float {
        volume.isNaN ? 1 : min(max(volume, 0), 1)
    }
}
