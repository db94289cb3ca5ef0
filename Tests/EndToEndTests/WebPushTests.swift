// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// Web Push through gateway, opener, extension and sink; what an app shows a sender is made by the real commands.
@Suite(.timeLimit(.minutes(10)))
struct WebPushTests {
    private static let client = Programs.root + "/Tests/Clients/pywebpush_client.py"
    private static let python = Programs.root + "/.build/clients/bin/python"
    private static let hasClient = FileManager.default.isExecutableFile(atPath: python)

    /// RFC 8291, Appendix A: the subscription's keys, and what the sender posts.
    private static let appendixKey = "web-push: q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94 BTBZMqHH6r4Tts7J_aSIgg\n"
    private static let appendixMessage = """
        DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI/c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A/y\
        l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj/Qulcy4a+fN
        """
    private static let appendixText = "When I grow up, I want to be a watermelon"

    /// The subscription that an app gives to a sender, or to a distributor of UnifiedPush.
    private struct Subscription {
        let endpoint: String
        let p256dh: String
        let auth: String
    }

    private struct Fixture {
        let folder: TemporaryFolder
        let host: RunningHost
        let origin: String

        /// Makes an endpoint with the command that an operator uses.
        func subscribe(_ arguments: String...) async throws -> String {
            let made = try await CommandResult.run(
                Programs.extensionHost,
                ["subscription", "new", "--config", folder.path + "/host.yaml", "--topic", "com.example.chat"]
                    + arguments
            )
            try #require(made.status == 0, "\(made.errors)")
            return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// Posts the message of Appendix A; returns status and headers as curl shows them.
        func post(to endpoint: String, version: String, _ headers: [String] = []) async throws -> String {
            let curl = try #require(Programs.installed("curl"))
            let message = folder.path + "/message"
            let bytes = try #require(Data(base64Encoded: WebPushTests.appendixMessage))
            try bytes.write(to: URL(fileURLWithPath: message))
            return try await CommandResult.run(
                curl,
                [
                    "-s", "-i", version, "-H", "TTL: 60", "-H", "Content-Encoding: aes128gcm", "--data-binary",
                    "@" + message,
                ]
                    + headers.flatMap { ["-H", $0] } + [endpoint]
            ).output
        }
    }

    private static func with<Result>(
        key: String = appendixKey,
        _ body: (Fixture) async throws -> Result
    ) async throws -> Result {
        try await TemporaryFolder.with { folder in
            let keyFile = try folder.write(key, to: "subscription.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let port = try FreePort.find()
            let origin = "http://127.0.0.1:\(port)"
            let configuration = """
                listen: { web-push: { public-origin: "\(origin)", port: \(port), plaintext: true } }
                state: ./state
                apps:
                  - topic: com.example.chat
                    extension: \(bundle)
                    keys: [\(keyFile)]
                    accept: [web-push]
                    web-push: { title: Chat, fallback: Something came }
                """
            let file = try folder.write(configuration, to: "host.yaml")
            let host = try await RunningHost(configuration: file)
            do {
                let result = try await body(Fixture(folder: folder, host: host, origin: origin))
                host.terminate()
                #expect(await host.exitStatus == 0)
                return result
            } catch {
                host.terminate()
                throw error
            }
        }
    }

    @Test(arguments: ["--http1.1", "--http2-prior-knowledge"])
    func `the message of RFC 8291 arrives opened and extended`(_ version: String) async throws {
        try await Self.with { fixture in
            let endpoint = try await fixture.subscribe()
            #expect(endpoint.hasPrefix(fixture.origin + "/push/"))
            #expect(endpoint.utf8.count == fixture.origin.utf8.count + 33)
            let answer = try await fixture.post(to: endpoint, version: version).lowercased()
            #expect(answer.contains(" 201"), "\(answer)")
            #expect(answer.contains("location: \(fixture.origin)/push-message/"), "\(answer)")
            #expect(answer.contains("ttl: 60"), "\(answer)")
            let record = try await fixture.host.nextRecord()
            #expect(record?.outcome == "modified")
            #expect(record?.alert?["body"]?.string == Self.appendixText)
            #expect(
                record?.payload?["encryption"] == ["format": "web-push", "authenticated": true, "sender": nil]
            )
        }
    }

    @Test func `a repeat has the place of the first and no second record`() async throws {
        try await Self.with { fixture in
            let endpoint = try await fixture.subscribe()
            var places: [String] = []
            for _ in 0..<3 {
                let answer = try await fixture.post(to: endpoint, version: "--http1.1").lowercased()
                places += answer.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("location:") }.map(
                    String.init
                )
            }
            #expect(places.count == 3)
            #expect(Set(places).count == 1)
            #expect(try await fixture.host.nextRecord()?.outcome == "modified")
            fixture.host.terminate()
            #expect(try await fixture.host.remainingRecords().isEmpty)
        }
    }

    @Test func `a message for other keys shows the app's own words`() async throws {
        let made = try await CommandResult.run(Programs.sealPayload, ["keygen", "--format", "web-push"])
        try await Self.with(key: made.output) { fixture in
            let endpoint = try await fixture.subscribe()
            let answer = try await fixture.post(to: endpoint, version: "--http2-prior-knowledge")
            #expect(answer.contains(" 201"), "\(answer)")
            let record = try await fixture.host.nextRecord()
            #expect(record?.alert?["body"] == "Something came")
        }
    }

    @Test func `a removed endpoint is 410, one that never was 404`() async throws {
        try await Self.with { fixture in
            let endpoint = try await fixture.subscribe()
            let removed = try await CommandResult.run(
                Programs.extensionHost,
                ["subscription", "remove", "--config", fixture.folder.path + "/host.yaml", endpoint]
            )
            #expect(removed.status == 0, "\(removed.errors)")
            var answer = ""
            repeat {
                try Task.checkCancellation()
                answer = try await fixture.post(to: endpoint, version: "--http1.1")
            } while !answer.contains(" 410 ")
            let nobody = fixture.origin + "/push/" + String(repeating: "n", count: 27)
            #expect(try await fixture.post(to: nobody, version: "--http1.1").contains(" 404 "))
        }
    }

    // MARK: pywebpush

    private static func subscription(
        _ fixture: Fixture,
        keygen: CommandResult,
        _ endpoint: String
    ) throws -> Subscription {
        func value(_ name: String) throws -> String {
            let start = "seal-payload: \(name): "
            let line = keygen.errors.split(separator: "\n").first { $0.hasPrefix(start) }
            return String(try #require(line).dropFirst(start.count))
        }
        return Subscription(endpoint: endpoint, p256dh: try value("p256dh"), auth: try value("auth"))
    }

    private static func push(
        _ text: String,
        to subscription: Subscription,
        _ arguments: String...
    ) async throws -> JSONObject {
        let result = try await CommandResult.run(
            python,
            [
                client, "--endpoint", subscription.endpoint, "--p256dh", subscription.p256dh,
                // One of 64 begins as an option does.
                "--auth=\(subscription.auth)",
            ] + arguments,
            input: text
        )
        return try #require(try? JSONObject(parsing: Array(result.output.utf8).span), "\(result.errors)")
    }

    @Test(.enabled(if: hasClient, "needs pywebpush: scripts/clients installs it"))
    func `pywebpush delivers what seal-payload made keys for`() async throws {
        let keygen = try await CommandResult.run(Programs.sealPayload, ["keygen", "--format", "web-push"])
        try await Self.with(key: keygen.output) { fixture in
            let endpoint = try await fixture.subscribe()
            let subscription = try Self.subscription(fixture, keygen: keygen, endpoint)
            let answer = try await Self.push(
                #"{"title":"Alice","body":"Lunch?"}"#,
                to: subscription,
                "--topic",
                "lunch",
                "--urgency",
                "high"
            )
            #expect(answer["status"]?.integer == 201, "\(answer)")
            #expect(answer["ttl"] == "60")
            let record = try await fixture.host.nextRecord()
            #expect(record?.alert?["body"] == "Lunch?")
            #expect(record?.object["identifier"] == "lunch")
        }
    }

    @Test(.enabled(if: hasClient, "needs pywebpush: scripts/clients installs it"))
    func `an endpoint for one sender takes what that one signed`() async throws {
        let keygen = try await CommandResult.run(Programs.sealPayload, ["keygen", "--format", "web-push"])
        try await Self.with(key: keygen.output) { fixture in
            let key = fixture.folder.path + "/vapid.pem"
            let made = try await CommandResult.run(Self.python, [Self.client, "--make-vapid-key", key])
            let publicKey = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
            let endpoint = try await fixture.subscribe("--vapid-key", publicKey)
            let subscription = try Self.subscription(fixture, keygen: keygen, endpoint)
            let signed = try await Self.push("Lunch?", to: subscription, "--vapid-key", key)
            #expect(signed["status"]?.integer == 201, "\(signed)")
            #expect(try await fixture.host.nextRecord()?.alert?["body"] == "Lunch?")
            let unsigned = try await Self.push("Lunch?", to: subscription)
            #expect(unsigned["status"]?.integer == 401, "\(unsigned)")
            let other = fixture.folder.path + "/other.pem"
            _ = try await CommandResult.run(Self.python, [Self.client, "--make-vapid-key", other])
            let stranger = try await Self.push("Lunch?", to: subscription, "--vapid-key", other)
            #expect(stranger["status"]?.integer == 403, "\(stranger)")
        }
    }
}
