// SPDX-License-Identifier: Apache-2.0

/// Options for the notifications of a category: reports of dismissals, hidden previews, cars and Siri.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    /// Apple's bits, unknown ones included.
    public let rawValue: UInt

    /// Takes any bits; unknown ones are kept.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Tells the app, as ``UNNotificationDismissActionIdentifier``, when the user dismisses a notification.
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
    /// Allows it in a car: stored without effect.
    public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 2)
    /// Shows the title where previews are hidden.
    public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 4)
    /// Shows the subtitle where previews are hidden.
    public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 8)
    /// Lets Siri read it aloud: deprecated by Apple since iOS 15, stored without effect.
    public static let allowAnnouncement = UNNotificationCategoryOptions(rawValue: 16)
}
