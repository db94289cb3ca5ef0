// SPDX-License-Identifier: Apache-2.0

public import UserNotifications

extension INSendMessageIntent: UNNotificationContentProviding {}

extension INSendMessageIntent: CommunicationProviding {
    package var communication: Communication? {
        sender.map {
            Communication(
                senderName: $0.displayName,
                groupName: groupName,
                conversationIdentifier: conversationIdentifier
            )
        }
    }
}
