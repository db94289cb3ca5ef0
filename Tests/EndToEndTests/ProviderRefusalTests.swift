// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Ingress
import NotificationPayload
import Testing

/// Every refusal of APNs that a sender can provoke, from a running host, through a client that is not ours.
@Suite(.timeLimit(.minutes(10)))
struct ProviderRefusalTests {
    private static let hasHTTPX = !HTTPXClient.pythons.isEmpty
    private static let missing: Comment = "needs python3-httpx and python3-h2: scripts/setup installs them"

    private static let chat = "com.example.chat"
    private static let mail = "com.example.mail"
    private static let path = "/3/device/" + RunningHost.token
    private static let mailPath = "/3/device/" + String(RunningHost.token.reversed())
    private static let push: JSON = #"{"aps":{"alert":{"body":"hi"}}}"#

    /// One row of the table: what is changed about a push that would be taken, on one connection or another.
    private struct Row {
        let reason: RefusalReason
        var changes: JSONObject = [:]
        var headers: JSONObject = [:]

        var request: JSONObject { ProviderRefusalTests.request(reason.rawValue, changes, headers: headers) }
    }

    /// A push that would be taken, but for the changes; null takes something away.
    private static func request(
        _ name: String,
        _ changes: JSONObject = [:],
        headers: JSONObject = [:]
    ) -> JSONObject {
        func merged(_ all: JSONObject, _ changes: JSONObject) -> JSONObject {
            JSONObject(
                (all.members.filter { changes[$0.key] == nil } + changes.members.filter { $0.value != .null })
                    .map { ($0.key, $0.value) }
            )
        }
        let push: JSONObject = ["name": .string(name), "path": .string(path), "body": push, "key": "CHATKEY001"]
        return merged(
            merged(push, ["headers": .object(merged(["apns-topic": .string(chat)], headers))]),
            changes
        )
    }

    /// In the order in which the host looks for them.
    private static let rows = [
        Row(reason: .badPath, changes: ["path": "/4/device"]),
        Row(reason: .methodNotAllowed, changes: ["method": "PUT"]),
        Row(reason: .duplicateHeaders, changes: ["also": ["apns-topic": .string(mail)]]),
        Row(reason: .missingProviderToken, changes: ["key": .null]),
        Row(reason: .invalidProviderToken, changes: ["key": "MAILKEY001"]),
        Row(reason: .expiredProviderToken, changes: ["age": 4000]),
        Row(reason: .badEnvironmentKeyInToken, changes: ["key": "PRODKEY001"]),
        Row(reason: .badCertificate, changes: ["key": .null, "connection": "stranger"]),
        Row(reason: .badCertificateEnvironment, changes: ["key": .null, "connection": "production"]),
        Row(reason: .badMessageId, headers: ["apns-id": "1"]),
        Row(reason: .badExpirationDate, headers: ["apns-expiration": "soon"]),
        Row(reason: .badPriority, headers: ["apns-priority": "11"]),
        Row(reason: .invalidPushType, headers: ["apns-push-type": "loud"]),
        Row(reason: .badTopic, changes: ["key": "OTHERKEY01"], headers: ["apns-topic": "com.example.nothing"]),
        Row(reason: .badCollapseId, headers: ["apns-collapse-id": .string(String(repeating: "c", count: 65))]),
        Row(reason: .missingDeviceToken, changes: ["path": "/3/device/"]),
        Row(reason: .badDeviceToken, changes: ["path": "/3/device/abc"]),
        Row(reason: .deviceTokenNotForTopic, changes: ["path": .string(mailPath)]),
        Row(reason: .payloadTooLarge, changes: ["byteCount": 4097]),
        Row(reason: .payloadEmpty, changes: ["body": "{}"]),
        Row(reason: .idleTimeout, changes: ["connection": "slow", "stallSeconds": 15]),
        // A thousand at once are a device's allowance, and a hundred more come with each second: a host that takes two
        // thousand within ten seconds refuses some. A slower one is sent as many again.
        Row(
            reason: .tooManyRequests,
            changes: ["connection": "eager", "until": "TooManyRequests", "atOnce": 2000, "atMost": 10]
        ),
    ]

    private static let strictRows = [
        Row(reason: .missingTopic, headers: ["apns-topic": .null]),
        Row(reason: .unrelatedKeyIdInToken, changes: ["key": "OTHERKEY01"]),
        Row(reason: .tooManyProviderTokenUpdates, changes: ["age": 60]),
    ]

    /// The reasons that need more than a request, each in a test below, and the client that shows each.
    private static let others: [RefusalReason: String] = [
        .unregistered: "httpx", .serviceUnavailable: "httpx", .shutdown: "bash",
    ]

    @Test func `no reason is left out`() {
        var clients = Self.others
        for row in Self.rows + Self.strictRows { clients[row.reason] = "httpx" }
        for reason in RefusalReason.allCases {
            print(reason.status, reason.rawValue, "through", clients[reason] ?? "nobody")
        }
        // A bug of ours, and none is known.
        #expect(Set(RefusalReason.allCases).subtracting(clients.keys) == [.internalServerError])
        #expect(clients.count == Self.rows.count + Self.strictRows.count + Self.others.count)
    }

    private func configuration(_ provider: Provider, conformance: String = "lenient") async throws -> String {
        var keys: [String] = []
        keys.append(try await provider.makeKey("CHATKEY001", "topics: [\(Self.chat), \(Self.mail)]"))
        keys.append(try await provider.makeKey("MAILKEY001", "topics: [\(Self.mail)]"))
        keys.append(try await provider.makeKey("PRODKEY001", "environment: production"))
        keys.append(try await provider.makeKey("OTHERKEY01"))
        _ = try await provider.makeCertificate("stranger")
        let listed = try await provider.makeCertificate("production")
        return try provider.folder.write(
            """
            listen:
              apns:
                port: 0
                certificate: server.pem
                key: server.key
                environment: development
                conformance: \(conformance)
                auth:
                  teams: [{ team: \(Provider.team), keys: [\(keys.joined(separator: ", "))] }]
                  certificates: [{ sha256: "\(listed)", topics: [\(Self.chat)], environment: production }]
            state: state
            apps:
              - { topic: \(Self.chat), device-tokens: ["\(RunningHost.token)"] }
              - { topic: \(Self.mail), device-tokens: ["\(String(RunningHost.token.reversed()))"] }

            """,
            to: "host.yaml"
        )
    }

    private func client(_ host: RunningHost, _ provider: Provider) -> HTTPXClient {
        func key(_ id: String) -> JSON {
            ["file": .string(provider.file("\(id).p8")), "id": .string(id), "team": .string(Provider.team)]
        }
        func certificate(_ name: String) -> JSON {
            ["certificate": .string(provider.file("\(name).pem")), "key": .string(provider.file("\(name).key"))]
        }
        return HTTPXClient(
            base: "https://localhost:\(host.port)",
            certificate: provider.serverCertificate,
            keys: [
                "CHATKEY001": key("CHATKEY001"), "MAILKEY001": key("MAILKEY001"), "PRODKEY001": key("PRODKEY001"),
                "OTHERKEY01": key("OTHERKEY01"),
            ],
            certificates: ["stranger": certificate("stranger"), "production": certificate("production")]
        )
    }

    private func withHost(
        conformance: String = "lenient",
        _ body: (RunningHost, Provider) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let provider = try await Provider(in: folder)
            let file = try await configuration(provider, conformance: conformance)
            let host = try await RunningHost(configuration: file, options: [])
            defer { host.terminate() }
            try await body(host, provider)
            host.terminate()
            #expect(await host.exitStatus == 0)
        }
    }

    private func expect(_ answers: [HTTPXClient.Answer], _ rows: [Row]) {
        #expect(answers.map(\.reason) == rows.map(\.reason.rawValue))
        #expect(answers.map(\.status) == rows.map(\.reason.status))
        for answer in answers {
            #expect(answer.version == "HTTP/2", "\(answer.name)")
            #expect(answer.headers["content-type"] == "application/json", "\(answer.name)")
            #expect(answer.headers["apns-id"]?.string?.isEmpty == false, "\(answer.name)")
            let wait: JSON? = answer.status == 429 ? "10" : answer.status == 503 ? "5" : nil
            #expect(answer.headers["retry-after"] == wait, "\(answer.name)")
        }
    }

    @Test(.enabled(if: hasHTTPX, missing))
    func `httpx gets the reasons of a lenient listener over TLS`() async throws {
        try await withHost { host, provider in
            expect(try await client(host, provider).send(Self.rows.map(\.request)), Self.rows)
        }
    }

    @Test(.enabled(if: hasHTTPX, missing))
    func `httpx gets the reasons of a strict listener over TLS`() async throws {
        try await withHost(conformance: "strict") { host, provider in
            let id: JSONObject = ["apns-id": "00000000-0000-4000-8000-000000000001"]
            let first = Self.request("first", headers: id)
            let otherBody = Row(reason: .badMessageId, changes: ["body": #"{"aps":{"alert":"ho"}}"#], headers: id)
            let rows = [otherBody] + Self.strictRows
            let answers = try await client(host, provider).send([first, first] + rows.map(\.request))
            #expect(answers.prefix(2).map(\.status) == [200, 200])
            expect(Array(answers.dropFirst(2)), rows)
        }
    }

    @Test(.enabled(if: hasHTTPX, missing))
    func `httpx hears that a token was removed`() async throws {
        try await withHost { host, provider in
            func token(_ verb: String, _ arguments: String...) async throws -> String {
                let result = try await CommandResult.run(
                    Programs.extensionHost,
                    ["token", verb, "--config", provider.file("host.yaml")] + arguments
                )
                try #require(result.status == 0, "\(result.errors)")
                return result.output.split(separator: "\n").first.map(String.init) ?? ""
            }
            let minted = try await token("new", "--topic", Self.chat)
            let push = Self.request("minted", ["path": .string("/3/device/" + minted)])
            #expect(try await client(host, provider).send([push]).map(\.status) == [200])
            let before = Date.now
            _ = try await token("remove", minted)
            // The host looks at its registry every second.
            let row = Row(
                reason: .unregistered,
                changes: ["path": .string("/3/device/" + minted), "until": "Unregistered", "atMost": 20_000]
            )
            let answers = try await client(host, provider).send([row.request])
            expect(answers, [row])
            let removed = Double(answers.first?.timestamp ?? 0) / 1000
            #expect((before.timeIntervalSince1970 - 0.001...Date.now.timeIntervalSince1970).contains(removed))
        }
    }

    @Test(.enabled(if: hasHTTPX, missing))
    func `httpx hears that the disk is full`() async throws {
        try await TemporaryFolder.with { folder in
            let state = folder.path + "/state"
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
            let configuration = try folder.write(
                """
                listen: { apns: { port: 0, plaintext: true } }
                state: state
                apps: [{ topic: \(Self.chat), device-tokens: ["\(RunningHost.token)"] }]

                """,
                to: "host.yaml"
            )
            let mount = "mount -t tmpfs -o size=1m,mode=700 none '\(state)' && exec \"$0\" \"$@\""
            let host = try await RunningHost(
                configuration: configuration,
                command: ["/usr/bin/unshare", geteuid() == 0 ? "-m" : "-rm", "/bin/sh", "-c", mount]
                    + [Programs.extensionHost],
                options: []
            )
            defer { host.terminate() }
            let body = #"{"aps":{"alert":{"body":"hi"}},"long":"\#(String(repeating: "x", count: 3000))"}"#
            let full = Self.request(
                "full",
                ["key": .null, "body": .string(body), "until": "ServiceUnavailable", "atMost": 900]
            )
            let client = HTTPXClient(base: "http://127.0.0.1:\(host.port)")
            let answer = try #require(try await client.send([full]).first)
            #expect(answer.status == 503)
            #expect(answer.reason == "ServiceUnavailable")
            #expect(answer.headers["retry-after"] == "60")
        }
    }

    @Test func `over HTTP 1 the last push of a drain is accepted, and the one behind it hears of the drain`()
        async throws
    {
        let (bash, curl) = (try #require(Programs.installed("bash")), try #require(Programs.installed("curl")))
        try await TemporaryFolder.with { folder in
            try await RunningHost.with(folder) { host in
                // The first head is known to be read when the host has asked for the body.
                let script = #"""
                    body='{"aps":{"alert":"hi"}}'
                    head="POST \#(Self.path) HTTP/1.1\r\nhost: localhost\r\napns-topic: \#(Self.chat)\r\n"
                    head="${head}content-length: ${#body}\r\n"
                    exec 3<>/dev/tcp/127.0.0.1/\#(host.port)
                    printf "${head}expect: 100-continue\r\n\r\n" >&3
                    until read -r line <&3 && [ "$line" = $'\r' ]; do :; done
                    kill -TERM \#(host.process)
                    while '\#(curl)' -s -o /dev/null http://127.0.0.1:\#(host.port)/; do :; done
                    # In one piece, which the shell's printf does not make.
                    printf "%s${head}\r\n%s" "$body" "$body" > '\#(folder.path)/rest'
                    cat '\#(folder.path)/rest' >&3
                    cat <&3
                    """#
                let result = try await CommandResult.run(bash, ["-c", script])
                let answers = result.output.split(separator: "\r\n").filter { line in
                    ["HTTP/1.1 ", "connection", "{"].contains { line.hasPrefix($0) }
                }
                #expect(
                    answers == [
                        "HTTP/1.1 200 OK", "HTTP/1.1 503 Service Unavailable", "connection: close",
                        Substring(RefusalReason.shutdown.json),
                    ],
                    "\(result.errors)"
                )
                #expect(await host.exitStatus == 0)
            }
        }
    }
}
