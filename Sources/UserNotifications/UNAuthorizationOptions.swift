// SPDX-License-Identifier: Apache-2.0

/// The permissions that an app asks of its user.
///
/// The values are Apple's, so an archive or a database of an iOS app means the same here.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// Apple's bits, unknown ones included.
    public let rawValue: UInt

    /// Takes any bits; unknown ones are kept.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A number on the app's icon.
    public static let badge = UNAuthorizationOptions(rawValue: 1)
    /// Sounds.
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    /// Banners and rows of the list.
    public static let alert = UNAuthorizationOptions(rawValue: 4)
    /// Notifications in a car: there is none here, so it has no effect.
    public static let carPlay = UNAuthorizationOptions(rawValue: 8)
    /// Sounds that ignore a muted device.
    ///
    /// Apple gives it to apps with an entitlement; here it is the host's policy for the app that grants it.
    public static let criticalAlert = UNAuthorizationOptions(rawValue: 16)
    /// A button in the system's settings that leads to those of the app; it has no effect here.
    public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 32)
    /// Quiet delivery to the list, without asking the user first.
    public static let provisional = UNAuthorizationOptions(rawValue: 64)
    /// Siri reads messages aloud: deprecated by Apple since iOS 15, and without effect here.
    public static let announcement = UNAuthorizationOptions(rawValue: 128)
    /// Notifications that break through Do Not Disturb: deprecated by Apple, whose entitlement took its place.
    ///
    /// Without effect here: the app's policy and ``UNNotificationSettings/timeSensitiveSetting`` decide.
    public static let timeSensitive = UNAuthorizationOptions(rawValue: 256)
}
