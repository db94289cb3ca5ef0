// SPDX-License-Identifier: Apache-2.0

import Intents
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        self.contentHandler = contentHandler
        bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent

        guard let content = bestAttemptContent, #available(iOSApplicationExtension 15.0, *) else {
            contentHandler(request.content)
            return
        }
        let info = content.userInfo["sender"] as? [String: String] ?? [:]
        let handle = INPersonHandle(value: info["id"], type: .unknown)
        let avatar = INImage(imageData: Data([0x89, 0x50, 0x4E, 0x47]))
        let sender = INPerson(
            personHandle: handle, nameComponents: nil, displayName: info["name"], image: avatar,
            contactIdentifier: nil, customIdentifier: info["id"], isMe: false, suggestionType: .none)
        let me = INPerson(
            personHandle: INPersonHandle(value: "", type: .unknown), nameComponents: nil, displayName: nil, image: nil,
            contactIdentifier: nil, customIdentifier: nil, isMe: true, suggestionType: .none)
        let intent = INSendMessageIntent(
            recipients: [me, sender], outgoingMessageType: .outgoingMessageText, content: content.body,
            speakableGroupName: (content.userInfo["group"] as? String).map { INSpeakableString(spokenPhrase: $0) },
            conversationIdentifier: content.userInfo["conversation"] as? String, serviceName: nil, sender: sender,
            attachments: nil)
        intent.setImage(avatar, forParameterNamed: \.speakableGroupName)

        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = .incoming
        interaction.donate { error in
            if let error = error {
                print(error)
                return contentHandler(content)
            }
            do {
                let updated = try request.content.updating(from: intent)
                contentHandler(updated)
            } catch {
                contentHandler(content)
            }
        }
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler = contentHandler, let bestAttemptContent = bestAttemptContent {
            contentHandler(bestAttemptContent)
        }
    }
}
