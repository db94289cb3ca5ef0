// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The sound of a notification, as a desktop plays it.
package struct PopupSound: Sendable, Equatable {
    /// Bytes of a sound that is played.
    package static let byteLimit = 5 << 20
    /// The desktop's own sound, as loud as it is.
    static let own = PopupSound(target: nil, isCritical: false, volume: 1)

    /// The path at which the API has a file of the app's; `nil` means the desktop's own sound.
    package let target: String?
    package let isCritical: Bool
    /// The loudness of a critical sound, from 0 to 1; 1 for any other.
    package let volume: Double

    private init(target: String?, isCritical: Bool, volume: Double) {
        (self.target, self.isCritical, self.volume) = (target, isCritical, volume)
    }

    /// Reads what a notification says of its sound; `nil` means that it has none.
    init?(_ sound: JSONObject?) {
        guard let sound else { return nil }
        let isCritical = sound["critical"]?.bool == true
        let volume = sound["volume"]?.double ?? 1
        self.init(
            target: sound["href"]?.string.flatMap { Self.isPath($0) ? $0 : nil },
            isCritical: isCritical,
            volume: isCritical && volume.isFinite ? min(max(0, volume), 1) : 1
        )
    }

    /// Tells whether a text is the path of an app's sound in the API, and nothing else of it.
    private static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/v1/apps/") && text.utf8.count <= 1024
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"?#".utf8.contains($0) }
    }
}

/// The files that belong to a popup: a picture for the daemon, and a sound that the daemon does not play.
package struct PopupFiles: Sendable, Equatable {
    package var picture: PopupPicture?
    package var sound: PopupSound?

    package init() {}

    init(of popup: WaitingPopup, isHidden: Bool, playsSound: Bool) {
        picture = isHidden ? nil : popup.notification.picture
        // One in whose place it came may have been the one with a sound.
        sound = popup.playsSound && playsSound ? popup.notification.sound ?? .own : nil
    }
}
