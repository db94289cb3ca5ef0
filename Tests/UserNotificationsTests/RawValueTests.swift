// SPDX-License-Identifier: Apache-2.0

import Testing
import UserNotifications

/// Apple's numbers and words: what an app stored on a phone means the same here.
struct RawValueTests {
    @Test(
        arguments: [
            (UNAuthorizationOptions.badge, 1), (.sound, 2), (.alert, 4), (.carPlay, 8), (.criticalAlert, 16),
            (.providesAppNotificationSettings, 32), (.provisional, 64), (.announcement, 128), (.timeSensitive, 256),
        ] as [(UNAuthorizationOptions, UInt)]
    )
    func `authorization options`(option: UNAuthorizationOptions, value: UInt) {
        #expect(option.rawValue == value)
    }

    @Test(
        arguments: [
            (UNNotificationPresentationOptions.badge, 1), (.sound, 2), (.alert, 4), (.list, 8), (.banner, 16),
        ] as [(UNNotificationPresentationOptions, UInt)]
    )
    func `presentation options`(option: UNNotificationPresentationOptions, value: UInt) {
        #expect(option.rawValue == value)
    }

    @Test(
        arguments: [(UNNotificationActionOptions.authenticationRequired, 1), (.destructive, 2), (.foreground, 4)]
            as [(UNNotificationActionOptions, UInt)]
    )
    func `action options`(option: UNNotificationActionOptions, value: UInt) {
        #expect(option.rawValue == value)
    }

    @Test(
        arguments: [
            (UNNotificationCategoryOptions.customDismissAction, 1), (.allowInCarPlay, 2), (.hiddenPreviewsShowTitle, 4),
            (.hiddenPreviewsShowSubtitle, 8), (.allowAnnouncement, 16),
        ] as [(UNNotificationCategoryOptions, UInt)]
    )
    func `category options`(option: UNNotificationCategoryOptions, value: UInt) {
        #expect(option.rawValue == value)
    }

    @Test(arguments: [
        (UNAuthorizationStatus.notDetermined, 0), (.denied, 1), (.authorized, 2), (.provisional, 3), (.ephemeral, 4),
    ])
    func `authorization status`(status: UNAuthorizationStatus, value: Int) {
        #expect(status.rawValue == value)
    }

    @Test func `settings and styles`() {
        #expect([UNNotificationSetting.notSupported, .disabled, .enabled].map(\.rawValue) == [0, 1, 2])
        #expect([UNAlertStyle.none, .banner, .alert].map(\.rawValue) == [0, 1, 2])
        #expect([UNShowPreviewsSetting.always, .whenAuthenticated, .never].map(\.rawValue) == [0, 1, 2])
    }

    @Test(
        arguments: [
            (UNNotificationInterruptionLevel.passive, 0), (.active, 1), (.timeSensitive, 2), (.critical, 3),
        ] as [(UNNotificationInterruptionLevel, UInt)]
    )
    func `interruption levels`(level: UNNotificationInterruptionLevel, value: UInt) {
        #expect(level.rawValue == value)
    }

    @Test(arguments: [
        (UNError.notificationsNotAllowed, 1), (UNError.attachmentInvalidURL, 100),
        (UNError.attachmentUnrecognizedType, 101), (UNError.attachmentInvalidFileSize, 102),
        (UNError.attachmentNotInDataStore, 103), (UNError.attachmentMoveIntoDataStoreFailed, 104),
        (UNError.attachmentCorrupt, 105), (UNError.notificationInvalidNoDate, 1400),
        (UNError.notificationInvalidNoContent, 1401), (UNError.contentProvidingObjectNotAllowed, 1500),
        (UNError.contentProvidingInvalid, 1501), (UNError.badgeInputInvalid, 1600),
    ])
    func `error codes`(code: UNError.Code, value: Int) {
        #expect(code.rawValue == value)
        let error = UNError(code, userInfo: ["k": "v"])
        #expect(error.errorCode == value)
        #expect((error as NSError).code == value)
        #expect((error as NSError).domain == "UNErrorDomain")
        #expect(error.userInfo["k"] as? String == "v")
        #expect(error.errorUserInfo["k"] as? String == "v")
    }

    @Test func `identifiers of the system's own actions`() {
        #expect(UNNotificationDefaultActionIdentifier == "com.apple.UNNotificationDefaultActionIdentifier")
        #expect(UNNotificationDismissActionIdentifier == "com.apple.UNNotificationDismissActionIdentifier")
    }

    @Test func `unknown bits are kept`() {
        #expect(UNAuthorizationOptions(rawValue: 1 << 40).rawValue == 1 << 40)
        #expect(UNNotificationPresentationOptions([.banner, .list]).rawValue == 24)
    }
}
