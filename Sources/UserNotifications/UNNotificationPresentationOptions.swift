// SPDX-License-Identifier: Apache-2.0

/// The effects of a notification that arrives while its app is in front.
///
/// The empty set does not show the notification. Source: Apple, "UNNotificationPresentationOptions".
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    /// Apple's bits, unknown ones included.
    public let rawValue: UInt

    /// Takes any bits; unknown ones are kept.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Sets the number on the app's icon.
    public static let badge = UNNotificationPresentationOptions(rawValue: 1)
    /// Plays the notification's sound.
    public static let sound = UNNotificationPresentationOptions(rawValue: 2)
    /// Deprecated by Apple since iOS 14; the same as ``banner`` and ``list`` together.
    public static let alert = UNNotificationPresentationOptions(rawValue: 4)
    /// Adds a row to the list of notifications.
    public static let list = UNNotificationPresentationOptions(rawValue: 8)
    /// Shows it as a banner.
    public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}
