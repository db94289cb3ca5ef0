// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// Clients of APNs as they are published, with another endpoint and nothing else changed: each delivers a sealed push.
@Suite(.timeLimit(.minutes(10)))
struct ProviderClientTests {
    private static let aioapns = PythonClient.pythons(with: "aioapns, cryptography")
    private static let kalyke = PythonClient.pythons(with: "kalyke")
    private static let topic = "com.example.chat"
    private static let keyID = "CHATKEY001"

    /// Runs a host that takes provider tokens of one key over TLS, or anything without it; `send` gets a sealed push.
    private func deliver(
        tls: Bool = true,
        _ send: (RunningHost, Provider, String) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let provider = try await Provider(in: folder)
            let key = try await provider.makeKey(Self.keyID, "topics: [\(Self.topic)]")
            let auth = "auth: { teams: [{ team: \(Provider.team), keys: [\(key)] }] }"
            let keys = try await TestKeys(in: folder)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            try await RunningHost.with(
                folder,
                app: ["extension: \(bundle)"] + keys.configuration,
                security: tls ? "\(provider.security), \(auth)" : "plaintext: true"
            ) { host in
                try await send(host, provider, try await keys.seal(OpeningTests.message))
                let record = try await host.nextRecord()
                #expect(record?.outcome == "modified")
                #expect(record?.alert == ["title": "handled", "body": "Lunch?"])
            }
        }
    }

    private func signed(_ provider: Provider) -> [String] {
        [
            "--key", provider.file(Self.keyID + ".p8"), "--key-id", Self.keyID, "--team", Provider.team, "--topic",
            Self.topic, "--token", RunningHost.token,
        ]
    }

    @Test(
        .enabled(if: !aioapns.isEmpty, "needs python3-aioapns: scripts/setup installs it, scripts/clients a later one"),
        arguments: aioapns
    )
    func `aioapns delivers over TLS with a provider token`(_ python: String) async throws {
        try await deliver { host, provider, sealed in
            let result = try await PythonClient(python, "aioapns_client.py").run(
                ["--host", "localhost", "--port", "\(host.port)", "--ca", provider.serverCertificate]
                    + signed(provider),
                input: sealed
            )
            try #require(result.status == 0, "\(result.output)\(result.errors)")
        }
    }

    @Test(.enabled(if: !kalyke.isEmpty, "needs kalyke-apns: scripts/clients installs it"), arguments: kalyke)
    func `kalyke delivers over TLS with a provider token`(_ python: String) async throws {
        try await deliver { host, provider, sealed in
            let result = try await PythonClient(python, "kalyke_client.py").run(
                ["--base", "https://localhost:\(host.port)"] + signed(provider),
                input: sealed,
                environment: ["SSL_CERT_FILE": provider.serverCertificate]
            )
            try #require(result.status == 0, "\(result.output)\(result.errors)")
        }
    }

    @Test(
        .enabled(if: !HTTPXClient.pythons.isEmpty, "needs python3-httpx and python3-h2: scripts/setup installs them"),
        arguments: HTTPXClient.pythons
    )
    func `httpx delivers over TLS with a provider token, once for one id`(_ python: String) async throws {
        try await deliver { host, provider, sealed in
            let id: JSON = "0D9A7CA8-92DC-4D5A-8C1F-7B0A1B2C3D4E"
            let push: JSONObject = [
                "name": "sealed", "path": .string("/3/device/" + RunningHost.token), "body": .string(sealed),
                "key": .string(Self.keyID), "headers": ["apns-topic": .string(Self.topic), "apns-id": id],
            ]
            let client = HTTPXClient(
                base: "https://localhost:\(host.port)",
                certificate: provider.serverCertificate,
                keys: [
                    Self.keyID: [
                        "file": .string(provider.file(Self.keyID + ".p8")), "id": .string(Self.keyID),
                        "team": .string(Provider.team),
                    ]
                ]
            )
            let answers = try await client.send([push, push], python: python)
            #expect(answers.map(\.status) == [200, 200])
            // As it was spelled.
            #expect(answers.map { $0.headers["apns-id"] } == [id, id])
            #expect(answers.allSatisfy { $0.headers["apns-unique-id"] != nil && $0.version == "HTTP/2" })
            host.terminate()
            // The one record is looked at by the caller.
        }
    }

    @Test func `curl delivers over h2c`() async throws {
        try await deliver(tls: false) { host, _, sealed in
            let status = try await host.post(sealed)
            #expect(status == 200)
        }
    }

    @Test func `nghttp delivers over h2c`() async throws {
        let nghttp = try #require(Programs.installed("nghttp"))
        try await deliver(tls: false) { host, provider, sealed in
            let result = try await CommandResult.run(
                nghttp,
                [
                    "-v", "-d", try provider.folder.write(sealed, to: "sealed.json"), "-H",
                    "apns-topic: \(Self.topic)", "http://127.0.0.1:\(host.port)/3/device/\(RunningHost.token)",
                ]
            )
            #expect(result.output.contains(":status: 200"), "\(result.output)")
        }
    }
}
