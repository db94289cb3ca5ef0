// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`.
/// The permissions that a user gives an app, as they were at one moment; they can change at any time.
///
/// Only the system makes an instance. What does not exist here is always ``UNNotificationSetting/notSupported``: cars,
/// Siri's announcements, summaries at set hours, direct messages.
/// Source: Apple, "UNNotificationSettings".
open class UNNotificationSettings: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The settings that exist here; as made, nobody was asked and nothing is allowed.
    package struct Values: Sendable, Hashable {
        package var authorizationStatus = UNAuthorizationStatus.notDetermined
        package var alertSetting = UNNotificationSetting.notSupported
        package var soundSetting = UNNotificationSetting.notSupported
        package var badgeSetting = UNNotificationSetting.notSupported
        package var notificationCenterSetting = UNNotificationSetting.notSupported
        package var lockScreenSetting = UNNotificationSetting.notSupported
        package var timeSensitiveSetting = UNNotificationSetting.notSupported
        package var criticalAlertSetting = UNNotificationSetting.notSupported
        package var alertStyle = UNAlertStyle.none
        package var showPreviewsSetting = UNShowPreviewsSetting.always
        package var providesAppNotificationSettings = false

        package init() {}
    }

    private let values: Values

    package init(_ values: Values) {
        self.values = values
    }

    /// The permission of the app to show anything at all.
    open var authorizationStatus: UNAuthorizationStatus { values.authorizationStatus }

    // MARK: Ways to reach the user

    /// Banners and rows.
    open var alertSetting: UNNotificationSetting { values.alertSetting }
    /// Sounds.
    open var soundSetting: UNNotificationSetting { values.soundSetting }
    /// The number on the app's icon.
    open var badgeSetting: UNNotificationSetting { values.badgeSetting }
    /// Breaking through Do Not Disturb; enabled only by the app's policy in the host.
    open var timeSensitiveSetting: UNNotificationSetting { values.timeSensitiveSetting }
    /// Sounds on a muted device; enabled only by the app's policy in the host.
    open var criticalAlertSetting: UNNotificationSetting { values.criticalAlertSetting }
    /// Never supported: no Siri reads aloud.
    open var announcementSetting: UNNotificationSetting { .notSupported }
    /// Never supported: nothing is kept back for a summary.
    open var scheduledDeliverySetting: UNNotificationSetting { .notSupported }
    /// Never supported.
    open var directMessagesSetting: UNNotificationSetting { .notSupported }

    // MARK: Places

    /// The list of notifications.
    open var notificationCenterSetting: UNNotificationSetting { values.notificationCenterSetting }
    /// The page's lock view.
    open var lockScreenSetting: UNNotificationSetting { values.lockScreenSetting }
    /// Never supported: there is no car.
    open var carPlaySetting: UNNotificationSetting { .notSupported }

    // MARK: Looks

    /// The form of the app's alerts.
    open var alertStyle: UNAlertStyle { values.alertStyle }
    /// The places in which the text of the app's notifications may be seen.
    open var showPreviewsSetting: UNShowPreviewsSetting { values.showPreviewsSetting }
    /// True if the app said, as it asked for permission, that it has settings of its own for notifications.
    open var providesAppNotificationSettings: Bool { values.providesAppNotificationSettings }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns the settings themselves: they never change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares everything both hold.
    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSettings)?.values == values }

    /// The same for equal objects.
    open override var hash: Int { values.hashValue }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        var values = Values()
        guard let status: UNAuthorizationStatus = coder.value(forKey: "authorizationStatus"),
            let style: UNAlertStyle = coder.value(forKey: "alertStyle"),
            let previews: UNShowPreviewsSetting = coder.value(forKey: "showPreviewsSetting")
        else { return nil }
        values.authorizationStatus = status
        values.alertStyle = style
        values.showPreviewsSetting = previews
        // Absent in archives of former versions.
        values.providesAppNotificationSettings =
            coder.containsValue(forKey: "providesAppNotificationSettings")
            && coder.decodeBool(forKey: "providesAppNotificationSettings")
        for (key, path) in Self.settings {
            guard let setting: UNNotificationSetting = coder.value(forKey: key) else { return nil }
            values[keyPath: path] = setting
        }
        self.values = values
    }

    /// Archives every setting by its name and Apple's number.
    open func encode(with coder: NSCoder) {
        coder.encode(values.authorizationStatus.rawValue, forKey: "authorizationStatus")
        coder.encode(values.alertStyle.rawValue, forKey: "alertStyle")
        coder.encode(values.showPreviewsSetting.rawValue, forKey: "showPreviewsSetting")
        coder.encode(values.providesAppNotificationSettings, forKey: "providesAppNotificationSettings")
        for (key, path) in Self.settings {
            coder.encode(values[keyPath: path].rawValue, forKey: key)
        }
    }

    private static var settings: [(String, WritableKeyPath<Values, UNNotificationSetting>)] {
        [
            ("alertSetting", \.alertSetting), ("soundSetting", \.soundSetting), ("badgeSetting", \.badgeSetting),
            ("notificationCenterSetting", \.notificationCenterSetting), ("lockScreenSetting", \.lockScreenSetting),
            ("timeSensitiveSetting", \.timeSensitiveSetting), ("criticalAlertSetting", \.criticalAlertSetting),
        ]
    }
}
