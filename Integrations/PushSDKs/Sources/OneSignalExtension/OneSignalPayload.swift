// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The values of OneSignal's keys of a payload, in the format with `os_data` and in the older one with `custom`.
///
/// Source: OneSignal/OneSignal-iOS-SDK, OSNotification.m at 1698ece.
struct OneSignalPayload {
    struct Button {
        let identifier: String
        let title: String
        /// `system` or `custom`.
        let iconKind: String?
        let iconName: String?
    }

    /// The notification's identifier: letters, digits and hyphens, at most 64; `nil` for any other.
    let identifier: String?
    /// Addresses or names of files of the bundle, by identifiers, in their order.
    let attachments: [(identifier: String, place: String)]
    let buttons: [Button]
    /// The number that is added to the badge; 0 means nothing.
    let badgeIncrement: Int
    let badge: Int?

    init(_ userInfo: [AnyHashable: Any]) {
        let aps = userInfo["aps"] as? [AnyHashable: Any]
        let data = userInfo["os_data"] as? [AnyHashable: Any]
        let own = data ?? userInfo["custom"] as? [AnyHashable: Any]
        identifier = (own?["i"] as? String).flatMap { Self.isIdentifier($0) ? $0 : nil }
        // Keys can be over the limit of what a count holds.
        badgeIncrement = max(-1_000_000, min(1_000_000, Self.number(own?["badge_inc"]) ?? 0))
        badge = Self.number(aps?["badge"])
        let files = (data ?? userInfo)["att"] as? [AnyHashable: Any] ?? [:]
        attachments = files.compactMap { key, value in
            guard let key = key as? String, let value = value as? String else { return nil }
            return (key, value)
        }.sorted { $0.identifier < $1.identifier }
        var list = userInfo["buttons"]
        if let data {
            let inner = (data["buttons"] as? [AnyHashable: Any])?["o"]
            list = data["buttons"] as? [Any] ?? inner as? [Any] ?? userInfo["actionbuttons"]
        }
        buttons = (list as? [Any] ?? []).compactMap { $0 as? [AnyHashable: Any] }.compactMap { button in
            guard let title = button["n"] as? String else { return nil }
            return Button(
                identifier: button["i"] as? String ?? title,
                title: title,
                iconKind: button["icon_type"] as? String,
                iconName: button["path"] as? String
            )
        }
    }

    /// Returns the keys with the identifier of the request, which an app reads there.
    static func userInfo(_ userInfo: [AnyHashable: Any], collapseIdentifier: String) -> [AnyHashable: Any] {
        for key in ["os_data", "custom"] {
            guard var own = userInfo[key] as? [AnyHashable: Any] else { continue }
            own["collapse_id"] = collapseIdentifier
            return userInfo.merging([key: own]) { $1 }
        }
        return userInfo
    }

    /// True for a text that may become a part of a path.
    private static func isIdentifier(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// Servers write numbers as texts as well.
    private static func number(_ value: Any?) -> Int? {
        (value as? NSNumber)?.intValue ?? (value as? String).flatMap { Int($0) }
    }
}
