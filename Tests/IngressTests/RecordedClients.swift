// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingress

/// The headers of real clients, in their order and spelling, with what changes from request to request put in.
///
/// What is asked for is not written down here: a client that omits `apns-push-type` has none.
struct RecordedClient: Sendable, CustomStringConvertible {
    let description: String
    let headers: @Sendable () -> [(String, String)]
    let quirks: Set<Quirk>

    init(_ description: String, _ quirks: Set<Quirk> = [], _ headers: @escaping @Sendable () -> [(String, String)]) {
        self.description = description
        self.quirks = quirks
        self.headers = headers
    }

    var request: PushRequest { PushRequest(headers: headers()) }

    private static var now: Int { Int(Date().timeIntervalSince1970) }
    private static var id: String { UUID().uuidString }

    static let all: [RecordedClient] = [
        RecordedClient("aioapns 4.0: host and no authority, no push type", [.noPushType]) {
            [
                ("host", "api.push.apple.com"), ("authorization", TestSender.bearer()), ("apns-topic", Fixture.topic),
                ("apns-id", id.lowercased()), ("apns-priority", "10"),
            ]
        },
        RecordedClient("kalyke 1.5: a time in a string", [.timeInText]) {
            [
                ("accept", "*/*"), ("accept-encoding", "gzip, deflate"), ("user-agent", "python-httpx/0.27.0"),
                ("authorization", TestSender.bearer(issuedAt: "\"\(now)\"")), ("apns-push-type", "alert"),
                ("apns-topic", Fixture.topic), ("apns-id", id), ("apns-priority", "10"), ("apns-expiration", "0"),
                ("content-type", "application/json"),
            ]
        },
        RecordedClient("mopyapns 0.8: no priority, no content type", [.noPushType]) {
            [
                ("accept", "*/*"), ("user-agent", "python-httpx/0.27.0"), ("apns-topic", Fixture.topic),
                ("authorization", TestSender.bearer()), ("apns-expiration", "\(now + 3600)"),
            ]
        },
        RecordedClient("simple-apns 0.1: Bearer, spaces", []) {
            [
                ("authorization", "Bearer  \(TestSender.bearer().dropFirst(7)) "), ("apns-push-type", "alert"),
                ("apns-topic", Fixture.topic), ("apns-priority", "5"), ("apns-collapse-id", "room-1"),
            ]
        },
        RecordedClient("Pushy 0.15: a signature in DER", [.derSignature]) {
            [
                ("apns-id", id.lowercased()), ("apns-expiration", "\(now + 86_400)"), ("apns-push-type", "alert"),
                ("apns-topic", Fixture.topic), ("apns-priority", "10"),
                ("authorization", TestSender.bearer(signature: .der)),
            ]
        },
        RecordedClient("Apple's openssl recipe", [.noAlgorithm, .derSignature, .timeInText, .timeInMilliseconds]) {
            [
                ("host", "api.sandbox.push.apple.com"), ("user-agent", "curl/8.4.0"), ("accept", "*/*"),
                ("apns-topic", Fixture.topic), ("apns-push-type", "alert"),
                (
                    "authorization",
                    TestSender.bearer(issuedAt: "\"\(now)123\"", algorithm: nil, signature: .der)
                ), ("content-type", "application/x-www-form-urlencoded"),
            ]
        },
        RecordedClient("APNSwift 6: everything", []) {
            [
                ("user-agent", "APNS/swift-nio"), ("content-type", "application/json"),
                ("authorization", TestSender.bearer()), ("apns-id", id.lowercased()), ("apns-expiration", "0"),
                ("apns-priority", "10"), ("apns-topic", Fixture.topic), ("apns-push-type", "alert"),
            ]
        },
        RecordedClient("Go's apns2, as gorush uses it: no id", []) {
            [
                ("content-type", "application/json; charset=utf-8"), ("apns-topic", Fixture.topic),
                ("authorization", TestSender.bearer()), ("apns-push-type", "alert"), ("accept-encoding", "gzip"),
                ("user-agent", "Go-http-client/2.0"),
            ]
        },
        RecordedClient("bark-server: a background push at once", [.backgroundAtOnce]) {
            [
                ("apns-topic", Fixture.topic), ("authorization", TestSender.bearer()), ("apns-priority", "10"),
                ("apns-push-type", "background"),
            ]
        },
        RecordedClient("a Python library: apns-unix-time, voip without its suffix", [.topicSuffix]) {
            [
                ("apns-topic", Fixture.topic), ("apns-push-type", "voip"), ("authorization", TestSender.bearer()),
                ("apns-unix-time", "\(now)"), ("apns-request-id", id),
            ]
        },
        RecordedClient("node-apn 2: an empty topic, no push type", [.noTopic, .noPushType]) {
            [
                ("authorization", TestSender.bearer()), ("apns-topic", ""), ("apns-expiration", "\(now + 60)"),
                ("content-length", "\(Fixture.body.utf8.count)"),
            ]
        },
    ]
}
