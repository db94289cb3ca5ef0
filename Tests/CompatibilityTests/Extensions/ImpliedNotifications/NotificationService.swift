// SPDX-License-Identifier: Apache-2.0

import UIKit

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.subtitle = "\(UIDevice.current.name), \(content.title)"
        contentHandler(content)
    }
}
