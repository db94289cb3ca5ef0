// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The kind of an outgoing message.
public enum INOutgoingMessageType: Int, Sendable {
    /// No kind is given.
    case unknown = 0
    /// Text.
    case outgoingMessageText = 1
    /// A recording.
    case outgoingMessageAudio = 2
}

// SAFETY: immutable after `init`.
/// A file of a message.
open class INFile: NSObject, @unchecked Sendable {
    /// The bytes; nil for a file at a URL.
    public let data: Data?
    /// The place of the attachment's file; `nil` means that it was made of bytes.
    public let fileURL: URL?
    /// The attachment's name.
    public let filename: String
    /// Uniform type identifier.
    public let typeIdentifier: String?

    /// A file of bytes.
    public init(data: Data, filename: String, typeIdentifier: String?) {
        (self.data, fileURL, self.filename, self.typeIdentifier) = (data, nil, filename, typeIdentifier)
    }

    /// A file at a URL.
    public init(fileURL: URL, filename: String?, typeIdentifier: String?) {
        (data, self.fileURL, self.typeIdentifier) = (nil, fileURL, typeIdentifier)
        self.filename = filename ?? fileURL.lastPathComponent
    }
}

// SAFETY: immutable after `init`.
/// A recording sent with a message; stored without effect.
open class INSendMessageAttachment: NSObject, @unchecked Sendable {
    /// The recording.
    public let audioMessageFile: INFile?

    /// A recording.
    public init(audioMessageFile: INFile) {
        self.audioMessageFile = audioMessageFile
    }
}

// SAFETY: its own properties are immutable after `init`.
/// A message, sent by the user or to the user.
///
/// `content.updating(from: intent)` makes a communication notification of it: the sender's name becomes the title, the
/// group's name the subtitle, the conversation the thread.
open class INSendMessageIntent: INIntent, @unchecked Sendable {
    /// The people who get the message; more than one make it a group's message.
    public let recipients: [INPerson]?
    /// The kind of the message, when the user sends it.
    public let outgoingMessageType: INOutgoingMessageType
    /// The text.
    public let content: String?
    /// The name of the group.
    public let speakableGroupName: INSpeakableString?
    /// The app's identifier of the conversation.
    public let conversationIdentifier: String?
    /// The name of the service.
    public let serviceName: String?
    /// The person who sent the message.
    public let sender: INPerson?
    /// Recordings.
    public let attachments: [INSendMessageAttachment]?

    /// The name of the group as text.
    open var groupName: String? { speakableGroupName?.spokenPhrase }

    /// A message of a kind.
    public init(
        recipients: [INPerson]?,
        outgoingMessageType: INOutgoingMessageType,
        content: String?,
        speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?,
        serviceName: String?,
        sender: INPerson?,
        attachments: [INSendMessageAttachment]?
    ) {
        self.recipients = recipients
        self.outgoingMessageType = outgoingMessageType
        self.content = content
        self.speakableGroupName = speakableGroupName
        self.conversationIdentifier = conversationIdentifier
        self.serviceName = serviceName
        self.sender = sender
        self.attachments = attachments
    }

    /// A message.
    public convenience init(
        recipients: [INPerson]?,
        content: String?,
        speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?,
        serviceName: String?,
        sender: INPerson?
    ) {
        self.init(
            recipients: recipients,
            outgoingMessageType: .unknown,
            content: content,
            speakableGroupName: speakableGroupName,
            conversationIdentifier: conversationIdentifier,
            serviceName: serviceName,
            sender: sender,
            attachments: nil
        )
    }

    /// A message of a group by its plain name.
    public convenience init(
        recipients: [INPerson]?,
        content: String?,
        groupName: String?,
        serviceName: String?,
        sender: INPerson?
    ) {
        self.init(
            recipients: recipients,
            content: content,
            speakableGroupName: groupName.map(INSpeakableString.init(spokenPhrase:)),
            conversationIdentifier: nil,
            serviceName: serviceName,
            sender: sender
        )
    }
}

// SAFETY: written before it is donated, by the thread that made it, as on Apple's platforms.
/// Facts about a donated message that its intent does not hold; stored without effect.
open class INSendMessageIntentDonationMetadata: INIntentDonationMetadata, @unchecked Sendable {
    /// True if the message names the user.
    open var mentionsCurrentUser = false
    /// True if the message answers the user.
    open var isReplyToCurrentUser = false
    /// True if the recipient is told in spite of a focus.
    open var notifyRecipientAnyway = false
    /// The number of people that the message went to.
    open var recipientCount = 0

    /// Says nothing.
    public override init() {}
}
