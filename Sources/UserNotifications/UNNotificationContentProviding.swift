// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An object that a notification's content can be updated from, such as a message intent.
///
/// Apple's intents conform to it; so does `INSendMessageIntent` of the module Intents here. A class of an app may not:
/// ``UNNotificationContent/updating(from:)`` refuses it, there as here.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

/// A provider that tells of a message between people; module Intents has them.
///
/// Module Intents knows this one, and not the other way around: an extension without intents is not to link it.
package protocol CommunicationProviding: UNNotificationContentProviding {
    /// The message and its sender; `nil` means that the message has no sender.
    var communication: Communication? { get }
}

/// The sender, group and conversation that a notification shows of a message between people.
package struct Communication: Sendable, Equatable {
    /// "" leaves the title as it is.
    package var senderName: String
    package var groupName: String?
    package var conversationIdentifier: String?

    package init(senderName: String, groupName: String?, conversationIdentifier: String?) {
        self.senderName = senderName
        self.groupName = groupName
        self.conversationIdentifier = conversationIdentifier
    }

    /// The sender becomes the title, the group the subtitle, the conversation the thread of a content without one.
    func update(_ fields: inout ContentFields) {
        if !senderName.isEmpty { fields.title = senderName }
        if let groupName, !groupName.isEmpty { fields.subtitle = groupName }
        if fields.threadIdentifier.isEmpty { fields.threadIdentifier = conversationIdentifier ?? "" }
    }
}
