// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The state of an app's permission to notify.
///
/// Source: Apple, "UNAuthorizationStatus", without `ephemeral`, which only App Clips have.
package enum AuthorizationStatus: String, CaseIterable, Sendable {
    case notDetermined, denied, authorized, provisional
}

/// The permissions that an owner gives an app, as the app reads them.
///
/// Source: Apple, "UNNotificationSettings".
package struct NotificationSettings: Sendable, Equatable {
    /// One permission.
    package enum Setting: String, CaseIterable, Sendable {
        case notSupported, disabled, enabled
    }

    /// The form of an alert.
    package enum AlertStyle: String, CaseIterable, Sendable {
        case none, banner, alert
    }

    /// The state of a surface in which it shows what notifications say.
    package enum Previews: String, CaseIterable, Sendable {
        case always, whenAuthenticated, never
    }

    package var status = AuthorizationStatus.notDetermined
    package var alert = Setting.notSupported
    package var sound = Setting.notSupported
    package var badge = Setting.notSupported
    package var notificationCenter = Setting.notSupported
    package var lockScreen = Setting.notSupported
    package var timeSensitive = Setting.notSupported
    package var criticalAlert = Setting.notSupported
    package var alertStyle = AlertStyle.none
    package var showPreviews = Previews.always
    package var providesAppNotificationSettings = false
    /// True if the app's entry in the host's configuration has a content extension.
    package var supportsContentExtensions = false

    package init() {}
}

extension NotificationSettings {
    private static var settings: [(key: String, path: WritableKeyPath<NotificationSettings, Setting>)] {
        [
            ("alert", \.alert), ("sound", \.sound), ("badge", \.badge), ("notificationCenter", \.notificationCenter),
            ("lockScreen", \.lockScreen), ("timeSensitive", \.timeSensitive), ("criticalAlert", \.criticalAlert),
        ]
    }

    package var json: JSONObject {
        var object: JSONObject = ["status": .string(status.rawValue)]
        for (key, path) in Self.settings { object[key] = .string(self[keyPath: path].rawValue) }
        object["alertStyle"] = .string(alertStyle.rawValue)
        object["showPreviews"] = .string(showPreviews.rawValue)
        object["providesAppNotificationSettings"] = .bool(providesAppNotificationSettings)
        object["supportsContentExtensions"] = .bool(supportsContentExtensions)
        return object
    }

    init(_ members: inout Members) throws(MemberFault) {
        status = try members.word("status")
        for (key, path) in Self.settings { self[keyPath: path] = try members.word(key) }
        alertStyle = try members.word("alertStyle")
        showPreviews = try members.word("showPreviews")
        providesAppNotificationSettings = try members.flag("providesAppNotificationSettings")
        supportsContentExtensions = try members.flag("supportsContentExtensions")
    }
}
