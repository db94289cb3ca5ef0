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

    /// Posts a push for each token, one after the other, and returns the counts that the extension tells.
    private static func counts(_ host: RunningHost, _ tokens: String...) async throws -> [String?] {
        let body = #"{"aps":{"alert":{"title":"t"},"mutable-content":1},"behave":"remember"}"#
        var counts: [String?] = []
        for token in tokens {
            let status = try await host.post(body, token: token)
            #expect(status == 200)
            let record = try await host.nextRecord()
            counts.append(record?.alert?["title"]?.string)
        }
        return counts
    }

    /// The configuration of a host whose extension counts what it keeps.
    private static func counting(_ bundle: String, in folder: TemporaryFolder, hasToken: Bool = true) -> String {
        """
        listen: { apns: { port: 0, plaintext: true } }
        state: \(folder.path)/state
        apps:
          - topic: com.example.chat
            device-tokens: [\(hasToken ? #""\#(RunningHost.token)""# : "")]
            extension: \(bundle)
        """
    }

    private static func withCounting(
        _ folder: TemporaryFolder,
        _ file: String,
        profile: String = "A",
        _ body: (RunningHost) async throws -> Void
    ) async throws {
        let host = try await RunningHost(configuration: file, options: ["--profile", profile])
        defer { host.terminate() }
        try await body(host)
        host.terminate()
        #expect(await host.exitStatus == 0)
    }

    /// Makes a token of an owner.
    private static func mint(_ folder: TemporaryFolder, _ owner: String) async throws -> String {
        let minted = try await command(folder, "token", "new", "--topic", "com.example.chat", "--owner", owner)
        #expect(minted.status == 0, "\(minted.errors)")
        return try #require(minted.output.split(separator: "\n").first.map(String.init))
    }

    @Test(arguments: ["A", "B", "C"])
    func `an extension keeps of each owner what was that owner's, also over a restart`(profile: String) async throws {
        try await TemporaryFolder.with { folder in
            for path in ["", "/state"] {
                try FileManager.default.createDirectory(atPath: folder.path + path, withIntermediateDirectories: true)
                try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: folder.path + path)
            }
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let file = try folder.write(Self.counting(bundle, in: folder), to: "host.yaml")
            var hers = ""
            try await Self.withCounting(folder, file, profile: profile) { host in
                let mine = RunningHost.token
                hers = try await Self.mint(folder, "maria")
                let counts = try await Self.counts(host, mine, hers, mine, mine, hers)
                #expect(counts == ["1 1 1 1", "1 1 1 1", "2 2 2 2", "3 3 3 3", "2 2 2 2"])
            }
            let kept = folder.path + "/state/owners/maria"
            let names = try FileManager.default.contentsOfDirectory(atPath: kept).sorted()
            #expect(names == ["apps", "keychains"])
            try await Self.withCounting(folder, file, profile: profile) { host in
                let counts = try await Self.counts(host, hers, RunningHost.token)
                #expect(counts == ["1 3 3 3", "1 4 4 4"])
            }
        }
    }

    @Test func `the first owner of an extension keeps its folder when others come`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let without = Self.counting(bundle, in: folder, hasToken: false)
            let file = try folder.write(without, to: "host.yaml")
            let hers = try await Self.mint(folder, "maria")
            try await Self.withCounting(folder, file) { host in
                let counts = try await Self.counts(host, hers)
                #expect(counts == ["1 1 1 1"])
            }
            _ = try folder.write(Self.counting(bundle, in: folder), to: "host.yaml")
            try await Self.withCounting(folder, file) { host in
                let counts = try await Self.counts(host, RunningHost.token, hers)
                #expect(counts == ["1 1 1 1", "1 2 2 2"])
            }
            let state = folder.path + "/state"
            let keychains = try FileManager.default.contentsOfDirectory(atPath: state + "/keychains")
            #expect(keychains == ["com.example.chat"])
            let owners = try FileManager.default.contentsOfDirectory(atPath: state + "/owners")
            #expect(owners == ["me"])
        }
    }
}
