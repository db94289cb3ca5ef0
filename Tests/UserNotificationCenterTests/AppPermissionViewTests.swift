// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Testing

@testable import UserNotificationCenter

/// The settings of an app as it reads them, and as a store keeps them.
struct AppPermissionViewTests {
    @Test(arguments: [AppPermission.Phase.notDetermined, .asking])
    func `before the owner has decided nothing is supported`(phase: AppPermission.Phase) {
        let view = AppPermissionTests.permission(phase).settings(policy: AppPolicy(allowsCriticalAlerts: true))
        #expect(view == NotificationSettings())
    }

    @Test func `an authorized app reads its switches`() {
        var permission = AppPermissionTests.permission(.authorized)
        permission.settings.lock = false
        permission.settings.style = .alert
        permission.settings.previews = .whenAuthenticated
        let view = permission.settings(policy: AppPolicy(), supportsContentExtensions: true)
        #expect(view.status == .authorized)
        #expect(view.alert == .enabled && view.sound == .enabled && view.badge == .notSupported)
        #expect(view.notificationCenter == .enabled && view.lockScreen == .disabled)
        #expect(view.alertStyle == .alert && view.showPreviews == .whenAuthenticated)
        #expect(view.timeSensitive == .enabled && view.criticalAlert == .notSupported)
        #expect(view.supportsContentExtensions && !view.providesAppNotificationSettings)
    }

    @Test func `alerts that are off take every place of an alert with them`() {
        var permission = AppPermissionTests.permission(.authorized)
        permission.settings.alert = false
        let view = permission.settings(policy: AppPolicy())
        #expect(view.alert == .disabled && view.notificationCenter == .disabled && view.lockScreen == .disabled)
        #expect(view.alertStyle == .none && view.sound == .enabled)
        #expect(!permission.runsServiceExtension)
    }

    @Test(arguments: [AppPermission.Phase.provisional, .askingWhileProvisional])
    func `a provisional app has the list and nothing else`(phase: AppPermission.Phase) {
        let permission = AppPermissionTests.permission(phase)
        let view = permission.settings(policy: AppPolicy())
        #expect(view.status == .provisional)
        #expect(view.notificationCenter == .enabled)
        #expect(view.alert == .disabled && view.sound == .disabled && view.lockScreen == .disabled)
        #expect(view.alertStyle == .none && view.timeSensitive == .disabled)
        #expect(permission.isGranted && permission.runsServiceExtension)
    }

    @Test func `a denied app reads what is off`() {
        let view = AppPermissionTests.permission(.denied).settings(policy: AppPolicy())
        #expect(view.status == .denied)
        #expect(view.alert == .disabled && view.notificationCenter == .disabled && view.badge == .notSupported)
    }

    @Test(arguments: [true, false])
    func `critical alerts and time-sensitive ones are supported only by policy`(isAllowed: Bool) {
        var permission = AppPermission()
        _ = permission.apply(AppPermissionTests.authorize([.alert, .criticalAlert, .providesAppNotificationSettings]))
        _ = permission.apply(AppPermissionTests.allow)
        let policy = AppPolicy(allowsCriticalAlerts: isAllowed, allowsTimeSensitive: isAllowed)
        let view = permission.settings(policy: policy)
        #expect(view.criticalAlert == (isAllowed ? .enabled : .notSupported))
        #expect(view.timeSensitive == (isAllowed ? .enabled : .notSupported))
        #expect(view.providesAppNotificationSettings)
    }

    // MARK: JSON

    @Test(arguments: AppPermission.Phase.allCases)
    func `a permission is read as it was written`(phase: AppPermission.Phase) throws {
        var permission = AppPermissionTests.permission(phase)
        permission.settings.grouping = .byApp
        permission.settings.previews = .never
        permission.settings.lock = false
        #expect(try AppPermission(permission.json) == permission)
    }

    @Test func `settings say exactly this`() {
        let text = String(decoding: InstallationSettings().json.serialized, as: UTF8.self)
        #expect(
            text == #"{"alert":true,"sound":true,"badge":true,"list":true,"lock":true,"timeSensitive":true,"#
                + #""criticalAlert":false,"style":"banner","previews":"always","grouping":"automatic"}"#
        )
    }

    @Test func `a change names what it changes, and what it does not know it ignores`() throws {
        var settings = InstallationSettings()
        try settings.apply(["sound": false, "grouping": "off", "colour": "red"])
        var expected = InstallationSettings()
        (expected.sound, expected.grouping) = (false, .off)
        #expect(settings == expected)
    }

    @Test(
        arguments: [
            (["sound": false, "alert": 1], .wrongKind("alert")), (["lock": nil], .wrongKind("lock")),
            (["sound": false, "style": "loud"], .unknownWord("style")), (["style": 1], .wrongKind("style")),
            (["previews": "Always"], .unknownWord("previews")), (["grouping": ""], .unknownWord("grouping")),
        ] as [(JSONObject, PreferenceFault)]
    )
    func `a change that is none changes nothing`(changes: JSONObject, fault: PreferenceFault) {
        var settings = InstallationSettings()
        #expect(throws: fault) { try settings.apply(changes) }
        #expect(settings == InstallationSettings())
    }

    @Test(
        arguments: [
            ("phase", nil, .missing("phase")), ("phase", 1, .wrongKind("phase")),
            ("phase", "asked", .unknownWord("phase")), ("asked", nil, .missing("asked")),
            ("asked", "alert", .wrongKind("asked")), ("asked", [1], .wrongKind("asked")),
            ("asked", ["light"], .unknownWord("asked")),
            ("hasAsked", nil, .missing("hasAsked")), ("hasAsked", "yes", .wrongKind("hasAsked")),
            ("asked", .array(Array(repeating: "alert", count: 10)), .tooMany("asked", count: 10)),
            ("settings", nil, .missing("settings")), ("settings", [], .wrongKind("settings")),
            ("settings", ["alert": "yes"], .wrongKind("alert")),
        ] as [(String, JSON?, PreferenceFault)]
    )
    func `a stored permission that is damaged is refused`(key: String, value: JSON?, fault: PreferenceFault) {
        var object = AppPermission().json
        object[key] = value
        #expect(throws: fault) { try AppPermission(object) }
    }
}
