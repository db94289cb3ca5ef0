// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HostRuntime
import Ingress
import NotificationPayload
import Testing

struct VAPIDHeaderTests {
    private static let key = [4] + [UInt8](repeating: 0xFB, count: 64)
    private static let text = Base64.url.encode(key)
    private static let credential = VAPIDHeader("vapid t=a.b.c, k=\(text)")

    @Test func `token and key are what stands there`() {
        guard case .credential(let credential) = Self.credential else {
            Issue.record("\(Self.credential)")
            return
        }
        #expect(credential.token == "a.b.c")
        #expect(credential.key == Self.key)
    }

    @Test(arguments: [
        "VAPID k=\(text),t=a.b.c", "vapid   t = a.b.c ,\tk= \(text)", "vapid t=a.b.c, k=\(text), x=y",
        "vapid t=\"a.b.c\", k=\"\(text)\"", "vapid ,t=a.b.c,,k=\(text),",
        "vapid t=a.b.c, k=\(Data(key).base64EncodedString())", "vapid T=a.b.c, K=\(text)",
    ])
    func `order, spaces, alphabet and padding are free`(_ value: String) {
        #expect(VAPIDHeader(value) == Self.credential)
    }

    @Test(arguments: ["", "WebPush a.b.c", "bearer a.b.c", "vapid=1", "vapidt=a,k=b"])
    func `any other scheme is none of ours`(_ value: String) {
        #expect(VAPIDHeader(value) == .otherScheme)
    }

    @Test(arguments: [
        "vapid", "vapid ", "vapid t=a.b.c", "vapid k=\(text)", "vapid t=, k=\(text)", "vapid t=a, t=a, k=\(text)",
        "vapid t=a, k=\(text)A", "vapid t=a, k=é", "vapid t=a, k=\(Base64.url.encode([2] + key.dropFirst()))",
        "vapid a",
        "vapid t=\(String(repeating: "a", count: 4096)), k=\(text)",
    ])
    func `what has no token or no key is malformed`(_ value: String) {
        #expect(VAPIDHeader(value) == .malformed)
    }
}

struct VAPIDMemoryTests {
    /// A memory that is asked where the test expects.
    private final class Connection {
        private var memory = VAPIDMemory()
        private let origin: WebPushOrigin

        init() throws {
            origin = try WebPushFixture.origin()
        }

        func takes(_ value: String, at now: Date = Date()) -> Bool {
            guard case .credential(let credential) = VAPIDHeader(value) else { return false }
            return memory.isValid(credential, for: origin, now: now)
        }
    }

    @Test func `a token that was found valid is so until it ends`() throws {
        let connection = try Connection()
        let value = try WebPushFixture.authorization(expiresIn: 3600)
        let now = Date()
        #expect(connection.takes(value, at: now))
        #expect(connection.takes(value, at: now.addingTimeInterval(3590)))
        #expect(!connection.takes(value, at: now.addingTimeInterval(3601)))
        #expect(!connection.takes(value, at: now.addingTimeInterval(3601)))
    }

    @Test func `two are remembered, and the one not used goes first`() throws {
        let connection = try Connection()
        let values = try [600.0, 601, 602].map { try WebPushFixture.authorization(expiresIn: $0) }
        for index in [0, 1, 0, 2] { #expect(connection.takes(values[index])) }
        // Long before its time a token is refused, if it has to be looked at.
        let early = Date().addingTimeInterval(-90_000)
        #expect(connection.takes(values[0], at: early))
        #expect(connection.takes(values[2], at: early))
        #expect(!connection.takes(values[1], at: early))
    }

    @Test(arguments: [
        ("https://push.example.com", true), ("https://push.example.com/", true), ("https://push.example.com:443", true),
        ("HTTPS://Push.Example.com", true), ("http://push.example.com", false), ("push.example.com", false),
        ("https://push.example.com:8443", false), ("", false),
    ])
    func `the audience is the origin, however it is written`(_ audience: String, _ isValid: Bool) throws {
        let value = try WebPushFixture.authorization(aud: audience)
        #expect(try Connection().takes(value) == isValid)
    }

    @Test func `a token may be valid for a day, give or take a minute`() throws {
        let connection = try Connection()
        #expect(connection.takes(try WebPushFixture.authorization(expiresIn: 86_400)))
        #expect(!connection.takes(try WebPushFixture.authorization(expiresIn: 86_520)))
    }

    @Test func `an end may be a number with a fraction`() throws {
        let end = Date().timeIntervalSince1970 + 60.5
        let claims = #"{"aud":"https://push.example.com","exp":\#(end)}"#
        let value = try WebPushFixture.authorization(claims: claims)
        #expect(try Connection().takes(value))
    }
}

struct WebPushSenderTests {
    @Test(.timeLimit(.minutes(5))) func `after too many invalid tokens no signature is looked at`() async throws {
        let bound = PushRequest.webPush(to: WebPushFixture.bound)
        let stale = bound.with("authorization", try WebPushFixture.authorization(expiresIn: -5))
        let valid = bound.with("authorization", try WebPushFixture.authorization())
        let open = PushRequest.webPush().with("authorization", try WebPushFixture.authorization())
        let metrics = HostMetrics()
        let acceptor = RecordingAcceptor()
        try await withIngress(
            webPush: WebPushFixture.service(),
            acceptor: acceptor,
            metrics: metrics,
            limits: { $0.failedTokensPerMinute = 1 }
        ) { _, address in
            try await FrameClient.connect(to: address) { client in
                // In one piece: of what comes later nothing is read.
                let frames = [(stale, 1), (valid, 3), (open, 5)].flatMap { FrameClient.frames($0, on: $1) }
                try await client.send(frames)
                try await client.waitForEnd()
                let bodies = client.frames.filter { $0.kind == .data }
                #expect(Set(bodies.map(\.stream)) == [1, 3])
                let refused = String(decoding: try #require(bodies.first { $0.stream == 3 }).payload, as: UTF8.self)
                #expect(refused == #"{"reason":"InvalidAuthorization"}"#)
            }
        }
        // The open subscription takes the push, of nobody that is known.
        #expect(acceptor.pushes.map(\.sender) == [nil])
        #expect(metrics.value("nestbox_ingress_quirks_total{quirk=\"stray-authorization\"}") == "1")
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `a subscription for one sender takes from that one`(_ transport: Transport) async throws {
        let acceptor = RecordingAcceptor()
        let authorization = try WebPushFixture.authorization()
        try await withIngress(transport, webPush: WebPushFixture.service(), acceptor: acceptor) { _, address in
            try await withClient(transport, to: address) { send in
                let request = PushRequest.webPush(to: WebPushFixture.bound).with("authorization", authorization)
                for _ in 0..<3 {
                    let response = try await send(request)
                    #expect(response.status == 201)
                }
            }
        }
        #expect(acceptor.pushes.count == 3)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Transport.h2c, .http1])
    func `on an open one nobody needs to say who they are`(_ transport: Transport) async throws {
        let values = ["WebPush abc", "vapid nonsense", try WebPushFixture.authorization(expiresIn: -5)]
        let metrics = HostMetrics()
        try await withIngress(transport, webPush: WebPushFixture.service(), metrics: metrics) { _, address in
            try await withClient(transport, to: address) { send in
                for value in values {
                    let response = try await send(.webPush().with("authorization", value))
                    #expect(response.status == 201)
                }
            }
        }
        // What proves nothing is counted, whatever its fault.
        #expect(metrics.value("nestbox_ingress_quirks_total{quirk=\"stray-authorization\"}") == "3")
        let requests = "nestbox_ingress_requests_total{source=\"web-push\",status=\"201\",reason=\"none\"}"
        #expect(metrics.value(requests) == "3")
    }
}
