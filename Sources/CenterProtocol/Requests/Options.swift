// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The ways to reach the user for which an app asks permission.
///
/// Source: Apple, "UNAuthorizationOptions"; the bits are Apple's.
package struct AuthorizationOptions: WordSet {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    package static let badge = AuthorizationOptions(rawValue: 1)
    package static let sound = AuthorizationOptions(rawValue: 2)
    package static let alert = AuthorizationOptions(rawValue: 4)
    package static let carPlay = AuthorizationOptions(rawValue: 8)
    package static let criticalAlert = AuthorizationOptions(rawValue: 16)
    package static let providesAppNotificationSettings = AuthorizationOptions(rawValue: 32)
    package static let provisional = AuthorizationOptions(rawValue: 64)
    package static let announcement = AuthorizationOptions(rawValue: 128)
    package static let timeSensitive = AuthorizationOptions(rawValue: 256)

    package static let words: [(word: String, option: AuthorizationOptions)] = [
        ("badge", .badge), ("sound", .sound), ("alert", .alert), ("carPlay", .carPlay),
        ("criticalAlert", .criticalAlert), ("providesAppNotificationSettings", .providesAppNotificationSettings),
        ("provisional", .provisional), ("announcement", .announcement), ("timeSensitive", .timeSensitive),
    ]
}

extension AuthorizationOptions {
    /// Reads what an owner's decision over HTTP leaves out: `without`, which may be absent; other members are ignored.
    package init(withoutOf object: JSONObject) throws(MemberFault) {
        // `null` is no list.
        var members = Members(object, .strict)
        self = try members.optionalWords("without") ?? []
    }
}

/// The conditions and the effect of an action.
///
/// Source: Apple, "UNNotificationActionOptions"; the bits are Apple's.
package struct ActionOptions: WordSet {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    package static let authenticationRequired = ActionOptions(rawValue: 1)
    package static let destructive = ActionOptions(rawValue: 2)
    package static let foreground = ActionOptions(rawValue: 4)

    package static let words: [(word: String, option: ActionOptions)] = [
        ("authenticationRequired", .authenticationRequired), ("destructive", .destructive), ("foreground", .foreground),
    ]
}

/// The rules that hold for every notification of a category.
///
/// Source: Apple, "UNNotificationCategoryOptions"; the bits are Apple's.
package struct CategoryOptions: WordSet {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    package static let customDismissAction = CategoryOptions(rawValue: 1)
    package static let allowInCarPlay = CategoryOptions(rawValue: 2)
    package static let hiddenPreviewsShowTitle = CategoryOptions(rawValue: 4)
    package static let hiddenPreviewsShowSubtitle = CategoryOptions(rawValue: 8)
    package static let allowAnnouncement = CategoryOptions(rawValue: 16)

    package static let words: [(word: String, option: CategoryOptions)] = [
        ("customDismissAction", .customDismissAction), ("allowInCarPlay", .allowInCarPlay),
        ("hiddenPreviewsShowTitle", .hiddenPreviewsShowTitle),
        ("hiddenPreviewsShowSubtitle", .hiddenPreviewsShowSubtitle), ("allowAnnouncement", .allowAnnouncement),
    ]
}

/// The ways in which a notification is shown although its app is in front.
///
/// Apple's older `alert` stands for banner and list and is no word of its own.
/// Source: Apple, "UNNotificationPresentationOptions"; the bits are Apple's.
package struct PresentationOptions: WordSet {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    package static let badge = PresentationOptions(rawValue: 1)
    package static let sound = PresentationOptions(rawValue: 2)
    package static let list = PresentationOptions(rawValue: 8)
    package static let banner = PresentationOptions(rawValue: 16)

    package static let words: [(word: String, option: PresentationOptions)] = [
        ("banner", .banner), ("list", .list), ("sound", .sound), ("badge", .badge),
    ]
}
