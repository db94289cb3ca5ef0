// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The promises of the examples' own READMEs beyond the suite's one push.
@Suite(.timeLimit(.minutes(5)))
struct ExampleTests {
    /// An interpreter with the module that the sender needs.
    private static let python = [Programs.installed("python3")].compactMap(\.self).first { interpreter in
        let process = Process()
        process.executableURL = URL(fileURLWithPath: interpreter)
        process.arguments = ["-c", "import cryptography"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Builds an example and runs a push through it.
    private func record(
        _ example: String,
        _ push: String,
        entitlements: String? = nil,
        in folder: TemporaryFolder
    ) async throws -> Record {
        let bundle = folder.path + "/\(example).appex"
        let sources = Programs.root + "/Examples/" + example
        let files =
            entitlements.map {
                [sources + "/NotificationService.swift", "--info", sources + "/Info.plist", "--entitlements", $0]
            }
            ?? [sources]
        let built = try await CommandResult.run(Programs.extensionHost, ["build"] + files + ["-o", bundle])
        try #require(built.status == 0, "\(built.errors)")
        return Record(object: try await HostRun(bundle, try folder.write(push, to: "push.json"), []).record)
    }

    private func push(of example: String) throws -> String {
        try String(contentsOfFile: Programs.root + "/Examples/\(example)/push.apns", encoding: .utf8)
    }

    @Test(.enabled(if: python != nil, "no /usr/bin/python3 with cryptography (Debian: python3-cryptography)"))
    func `what chat.py encrypts is read`() async throws {
        let made = try await CommandResult.run(
            try #require(Self.python),
            [Programs.root + "/Examples/senders/chat.py", "Bob", "garden", "Bring a chair"]
        )
        try #require(made.status == 0, "\(made.errors)")
        try await TemporaryFolder.with { folder in
            let record = try await record("DecryptingExtension", made.output, in: folder)
            #expect(record.alert == ["title": "Bob", "body": "Bring a chair"])
            #expect(record.payload?.aps?["thread-id"] == "garden")
        }
    }

    @Test func `a chat message that was changed on its way is not read`() async throws {
        let push = try push(of: "DecryptingExtension")
        let changed = push.replacing("GOo5dO7F", with: "GOo5dO7E")
        try #require(changed != push)
        try await TemporaryFolder.with { folder in
            let record = try await record("DecryptingExtension", changed, in: folder)
            #expect(record.outcome == "modified")
            #expect(
                record.alert == [
                    "title": "Chat", "body": "New message", "subtitle": "It cannot be read on this device.",
                ]
            )
        }
    }

    @Test func `without the entitlement what is muted is delivered as it was sent`() async throws {
        try await TemporaryFolder.with { folder in
            let none = try folder.write("<plist version=\"1.0\"><dict></dict></plist>", to: "None.entitlements")
            let record = try await record(
                "SuppressingExtension",
                try push(of: "SuppressingExtension"),
                entitlements: none,
                in: folder
            )
            #expect(record.outcome == "original")
            #expect(record.reason == "emptyContent")
            #expect(record.alert == ["title": "Shop", "body": "A discount for you"])
        }
    }
}
