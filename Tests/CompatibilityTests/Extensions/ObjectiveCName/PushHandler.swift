// SPDX-License-Identifier: Apache-2.0

import Foundation
import UserNotifications

@objc protocol PushLogging: AnyObject {
    @objc func record(_ text: String)
}

@objc(CHTNotificationService)
@objcMembers
public final class PushHandler: UNNotificationServiceExtension {
    @objc dynamic var title: String = ""
    @objc weak var log: PushLogging?

    public override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        title = content.title
        log?.record(title)
        content.title = decorated()
        contentHandler(content)
    }

    @objc(decoratedTitle) func decorated() -> String { "\(title) @objc" }
}
