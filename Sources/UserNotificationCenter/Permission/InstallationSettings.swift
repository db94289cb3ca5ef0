// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import NotificationPayload

/// The switches that an owner has for one app.
///
/// Defaults are what an owner gets who allows everything that the app asks for.
/// Source: presenters.md §3, "Settings, per app".
package struct InstallationSettings: Sendable, Equatable {
    /// False takes notifications from every surface, and stops the app's service extension.
    package var alert = true
    package var style = NotificationSettings.AlertStyle.banner
    package var sound = true
    package var badge = true
    /// Shown in the notification centre's list.
    package var list = true
    /// Shown on the lock view.
    package var lock = true
    package var previews = NotificationSettings.Previews.always
    package var grouping = StackGrouping.automatic
    /// May break through Do Not Disturb and the summary.
    package var timeSensitive = true
    /// May be critical; effective only if the app's policy allows critical alerts.
    package var criticalAlert = false

    package init() {}
}

// MARK: JSON

extension InstallationSettings {
    private static var switches: [(key: String, path: WritableKeyPath<InstallationSettings, Bool>)] {
        [
            ("alert", \.alert), ("sound", \.sound), ("badge", \.badge), ("list", \.list), ("lock", \.lock),
            ("timeSensitive", \.timeSensitive), ("criticalAlert", \.criticalAlert),
        ]
    }

    package var json: JSONObject {
        var object: JSONObject = [:]
        for (key, path) in Self.switches { object[key] = .bool(self[keyPath: path]) }
        object["style"] = .string(style.rawValue)
        object["previews"] = .string(previews.rawValue)
        object["grouping"] = .string(grouping.rawValue)
        return object
    }

    /// Changes what the members name and leaves everything else; a fault changes nothing.
    ///
    /// Unknown members are ignored, so that settings of a later version can be read.
    package mutating func apply(_ changes: JSONObject) throws(PreferenceFault) {
        var changed = self
        for (key, path) in Self.switches {
            guard let value = changes[key] else { continue }
            guard let isOn = value.bool else { throw .wrongKind(key) }
            changed[keyPath: path] = isOn
        }
        changed.style = try PreferenceReader(changes).word("style") ?? style
        changed.previews = try PreferenceReader(changes).word("previews") ?? previews
        changed.grouping = try PreferenceReader(changes).word("grouping") ?? grouping
        self = changed
    }
}
