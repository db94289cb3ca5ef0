// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HostRuntime
import Ingress
import NotificationPayload
import Testing

/// One request and what Web Push says about it.
struct WebPushRow: Sendable, CustomStringConvertible {
    let description: String
    let expected: WebPushRefusal
    let request: PushRequest

    init(_ description: String, _ expected: WebPushRefusal, _ request: PushRequest) {
        self.description = description
        self.expected = expected
        self.request = request
    }

    static func refused() throws -> [WebPushRow] {
        try subscriptions() + senders() + headers() + bodies()
    }

    private static func subscriptions() -> [WebPushRow] {
        func path(_ path: String) -> PushRequest {
            var request = PushRequest.webPush()
            request.path = path
            return request
        }
        func method(_ method: String) -> PushRequest {
            var request = PushRequest.webPush()
            request.method = method
            if method != "PUT" { request.bytes = [] }
            return request
        }
        return [
            WebPushRow("GET, as UnifiedPush once asked", .methodNotAllowed, method("GET")),
            WebPushRow("PUT", .methodNotAllowed, method("PUT")),
            WebPushRow("DELETE", .methodNotAllowed, method("DELETE")),
            WebPushRow("nobody's capability", .unknownSubscription, path("/push/" + String(repeating: "x", count: 27))),
            WebPushRow(
                "a shorter capability",
                .unknownSubscription,
                path("/push/" + String(repeating: "o", count: 26))
            ),
            WebPushRow("no capability", .unknownSubscription, path("/push/")),
            WebPushRow("a query", .unknownSubscription, path("/push/\(WebPushFixture.open)?a=b")),
            WebPushRow("a further segment", .unknownSubscription, path("/push/\(WebPushFixture.open)/")),
            WebPushRow("a removed subscription", .removedSubscription, .webPush(to: WebPushFixture.removed)),
            WebPushRow(
                "a removed one before a missing TTL",
                .removedSubscription,
                .webPush(to: WebPushFixture.removed).setting("ttl", nil)
            ),
        ]
    }

    private static func senders() throws -> [WebPushRow] {
        func row(_ what: String, _ refusal: WebPushRefusal, _ value: String?) -> WebPushRow {
            WebPushRow(what, refusal, .webPush(to: WebPushFixture.bound).setting("authorization", value))
        }
        let valid = try WebPushFixture.authorization()
        let point = WebPushFixture.point(of: WebPushFixture.sender)
        let now = Int(Date().timeIntervalSince1970)
        return [
            row("no sender", .missingAuthorization, nil),
            row("another scheme", .missingAuthorization, "WebPush abc"),
            row("a bearer", .missingAuthorization, valid.replacingOccurrences(of: "vapid ", with: "bearer ")),
            row("no parameters", .invalidAuthorization, "vapid"),
            row("no key", .invalidAuthorization, String(valid.prefix { $0 != "," })),
            row("no token", .invalidAuthorization, "vapid k=\(point)"),
            row("no JWT", .invalidAuthorization, "vapid t=abc, k=\(point)"),
            row("a token twice", .invalidAuthorization, valid + ", t=abc"),
            row("another sender", .invalidAuthorization, try WebPushFixture.authorization(by: WebPushFixture.stranger)),
            row(
                "another sender's token under the right key",
                .invalidAuthorization,
                try WebPushFixture.authorization(by: WebPushFixture.stranger)
                    .replacingOccurrences(of: WebPushFixture.point(of: WebPushFixture.stranger), with: point)
            ),
            row("another origin", .invalidAuthorization, try WebPushFixture.authorization(aud: "https://example.com")),
            row(
                "an endpoint as audience",
                .invalidAuthorization,
                try WebPushFixture.authorization(aud: "https://push.example.com/push/a")
            ),
            row("a token that is past", .invalidAuthorization, try WebPushFixture.authorization(expiresIn: -1)),
            row("a token for two days", .invalidAuthorization, try WebPushFixture.authorization(expiresIn: 172_800)),
            row(
                "no end",
                .invalidAuthorization,
                try WebPushFixture.authorization(claims: #"{"aud":"https://push.example.com"}"#)
            ),
            row(
                "no audience",
                .invalidAuthorization,
                try WebPushFixture.authorization(claims: #"{"exp":\#(now + 60)}"#)
            ),
            row(
                "another algorithm",
                .invalidAuthorization,
                try WebPushFixture.authorization(header: #"{"alg":"none"}"#)
            ),
            WebPushRow(
                "a sender twice",
                .missingAuthorization,
                .webPush(to: WebPushFixture.bound).with("authorization", valid).with("authorization", valid)
            ),
            WebPushRow(
                "a sender before a missing TTL",
                .missingAuthorization,
                .webPush(to: WebPushFixture.bound).setting("ttl", nil)
            ),
        ]
    }

    private static func headers() -> [WebPushRow] {
        func row(_ what: String, _ refusal: WebPushRefusal, _ name: String, _ value: String?) -> WebPushRow {
            WebPushRow(what, refusal, .webPush().setting(name, value))
        }
        return [
            row("no TTL", .badTTL, "ttl", nil),
            row("an empty TTL", .badTTL, "ttl", ""),
            row("a TTL in words", .badTTL, "ttl", "soon"),
            row("a negative TTL", .badTTL, "ttl", "-1"),
            WebPushRow("a TTL twice", .badTTL, .webPush().with("ttl", "60")),
            WebPushRow("a TTL before a topic", .badTTL, .webPush().setting("ttl", nil).with("topic", "a b")),
            row("a topic of 33 characters", .badTopic, "topic", String(repeating: "t", count: 33)),
            row("a topic with a dot", .badTopic, "topic", "a.b"),
            row("an empty topic", .badTopic, "topic", ""),
            WebPushRow("a topic twice", .badTopic, .webPush().with("topic", "a").with("topic", "a")),
            WebPushRow("a topic before an urgency", .badTopic, .webPush().with("topic", "a.b").with("urgency", "x")),
            row("an unknown urgency", .badUrgency, "urgency", "medium"),
            WebPushRow("an urgency twice", .badUrgency, .webPush().with("urgency", "low").with("urgency", "low")),
            WebPushRow(
                "an urgency before a coding",
                .badUrgency,
                .webPush().setting("content-encoding", nil).with("urgency", "x")
            ),
            row("no coding", .unsupportedContentEncoding, "content-encoding", nil),
            row("the coding of the draft", .unsupportedContentEncoding, "content-encoding", "aesgcm"),
            row("two codings", .unsupportedContentEncoding, "content-encoding", "aes128gcm, gzip"),
            WebPushRow(
                "a coding twice",
                .unsupportedContentEncoding,
                .webPush().with("content-encoding", "aes128gcm")
            ),
        ]
    }

    private static func bodies() -> [WebPushRow] {
        func row(_ what: String, _ refusal: WebPushRefusal, _ change: (inout [UInt8]) -> Void) -> WebPushRow {
            var request = PushRequest.webPush()
            change(&request.bytes)
            return WebPushRow(what, refusal, request)
        }
        return [
            row("no body", .payloadEmpty) { $0 = [] },
            row("4,097 bytes", .payloadTooLarge) { $0 += [UInt8](repeating: 0, count: 4097 - $0.count) },
            row("102 bytes", .badPayload) { $0 = Array($0.prefix(102)) },
            row("clear JSON under the coding's name", .badPayload) { $0 = Array(#"{"notification":{}}"#.utf8) },
            row("another key length", .badPayload) { $0[20] = 64 },
            row("a compressed key", .badPayload) { $0[21] = 2 },
            row("records of 17 bytes", .badPayload) { $0.replaceSubrange(16..<20, with: [0, 0, 0, 17]) },
            row("two records", .badPayload) { $0.replaceSubrange(16..<20, with: [0, 0, 0, 57]) },
        ]
    }
}

struct WebPushConformanceTests {
    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `every bad request is answered with its status and reason`(_ transport: Transport) async throws {
        let acceptor = RecordingAcceptor()
        let rows = try WebPushRow.refused()
        try await withIngress(transport, webPush: WebPushFixture.service(), acceptor: acceptor) { _, address in
            try await withClient(transport, to: address) { send in
                for row in rows {
                    let response = try await send(row.request)
                    #expect(response.status == row.expected.status, "\(row)")
                    #expect(response.body == #"{"reason":"\#(row.expected.rawValue)"}"#, "\(row)")
                    #expect(response.headers["content-type"] == "application/json", "\(row)")
                    let demanded: [String: String] =
                        switch response.status {
                        case 401: ["www-authenticate": "vapid"]
                        case 405: ["allow": "POST"]
                        case 415: ["accept-encoding": "aes128gcm"]
                        default: [:]
                        }
                    for name in ["www-authenticate", "allow", "accept-encoding", "location", "ttl", "apns-id"] {
                        #expect(response.headers[name] == demanded[name], "\(row)")
                    }
                }
            }
        }
        #expect(acceptor.pushes.isEmpty)
        let seen = Set(rows.map(\.expected))
        // The others are the answers to faults, of which `FaultTests` knows.
        let faults: Set<WebPushRefusal> = [.requestTimeout, .tooManyRequests, .serviceUnavailable, .internalError]
        #expect(seen == Set(WebPushRefusal.allCases).subtracting(faults))
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `a message is answered 201 with its place and its time to live`(_ transport: Transport) async throws {
        let acceptor = RecordingAcceptor()
        try await withIngress(transport, webPush: WebPushFixture.service(), acceptor: acceptor) { _, address in
            try await withClient(transport, to: address) { send in
                let response = try await send(.webPush())
                #expect(response.status == 201)
                #expect(response.body.isEmpty)
                let push = try #require(acceptor.pushes.first)
                #expect(response.headers["location"] == "https://push.example.com/push-message/\(push.id)")
                #expect(response.headers["ttl"] == "60")
                #expect(response.headers["apns-id"] == nil)
            }
        }
        let push = try #require(acceptor.pushes.first)
        let expected: JSONObject = [
            "aps": ["alert": ["title": "Chat", "body": "Something came"], "mutable-content": 1],
            "encrypted-content": .string("wp." + Base64.url.encode(WebPushFixture.message)),
        ]
        #expect(push.payload == Payload(expected))
        #expect(push.body == push.payload.serialized)
        #expect(push.payloadByteCount == push.body.count)
        #expect(push.topic == WebPushFixture.topic)
        #expect(push.deviceToken == WebPushTable.token(of: WebPushFixture.open))
        #expect(push.pushType == .alert)
        #expect(push.priority == .immediate)
        #expect(push.collapseID == nil)
        #expect(push.isKept)
        #expect(push.expiration == push.receivedAt.addingTimeInterval(60))
    }

    static let kept: [(String, String, Bool)] = [
        ("0", "0", false), ("1", "1", true), ("0060", "60", true), ("2592000", "2592000", true),
        ("2592001", "2592000", true), ("99999999999999999999", "2592000", true),
    ]

    @Test(.timeLimit(.minutes(5)), arguments: [Transport.h2c, .http1])
    func `a time to live is kept for thirty days, and 0 is one attempt`(_ transport: Transport) async throws {
        let acceptor = RecordingAcceptor()
        try await withIngress(transport, webPush: WebPushFixture.service(), acceptor: acceptor) { _, address in
            try await withClient(transport, to: address) { send in
                for (sent, answered, _) in Self.kept {
                    let response = try await send(.webPush().setting("ttl", sent))
                    #expect(response.headers["ttl"] == answered)
                }
            }
        }
        #expect(acceptor.pushes.map(\.isKept) == Self.kept.map(\.2))
        #expect(acceptor.pushes.first?.expiration == nil)
    }

    @Test(.timeLimit(.minutes(5))) func `whoever proves who he is, is known by it`() async throws {
        let acceptor = RecordingAcceptor()
        let proof = try WebPushFixture.authorization(by: WebPushFixture.stranger)
        let forged = try WebPushFixture.authorization(by: WebPushFixture.stranger, aud: "https://example.com")
        var requests = [PushRequest.webPush(to: WebPushFixture.bound), .webPush()]
        requests[0] = requests[0].with("authorization", try WebPushFixture.authorization())
        for value in [proof, "bearer x"] + Array(repeating: forged, count: 16) + [proof] {
            requests.append(.webPush().with("authorization", value))
        }
        try await withIngress(webPush: WebPushFixture.service(), acceptor: acceptor) { [requests] _, address in
            try await withClient(.h2c, to: address) { send in
                for request in requests {
                    let response = try await send(request)
                    #expect(response.status == 201)
                }
            }
        }
        let known = PushSender.applicationServer(WebPushFixture.point(of: WebPushFixture.sender))
        let stranger = PushSender.applicationServer(WebPushFixture.point(of: WebPushFixture.stranger))
        // After sixteen that proved nothing an open subscription looks at none any more.
        #expect(acceptor.pushes.map(\.sender) == [known, nil, stranger] + Array(repeating: nil, count: 18))
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Transport.h2c, .http1])
    func `topic and urgency become collapse identifier and priority`(_ transport: Transport) async throws {
        let acceptor = RecordingAcceptor()
        let urgencies: [(String, PushPriority)] = [
            ("high", .immediate), ("normal", .immediate), ("low", .powerAware), ("very-low", .low),
            ("Low", .powerAware),
        ]
        try await withIngress(transport, webPush: WebPushFixture.service(), acceptor: acceptor) { _, address in
            try await withClient(transport, to: address) { send in
                for (urgency, _) in urgencies {
                    let topic = String(repeating: "-", count: 32)
                    let response = try await send(.webPush().with("urgency", urgency).with("topic", topic))
                    #expect(response.status == 201)
                }
            }
        }
        #expect(acceptor.pushes.map(\.priority) == urgencies.map(\.1))
        #expect(acceptor.pushes.allSatisfy { $0.identifier == String(repeating: "-", count: 32) })
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Transport.h2c, .http1])
    func `receipts are not offered, and asking for one does no harm`(_ transport: Transport) async throws {
        try await withIngress(transport, webPush: WebPushFixture.service()) { _, address in
            try await withClient(transport, to: address) { send in
                let response = try await send(.webPush().with("prefer", "respond-async"))
                #expect(response.status == 201)
                #expect(response.headers["link"] == nil)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Transport.h2c, .http1])
    func `bodies of 103 and of 4,096 bytes are taken`(_ transport: Transport) async throws {
        let acceptor = RecordingAcceptor()
        try await withIngress(transport, webPush: WebPushFixture.service(), acceptor: acceptor) { _, address in
            try await withClient(transport, to: address) { send in
                for count in [103, 4096] {
                    var request = PushRequest.webPush()
                    request.bytes = Array((request.bytes + [UInt8](repeating: 7, count: 4096)).prefix(count))
                    let response = try await send(request)
                    #expect(response.status == 201)
                }
            }
        }
        let longest = try #require(acceptor.pushes.last?.payload.encryptedContent?.string)
        #expect(longest.utf8.count == 5465)
    }

    static let busy: [(Acceptance, Int, String)] = [(.deviceBusy, 429, "10"), (.unavailable, 503, "5")]

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `a full host says when to come again`(_ transport: Transport) async throws {
        for (acceptance, status, wait) in Self.busy {
            let acceptor = RecordingAcceptor(acceptance)
            try await withIngress(transport, webPush: WebPushFixture.service(), acceptor: acceptor) { _, address in
                try await withClient(transport, to: address) { send in
                    let response = try await send(.webPush())
                    #expect(response.status == status)
                    #expect(response.headers["retry-after"] == wait)
                    #expect(response.headers["location"] == nil)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `subscriptions that cannot be read condemn none`(_ transport: Transport) async throws {
        let service = try WebPushFixture.service(WebPushTable(states: [:], isUnavailable: true))
        try await withIngress(transport, webPush: service) { _, address in
            try await withClient(transport, to: address) { send in
                let response = try await send(.webPush(to: WebPushFixture.removed))
                #expect(response.status == 503)
                #expect(response.headers["retry-after"] == "5")
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `a repeated message is found where it was first accepted`(_ transport: Transport) async throws {
        let acceptor = RecordingAcceptor(.repeated(id: "00000000-0000-4000-8000-000000000001"))
        try await withIngress(transport, webPush: WebPushFixture.service(), acceptor: acceptor) { _, address in
            try await withClient(transport, to: address) { send in
                let response = try await send(.webPush())
                #expect(response.status == 201)
                let place = "https://push.example.com/push-message/00000000-0000-4000-8000-000000000001"
                #expect(response.headers["location"] == place)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `one listener speaks both, each on its paths`(_ transport: Transport) async throws {
        try await withIngress(transport, webPush: WebPushFixture.service()) { _, address in
            try await withClient(transport, to: address) { send in
                #expect(try await send(PushRequest()).status == 200)
                #expect(try await send(.webPush()).status == 201)
                let elsewhere = try await send(PushRequest(path: "/push-message/1"))
                #expect(elsewhere.status == 404)
                #expect(elsewhere.body == #"{"reason":"BadPath"}"#)
            }
        }
        try await withIngress(transport) { _, address in
            try await withClient(transport, to: address) { send in
                let response = try await send(.webPush())
                #expect(response.body == #"{"reason":"BadPath"}"#)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a listener of its own knows no device`() async throws {
        let ingress = HTTPIngress(
            configuration: .init(port: 0),
            tokens: nil,
            webPush: try WebPushFixture.service(),
            acceptor: RecordingAcceptor(),
            logger: Fixture.silentLogger
        )
        try await ingress.withListener { address in
            try await withClient(.h2c, to: address) { send in
                let provider = try await send(PushRequest())
                #expect(provider.body == #"{"reason":"UnknownSubscription"}"#)
                let sender = try await send(.webPush())
                #expect(sender.status == 201)
            }
        }
    }
}
