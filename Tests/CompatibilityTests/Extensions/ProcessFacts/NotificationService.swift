// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let process = ProcessInfo.processInfo
        let isPreview = process.environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1"
        content.title = process.processName
        content.subtitle = isPreview ? "preview" : "real"
        let start = process.systemUptime
        let isModern = process.isOperatingSystemAtLeast(OperatingSystemVersion(majorVersion: 3, minorVersion: 0, patchVersion: 0))
        content.body = "\(isModern) \(process.systemUptime >= start) \(process.isLowPowerModeEnabled) \(process.arguments.count > 0)"
        contentHandler(content)
    }
}
