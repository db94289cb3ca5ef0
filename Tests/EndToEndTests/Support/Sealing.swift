// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// Keys of one test, made by the sender's own command.
struct TestKeys {
    let recipient: String
    let sender: String
    let recipientPublic: String
    let senderPublic: String

    init(in folder: TemporaryFolder) async throws {
        recipient = folder.path + "/recipient.key"
        sender = folder.path + "/sender.key"
        recipientPublic = try await Self.make(recipient)
        senderPublic = try await Self.make(sender)
    }

    private static func make(_ file: String) async throws -> String {
        let made = try await CommandResult.run(Programs.sealPayload, ["keygen", "-o", file])
        try #require(made.status == 0, "\(made.errors)")
        let shown = try await CommandResult.run(Programs.sealPayload, ["keygen", "-y", file])
        return shown.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Seals a payload for `com.example.chat`; returns the body of the push.
    func seal(_ payload: String, _ arguments: [String] = []) async throws -> String {
        let sealed = try await CommandResult.run(
            Programs.sealPayload,
            ["-r", recipientPublic, "--topic", "com.example.chat"] + arguments,
            input: payload
        )
        try #require(sealed.status == 0, "\(sealed.errors)")
        return sealed.output
    }

    /// The lines of an app that has these keys.
    var configuration: [String] { ["keys: [\(recipient)]"] }

    /// The same, and knows the sender.
    var configurationWithSender: [String] {
        configuration + ["senders: [{ public-key: \(senderPublic), name: chat-server }]"]
    }
}
