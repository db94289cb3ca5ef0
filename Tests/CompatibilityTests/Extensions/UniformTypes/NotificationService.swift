// SPDX-License-Identifier: Apache-2.0

import UniformTypeIdentifiers
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let name = content.userInfo["file"] as? String ?? ""
        let type = UTType(filenameExtension: (name as NSString).pathExtension)
        let received = (content.userInfo["mime"] as? String).flatMap { UTType(mimeType: $0) }
        content.subtitle = [type?.identifier, received?.preferredFilenameExtension, type?.preferredMIMEType]
            .compactMap { $0 }.joined(separator: " ")
        switch type {
        case .some(let type) where type.conforms(to: .image): content.body = "a picture"
        case .some(let type) where type.conforms(to: .audiovisualContent): content.body = "a film"
        default: content.body = "a file"
        }
        contentHandler(content)
    }
}
