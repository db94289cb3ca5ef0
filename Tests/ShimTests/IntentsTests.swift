// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import Intents
import Testing
import UserNotifications

struct IntentsTests {
    private static let sender = INPerson(
        personHandle: INPersonHandle(value: "alice@example.com", type: .emailAddress),
        nameComponents: nil,
        displayName: "Alice",
        image: INImage(imageData: Data([1])),
        contactIdentifier: nil,
        customIdentifier: "7"
    )

    private static func intent(sender: INPerson? = Self.sender, group: String? = "Hikers") -> INSendMessageIntent {
        INSendMessageIntent(
            recipients: nil,
            outgoingMessageType: .outgoingMessageText,
            content: "text",
            speakableGroupName: group.map(INSpeakableString.init(spokenPhrase:)),
            conversationIdentifier: "room-1",
            serviceName: nil,
            sender: sender,
            attachments: nil
        )
    }

    private static var content: UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = "Old"
        content.subtitle = "Older"
        content.body = "Lunch?"
        content.badge = 3
        return content
    }

    @Test func `a message gives sender, group and conversation, and leaves the rest`() throws {
        let updated = try Self.content.updating(from: Self.intent())
        #expect(updated.title == "Alice")
        #expect(updated.subtitle == "Hikers")
        #expect(updated.threadIdentifier == "room-1")
        #expect(updated.body == "Lunch?")
        #expect(updated.badge == 3)
        #expect(!(updated is UNMutableNotificationContent))
    }

    @Test func `a thread that is there stays, and so does the subtitle without a group`() throws {
        let content = Self.content
        content.threadIdentifier = "mine"
        let updated = try content.updating(from: Self.intent(group: nil))
        #expect(updated.threadIdentifier == "mine")
        #expect(updated.subtitle == "Older")
        #expect(content.title == "Old")
    }

    @Test func `a message without a sender is refused`() {
        #expect(throws: UNError(.contentProvidingInvalid)) {
            try Self.content.updating(from: Self.intent(sender: nil))
        }
    }

    @Test func `any other provider is refused`() {
        final class Provider: NSObject, UNNotificationContentProviding {}
        #expect(throws: UNError(.contentProvidingObjectNotAllowed)) { try Self.content.updating(from: Provider()) }
    }

    @Test func `a person is called by name, else by its parts, else by the address`() {
        var parts = PersonNameComponents()
        parts.givenName = "Alice"
        parts.familyName = "Ames"
        let handle = INPersonHandle(value: "+1", type: .phoneNumber, label: .mobile)
        func name(_ displayName: String?, _ parts: PersonNameComponents?) -> String {
            INPerson(
                personHandle: handle,
                nameComponents: parts,
                displayName: displayName,
                image: nil,
                contactIdentifier: nil,
                customIdentifier: nil,
                isMe: false
            ).displayName
        }
        #expect(name("Al", parts) == "Al")
        #expect(name(nil, parts) == "Alice Ames")
        #expect(name("", nil) == "+1")
    }

    @Test func `a picture belongs to its parameter`() {
        let intent = Self.intent()
        let image = INImage(named: "group")
        intent.setImage(image, forParameterNamed: \.speakableGroupName)
        #expect(intent.image(forParameterNamed: \.speakableGroupName) === image)
        #expect(intent.image(forParameterNamed: \.sender) == nil)
        #expect(intent.keyImage() === image)
        let metadata = INSendMessageIntentDonationMetadata()
        metadata.mentionsCurrentUser = true
        intent.donationMetadata = metadata
        #expect(intent.donationMetadata === metadata)
    }
}

extension LogTests {
    struct DonationTests {
        @Test func `a donation succeeds, and nobody learns from it`() async throws {
            let intent = INSendMessageIntent(
                recipients: [],
                content: nil,
                groupName: "Hikers",
                serviceName: nil,
                sender: nil
            )
            let interaction = INInteraction(intent: intent, response: nil)
            interaction.direction = .incoming
            var answers: [Bool] = []
            let lines = recordingLog {
                interaction.donate { error in answers.append(error == nil) }
                interaction.donate(completion: nil)
            }
            #expect(answers == [true])
            #expect(lines.map(\.message) == ["an interaction was donated: nobody learns from it here"])
            try await interaction.donate()
        }
    }
}
