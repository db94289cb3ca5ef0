// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import NotificationPayload

extension AppPermission {
    /// The settings as the app reads them: what is in force now.
    ///
    /// An option for which the app never asked is not supported. A provisional app has the list, and nothing else.
    /// Source: center.md §8, row 2.
    package func settings(
        policy: AppPolicy,
        supportsContentExtensions: Bool = false
    ) -> NotificationSettings {
        var view = NotificationSettings()
        view.status = status
        view.supportsContentExtensions = supportsContentExtensions
        view.providesAppNotificationSettings = asked.contains(.providesAppNotificationSettings)
        view.showPreviews = settings.previews
        let isAuthorized = status == .authorized
        func setting(_ option: AuthorizationOptions, _ isOn: Bool) -> NotificationSettings.Setting {
            guard status != .notDetermined, asked.contains(option) else { return .notSupported }
            return isOn ? .enabled : .disabled
        }
        let showsAlerts = isAuthorized && settings.alert
        view.alert = setting(.alert, showsAlerts)
        view.sound = setting(.sound, isAuthorized && settings.sound)
        view.badge = setting(.badge, isAuthorized && settings.badge)
        view.notificationCenter = setting(.alert, isGranted && settings.alert && settings.list)
        view.lockScreen = setting(.alert, showsAlerts && settings.lock)
        view.alertStyle = showsAlerts && asked.contains(.alert) ? settings.style : .none
        if policy.allowsTimeSensitive { view.timeSensitive = setting(.alert, isAuthorized && settings.timeSensitive) }
        if policy.allowsCriticalAlerts {
            view.criticalAlert = setting(.criticalAlert, isAuthorized && settings.criticalAlert)
        }
        return view
    }

    /// True if the app has said that it has settings of its own.
    package var offersOwnSettings: Bool { asked.contains(.providesAppNotificationSettings) }

    /// The permission as a store keeps it.
    package var json: JSONObject {
        [
            "phase": .string(phase.rawValue), "asked": asked.json, "hasAsked": .bool(hasAsked),
            "settings": .object(settings.json),
        ]
    }

    /// Reads what `json` wrote.
    package init(_ object: JSONObject) throws(PreferenceFault) {
        guard let phase: Phase = try PreferenceReader(object).word("phase") else { throw .missing("phase") }
        guard let words = object["asked"] else { throw .missing("asked") }
        guard let settings = object["settings"] else { throw .missing("settings") }
        guard let list = words.array else { throw .wrongKind("asked") }
        guard let changes = settings.object else { throw .wrongKind("settings") }
        guard let asks = object["hasAsked"] else { throw .missing("hasAsked") }
        guard let hasAsked = asks.bool else { throw .wrongKind("hasAsked") }
        guard list.count <= AuthorizationOptions.words.count else { throw .tooMany("asked", count: list.count) }
        self.phase = phase
        self.hasAsked = hasAsked
        for value in list {
            guard let word = value.string else { throw .wrongKind("asked") }
            guard let known = AuthorizationOptions.words.first(where: { word.isWord($0.word) }) else {
                throw .unknownWord("asked")
            }
            asked.formUnion(known.option)
        }
        try self.settings.apply(changes)
    }
}
