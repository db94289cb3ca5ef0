// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Ingress

/// Credentials and what becomes of them, each on a connection of its own; nil means 200.
struct SenderRow: Sendable, CustomStringConvertible {
    let description: String
    /// One after the other; only the last one's answer counts, those before it are accepted.
    let requests: @Sendable () -> [PushRequest]
    let expected: RefusalReason?
    let conformance: Conformance

    init(
        _ description: String,
        _ expected: RefusalReason? = nil,
        _ conformance: Conformance = .lenient,
        _ requests: @escaping @Sendable () -> [PushRequest]
    ) {
        self.description = description
        self.expected = expected
        self.conformance = conformance
        self.requests = requests
    }

    private static func one(
        _ description: String,
        _ expected: RefusalReason? = nil,
        _ request: @escaping @Sendable () -> PushRequest
    ) -> SenderRow {
        SenderRow(description, expected) { [request()] }
    }

    /// Source: Apple, "Handling notification responses from APNs", for the reasons.
    static let refused: [SenderRow] = [
        one("no header", .missingProviderToken) { PushRequest() },
        one("another scheme", .missingProviderToken) { PushRequest().authorized("basic YTpi") },
        one("an empty header", .missingProviderToken) { PushRequest().authorized("") },
        one("a scheme without a token", .missingProviderToken) { PushRequest().authorized("bearer  ") },
        one("a credential before a message id", .missingProviderToken) { PushRequest().with("apns-id", "42") },
        one("a credential before a device token", .missingProviderToken) { PushRequest(path: "/3/device/00") },
        one("words", .invalidProviderToken) { PushRequest().authorized("bearer hello") },
        one("an unknown key", .invalidProviderToken) { PushRequest().authorized(TestSender.bearer("UNKNOWNKEY")) },
        one("another team's name", .invalidProviderToken) {
            PushRequest().authorized(TestSender.bearer(team: TestSender.otherTeam))
        },
        one("another key's signature", .invalidProviderToken) {
            PushRequest().authorized(TestSender.bearer(signature: .wrong))
        },
        one("another algorithm", .invalidProviderToken) {
            PushRequest().authorized(TestSender.bearer(algorithm: "none"))
        },
        one("a time in words", .invalidProviderToken) {
            PushRequest().authorized(TestSender.bearer(issuedAt: #""soon""#))
        },
        one("no time", .invalidProviderToken) { PushRequest().authorized(TestSender.bearer(issuedAt: "null")) },
        one("a token of tomorrow", .invalidProviderToken) { PushRequest().authorized(TestSender.bearer(age: -3700)) },
        one("a header of 4097 bytes", .invalidProviderToken) {
            let token = TestSender.bearer()
            return PushRequest().authorized(token + String(repeating: " ", count: 4097 - token.utf8.count) + "x")
        },
        one("a token of two hours ago", .expiredProviderToken) {
            PushRequest().authorized(TestSender.bearer(age: 7200))
        },
        one("a key of the other environment", .badEnvironmentKeyInToken) {
            PushRequest().authorized(TestSender.bearer("PRODUCTION"))
        },
        one("a topic the key is not for", .invalidProviderToken) {
            PushRequest().authorized(TestSender.bearer("ONLYMAILXX"))
        },
        one("a suffix of a topic the key is not for", .invalidProviderToken) {
            PushRequest(headers: [("apns-topic", "com.example.chat.voip")])
                .authorized(TestSender.bearer("ONLYMAILXX"))
        },
        one("no topic, and a device of one the key is not for", .missingTopic) {
            PushRequest(headers: []).authorized(TestSender.bearer("ONLYMAILXX"))
        },
        SenderRow("a second team", .invalidProviderToken) {
            [
                PushRequest().authorized(),
                PushRequest().authorized(TestSender.bearer("OTHERTEAM1", team: TestSender.otherTeam)),
            ]
        },
        SenderRow("a second key, strictly", .unrelatedKeyIdInToken, .strict) {
            [PushRequest().authorized(), PushRequest().authorized(TestSender.bearer("SECONDKEY2"))]
        },
        SenderRow("a second token at once, strictly", .tooManyProviderTokenUpdates, .strict) {
            [PushRequest().authorized(TestSender.bearer(age: 5)), PushRequest().authorized()]
        },
        one("header repeated", .duplicateHeaders) { PushRequest().authorized().authorized() },
        one("a good token and a bad message id", .badMessageId) {
            PushRequest().authorized().with("apns-id", "42")
        },
        one("a good token and an unknown device", .badDeviceToken) {
            PushRequest(path: "/3/device/00").authorized()
        },
    ]

    static let taken: [SenderRow] = [
        one("a token") { PushRequest().authorized() },
        one("Bearer with a capital, and spaces") {
            PushRequest().authorized(" Bearer   " + TestSender.bearer().dropFirst(7) + "  ")
        },
        one("a time in a string") {
            PushRequest().authorized(TestSender.bearer(issuedAt: "\"\(Int(Date().timeIntervalSince1970))\""))
        },
        one("a time in a string, in milliseconds") {
            PushRequest().authorized(TestSender.bearer(issuedAt: "\"\(Int(Date().timeIntervalSince1970 * 1000))\""))
        },
        one("a time in milliseconds") {
            PushRequest().authorized(TestSender.bearer(issuedAt: "\(Int(Date().timeIntervalSince1970 * 1000))"))
        },
        one("a time with a fraction") {
            PushRequest().authorized(TestSender.bearer(issuedAt: "\(Int(Date().timeIntervalSince1970)).25"))
        },
        one("no alg") { PushRequest().authorized(TestSender.bearer(algorithm: nil)) },
        one("a signature in DER") { PushRequest().authorized(TestSender.bearer(signature: .der)) },
        one("Apple's own sample: a string of milliseconds, no alg, DER") {
            PushRequest().authorized(
                TestSender.bearer(
                    issuedAt: "\"\(Int(Date().timeIntervalSince1970 * 1000))\"",
                    algorithm: nil,
                    signature: .der
                )
            )
        },
        one("a token of an hour ago") { PushRequest().authorized(TestSender.bearer(age: 3600)) },
        one("a clock that is ahead") { PushRequest().authorized(TestSender.bearer(age: -3500)) },
        one("a topic the key is for") {
            PushRequest(path: "/3/device/\(Fixture.otherToken)", headers: [("apns-topic", Fixture.otherTopic)])
                .authorized(TestSender.bearer("ONLYMAILXX"))
        },
        one("a suffix of it") {
            PushRequest(
                path: "/3/device/\(Fixture.otherToken)",
                headers: [("apns-topic", Fixture.otherTopic + ".voip"), ("apns-push-type", "voip")]
            ).authorized(TestSender.bearer("ONLYMAILXX"))
        },
        one("no topic, and a device of the key's") {
            PushRequest(path: "/3/device/\(Fixture.otherToken)", headers: [])
                .authorized(TestSender.bearer("ONLYMAILXX"))
        },
        SenderRow("a new token for each push") {
            (0..<4).map { PushRequest().authorized(TestSender.bearer(age: $0)) }
        },
        SenderRow("a second key of the team") {
            [PushRequest().authorized(), PushRequest().authorized(TestSender.bearer("SECONDKEY2"))]
        },
        SenderRow("one token for many pushes, strictly", nil, .strict) {
            [PushRequest](repeating: PushRequest().authorized(), count: 3)
        },
    ]
}
