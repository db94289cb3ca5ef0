// SPDX-License-Identifier: Apache-2.0

import os.log
import UserNotifications

private let oldLog = OSLog(subsystem: "com.example.chat", category: "service")

extension Logger {
    static let service = Logger(subsystem: Bundle.main.bundleIdentifier!, category: "service")
}

class NotificationService: UNNotificationServiceExtension {
    private let logger = Logger.service

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let token = request.content.userInfo["token"] as? String ?? ""
        logger.info("received \(request.content.title, privacy: .public), token \(token)")
        logger.error("code \(42), token \(token, privacy: .private(mask: .hash))")
        os_log("old style %{public}@ and %d", log: oldLog, type: .error, request.content.body, 7)
        os_log("private by default: %@", log: .default, type: .info, token)
        os_log(.debug, log: oldLog, "static")
        contentHandler(request.content)
    }
}
