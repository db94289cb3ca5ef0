// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// A host whose app has tokens of several owners, and a centre that serves them.
@Suite(.timeLimit(.minutes(4)))
struct HostOwnerTests {
    private static func push(_ title: String) -> String { #"{"aps":{"alert":{"title":"\#(title)"}}}"# }

    /// Runs a command of the host.
    private static func command(_ folder: TemporaryFolder, _ arguments: String...) async throws -> CommandResult {
        try await CommandResult.run(
            Programs.extensionHost,
            Array(arguments.prefix(2)) + ["--config", folder.path + "/host.yaml"] + arguments.dropFirst(2)
        )
    }

    private static func list(_ folder: TemporaryFolder, _ owner: String) async throws -> String {
        try await folder.centerCommand("list", "--owner", owner).output
    }

    /// Waits until a title is in an owner's list.
    private static func until(_ title: String, of owner: String, in folder: TemporaryFolder) async throws {
        while try await !list(folder, owner).contains(title) { try Task.checkCancellation() }
    }

    /// Returns the device token that an owner's app gets of its centre.
    private static func register(_ folder: TemporaryFolder, at place: String) async throws -> String {
        let curl = try #require(Programs.installed("curl"))
        while true {
            let answer = try await CommandResult.run(
                curl,
                ["-s", "--unix-socket", "\(folder.path)/center/\(place)http.sock", "-d", #"{"call":"register"}"#]
                    + ["-H", "content-type: application/json", "http://nestbox/v1/app/com.example.chat/calls"]
            )
            let object = try JSONObject(parsing: Array(answer.output.utf8).span)
            if let token = object["token"]?.string { return token }
            // The host may not be connected yet.
            try #require(object["reason"]?.string == "noHost", "\(answer.output)")
            try Task.checkCancellation()
        }
    }

    @Test func `a push comes to the owner of its token alone, and an app registers for its owner`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder, options: ["--owner", "me", "--owner", "ana"])
            try await RunningHost.with(folder, top: folder.centerTop()) { host in
                let topic = "com.example.chat"
                let minted = try await Self.command(folder, "token", "new", "--topic", topic, "--owner", "ana")
                let token = try #require(minted.output.split(separator: "\n").first.map(String.init))
                let listed = try await Self.command(folder, "token", "list", "--topic", topic).output
                #expect(listed.contains("  of ana\n"), "\(listed)")
                #expect(try await host.post(Self.push("for ana"), token: token) == 200)
                let record = try await host.nextRecord()
                #expect(record?.object["owner"]?.string == "ana")
                #expect(try await host.post(Self.push("for me")) == 200)
                let other = try await host.nextRecord()
                #expect(other != nil && other?.object["owner"] == nil)
                try await Self.until("for ana", of: "ana", in: folder)
                try await Self.until("for me", of: "me", in: folder)
                let own = try await Self.register(folder, at: "owners/ana/")
                #expect(try await Self.register(folder, at: "owners/ana/") == own)
                #expect(try await Self.register(folder, at: "") != own)
                #expect(try await host.post(Self.push("registered"), token: own) == 200)
                try await Self.until("registered", of: "ana", in: folder)
                #expect(try await !Self.list(folder, "me").contains("registered"))
                #expect(try await !Self.list(folder, "me").contains("for ana"))
                #expect(try await !Self.list(folder, "ana").contains("for me"))
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `an app with an extension takes tokens of one owner, and a host with two does not start`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let top = ["state: \(folder.path)/state"]
            let topic = "com.example.chat"
            let reason =
                #""com.example.chat" has an extension, which keeps data, and would serve the owners "ana" and "me""#
            try await RunningHost.with(folder, app: ["extension: \(bundle)"], top: top) { host in
                let refused = try await Self.command(folder, "token", "new", "--topic", topic, "--owner", "ana")
                #expect(refused.status == 1)
                #expect(
                    refused.errors == """
                        extension-host: error: "com.example.chat" has an extension, which keeps data, and would serve the \
                        owners "me" and "ana"
                        extension-host: hint: an extension has one owner for good: run another host, with a state folder \
                        of its own, for the others

                        """
                )
                let own = try await Self.command(folder, "token", "new", "--topic", topic)
                #expect(own.status == 0, "\(own.errors)")
            }
            let other = folder.path + "/other"
            let config = """
                listen: { apns: { port: 0, plaintext: true } }
                state: \(other)
                apps:
                  - topic: com.example.chat
                    device-tokens: ["\(RunningHost.token)"]
                """
            let plain = try folder.write(config, to: "host.yaml")
            #expect(try await Self.command(folder, "token", "new", "--topic", topic, "--owner", "ana").status == 0)
            _ = try folder.write(config + "\n    extension: \(bundle)\n", to: "host.yaml")
            let refused = try await CommandResult.run(Programs.extensionHost, ["serve", "--config", plain])
            #expect(refused.status == 1)
            #expect(refused.errors.contains("extension-host: error: \(reason)\n"), "\(refused.errors)")
        }
    }
}
