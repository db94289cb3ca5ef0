// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingress

/// The headers of real clients, in their order and spelling, with what changes from request to request put in.
///
/// Headers that a client leaves out are not added here: a client that omits `apns-push-type` has none.
struct ClientHeaders: Sendable, CustomStringConvertible {
    let description: String
    let headers: @Sendable () -> [(String, String)]
    let quirks: Set<Quirk>

    init(_ description: String, _ quirks: Set<Quirk> = [], _ headers: @escaping @Sendable () -> [(String, String)]) {
        self.description = description
        self.quirks = quirks
        self.headers = headers
    }

    var request: PushRequest { PushRequest(headers: headers()) }

    static let all = captured + written

    private static var now: Int { Int(Date().timeIntervalSince1970) }
    private static var id: String { UUID().uuidString }
    private static var length: String { "\(Fixture.body.utf8.count)" }

    /// The headers as they came from the clients; Tests/Clients/header_blocks.py prints them.
    static let captured: [ClientHeaders] = [
        ClientHeaders("aioapns 4.0: host and no authority, no push type", [.noPushType]) {
            [
                ("host", "localhost"), ("apns-id", id.lowercased()), ("apns-topic", Fixture.topic),
                ("authorization", TestSender.bearer(isTyped: true)),
            ]
        },
        ClientHeaders("aioapns 4.0, asked for more") {
            [
                ("host", "localhost"), ("apns-id", id.lowercased()), ("apns-topic", Fixture.topic),
                ("apns-expiration", "\(now + 60)"), ("apns-priority", "5"), ("apns-collapse-id", "room-1"),
                ("apns-push-type", "alert"), ("authorization", TestSender.bearer(isTyped: true)),
            ]
        },
        ClientHeaders("kalyke 1.5.0: a time in a string, a topic in the user agent", [.timeInText]) {
            [
                (":authority", "localhost:8443"), ("accept", "*/*"), ("accept-encoding", "gzip, deflate"),
                ("apns-push-type", "alert"), ("apns-expiration", "\(now + 2_592_000)"), ("apns-priority", "10"),
                ("apns-topic", Fixture.topic), ("user-agent", "python-httpx2/2.16.2 \(Fixture.topic)"),
                ("authorization", TestSender.bearer(issuedAt: "\"\(now)\"", isTyped: true)),
                ("content-length", length), ("content-type", "application/json"),
            ]
        },
        ClientHeaders("mopyapns 0.8.0: a time with a fraction, no content type") {
            [
                (":authority", "localhost:8443"), ("accept", "*/*"), ("accept-encoding", "gzip, deflate"),
                ("user-agent", "python-httpx/0.28.1"), ("apns-topic", Fixture.topic), ("apns-push-type", "alert"),
                ("authorization", TestSender.bearer(issuedAt: "\(now).0552626", isTyped: true)),
                ("content-length", length),
            ]
        },
        ClientHeaders("simple-apns 0.1.2: an exp beside the iat") {
            [
                (":authority", "localhost:8443"), ("accept", "*/*"), ("accept-encoding", "gzip, deflate"),
                ("user-agent", "python-httpx/0.28.1"),
                ("authorization", TestSender.bearer(issuedAt: "\(now),\"exp\":\(now + 3600)", isTyped: true)),
                ("apns-topic", Fixture.topic), ("apns-push-type", "alert"), ("apns-priority", "10"),
                ("content-type", "application/json"), ("content-length", length),
            ]
        },
        ClientHeaders("httpx 0.28.1", [.noPushType]) {
            [
                (":authority", "localhost:8443"), ("accept", "*/*"), ("accept-encoding", "gzip, deflate"),
                ("user-agent", "python-httpx/0.28.1"), ("apns-topic", Fixture.topic),
                ("authorization", TestSender.bearer()), ("content-length", length),
                ("content-type", "application/json"),
            ]
        },
        ClientHeaders("nghttp 1.52.0", [.noPushType]) {
            [
                (":authority", "localhost:8443"), ("accept", "*/*"), ("accept-encoding", "gzip, deflate"),
                ("user-agent", "nghttp2/1.52.0"), ("content-length", length), ("apns-topic", Fixture.topic),
                ("authorization", TestSender.bearer()),
            ]
        },
        ClientHeaders("openssl 3.0.22 and curl 7.88.1 by Apple's recipe: a signature in DER", [.derSignature]) {
            [
                (":authority", "localhost:8443"), ("user-agent", "curl/7.88.1"), ("accept", "*/*"),
                ("apns-topic", Fixture.topic), ("apns-push-type", "alert"),
                ("authorization", TestSender.bearer(signature: .der)), ("content-length", length),
                ("content-type", "application/x-www-form-urlencoded"),
            ]
        },
    ]

    /// Put together of what a client's source or Apple's pages say; nobody has seen them on a wire here.
    static let written: [ClientHeaders] = [
        ClientHeaders("any case of bearer, and spaces") {
            [
                ("authorization", "Bearer  \(TestSender.bearer().dropFirst(7)) "), ("apns-push-type", "alert"),
                ("apns-topic", Fixture.topic), ("apns-priority", "5"), ("apns-collapse-id", "room-1"),
            ]
        },
        ClientHeaders("Pushy 0.15: a signature in DER", [.derSignature]) {
            [
                ("apns-id", id.lowercased()), ("apns-expiration", "\(now + 86_400)"), ("apns-push-type", "alert"),
                ("apns-topic", Fixture.topic), ("apns-priority", "10"),
                ("authorization", TestSender.bearer(signature: .der)),
            ]
        },
        ClientHeaders("the token of Apple's page", [.noAlgorithm, .derSignature, .timeInText, .timeInMilliseconds]) {
            [
                ("host", "api.sandbox.push.apple.com"), ("user-agent", "curl/8.4.0"), ("accept", "*/*"),
                ("apns-topic", Fixture.topic), ("apns-push-type", "alert"),
                (
                    "authorization",
                    TestSender.bearer(issuedAt: "\"\(now)123\"", algorithm: nil, signature: .der)
                ), ("content-type", "application/x-www-form-urlencoded"),
            ]
        },
        ClientHeaders("APNSwift 6: everything") {
            [
                ("user-agent", "APNS/swift-nio"), ("content-type", "application/json"),
                ("authorization", TestSender.bearer()), ("apns-id", id.lowercased()), ("apns-expiration", "0"),
                ("apns-priority", "10"), ("apns-topic", Fixture.topic), ("apns-push-type", "alert"),
            ]
        },
        ClientHeaders("Go's apns2, as gorush uses it: no id") {
            [
                ("content-type", "application/json; charset=utf-8"), ("apns-topic", Fixture.topic),
                ("authorization", TestSender.bearer()), ("apns-push-type", "alert"), ("accept-encoding", "gzip"),
                ("user-agent", "Go-http-client/2.0"),
            ]
        },
        ClientHeaders("bark-server: a background push at once", [.backgroundAtOnce]) {
            [
                ("apns-topic", Fixture.topic), ("authorization", TestSender.bearer()), ("apns-priority", "10"),
                ("apns-push-type", "background"),
            ]
        },
        ClientHeaders("a Python library: apns-unix-time, voip without its suffix", [.topicSuffix]) {
            [
                ("apns-topic", Fixture.topic), ("apns-push-type", "voip"), ("authorization", TestSender.bearer()),
                ("apns-unix-time", "\(now)"), ("apns-request-id", id),
            ]
        },
        ClientHeaders("node-apn 2: an empty topic, no push type", [.noTopic, .noPushType]) {
            [
                ("authorization", TestSender.bearer()), ("apns-topic", ""), ("apns-expiration", "\(now + 60)"),
                ("content-length", "\(Fixture.body.utf8.count)"),
            ]
        },
    ]
}
