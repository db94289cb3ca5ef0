// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The rights that an app's signature would grant its extension, as far as they mean something here.
///
/// Source: Apple, "Entitlements".
struct Entitlements {
    /// Keys of NSExtensionAttributes.
    private(set) var attributes: [String: Any] = [:]

    static var none: Entitlements { Entitlements() }

    private init() {}

    init(_ plist: PropertyListFile) throws(CommandError) {
        let filtering = "com.apple.developer.usernotifications.filtering"
        if let value = plist.values[filtering] {
            guard let isOn = value as? Bool else {
                throw CommandError(
                    "\(plist.place(of: filtering)): \(filtering) is neither true nor false",
                    hint: "write <true/> or <false/>"
                )
            }
            attributes["NotificationFiltering"] = isOn
        }
        let appGroups = "com.apple.security.application-groups"
        if let value = plist.values[appGroups] {
            guard let groups = value as? [String] else {
                throw CommandError(
                    "\(plist.place(of: appGroups)): \(appGroups) is no list of texts",
                    hint: "write the groups in an <array>, each as <string>group.com.example.chat</string>"
                )
            }
            attributes["AppGroups"] = groups
        }
    }
}
