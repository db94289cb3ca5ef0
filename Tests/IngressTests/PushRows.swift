// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress

/// One request and what APNs' rules say about it; nil means 200.
struct PushRow: Sendable, CustomStringConvertible {
    let description: String
    var request = PushRequest()
    var expected: RefusalReason?
    var conformance = Conformance.lenient

    init(
        _ description: String,
        _ expected: RefusalReason? = nil,
        _ conformance: Conformance = .lenient,
        _ change: (inout PushRequest) -> Void
    ) {
        self.description = description
        self.expected = expected
        self.conformance = conformance
        change(&request)
    }
}

extension PushRow {
    /// Source: Apple, "Handling notification responses from APNs".
    static let refused: [PushRow] = [
        PushRow("another path", .badPath) { $0.path = "/2/device/\(Fixture.token)" },
        PushRow("the root", .badPath) { $0.path = "/" },
        PushRow("a longer first segment", .badPath) { $0.path = "/3/devices" },
        PushRow("a further segment", .badPath) { $0.path += "/x" },
        PushRow("a slash at the end", .badPath) { $0.path += "/" },
        PushRow("a query", .badPath) { $0.path += "?a=b" },
        PushRow("a fragment", .badPath) { $0.path += "#a" },
        PushRow("a broadcast path", .badPath) { $0.path = "/4/broadcasts/apps/com.example.chat" },
        PushRow("a path before a method", .badPath) { ($0.method, $0.path) = ("GET", "/") },
        PushRow("GET", .methodNotAllowed) { ($0.method, $0.body) = ("GET", "") },
        PushRow("PUT", .methodNotAllowed) { $0.method = "PUT" },
        PushRow("a method before repeated headers", .methodNotAllowed) {
            $0.method = "PUT"
            $0.headers = [("apns-topic", "a"), ("apns-topic", "a")]
        },
        PushRow("a topic twice", .duplicateHeaders) { $0.headers.append(("apns-topic", Fixture.topic)) },
        PushRow("authorization twice", .duplicateHeaders) {
            $0.headers += [("authorization", "bearer a"), ("authorization", "bearer b")]
        },
        PushRow("an unknown apns header twice", .duplicateHeaders) {
            $0.headers += [("apns-unix-time", "1"), ("apns-unix-time", "2")]
        },
        PushRow("an id that is no UUID", .badMessageId) { $0.headers.append(("apns-id", "42")) },
        PushRow("an id without hyphens", .badMessageId) {
            $0.headers.append(("apns-id", "a1b2c3d400004000800000000000abcd"))
        },
        PushRow("an id with a letter that is no digit", .badMessageId) {
            $0.headers.append(("apns-id", "G1B2C3D4-0000-4000-8000-00000000ABCD"))
        },
        PushRow("an empty id", .badMessageId) { $0.headers.append(("apns-id", "")) },
        PushRow("an id before an expiration", .badMessageId) {
            $0.headers += [("apns-id", "42"), ("apns-expiration", "soon")]
        },
        PushRow("an expiration in words", .badExpirationDate) { $0.headers.append(("apns-expiration", "soon")) },
        PushRow("a negative expiration", .badExpirationDate) { $0.headers.append(("apns-expiration", "-1")) },
        PushRow("an expiration of fourteen digits", .badExpirationDate) {
            $0.headers.append(("apns-expiration", "17636930001234"))
        },
        PushRow("an expiration before a priority", .badExpirationDate) {
            $0.headers += [("apns-expiration", "x"), ("apns-priority", "x")]
        },
        PushRow("priority 7", .badPriority) { $0.headers.append(("apns-priority", "7")) },
        PushRow("priority 010", .badPriority) { $0.headers.append(("apns-priority", "010")) },
        PushRow("a priority before a push type", .badPriority) {
            $0.headers += [("apns-priority", "x"), ("apns-push-type", "x")]
        },
        PushRow("an unknown push type", .invalidPushType) { $0.headers.append(("apns-push-type", "shout")) },
        PushRow("a push type in capitals", .invalidPushType) { $0.headers.append(("apns-push-type", "Alert")) },
        PushRow("a push type before a topic", .invalidPushType) {
            $0.headers = [("apns-push-type", "shout"), ("apns-topic", "com.example.nobody")]
        },
        PushRow("no topic, and a token nobody has", .missingTopic) {
            $0.headers = []
            $0.path = "/3/device/00"
        },
        PushRow("an unknown topic", .badTopic) { $0.headers = [("apns-topic", "com.example.nobody")] },
        PushRow("a topic of 256 bytes", .badTopic) {
            $0.headers = [("apns-topic", String(repeating: "a", count: 256))]
        },
        PushRow("a push type the app does not list", .badTopic) { $0.headers.append(("apns-push-type", "location")) },
        PushRow("a suffix the app does not list", .badTopic) {
            $0.headers = [("apns-topic", "com.example.chat.complication")]
        },
        PushRow("a topic before a collapse id", .badTopic) {
            $0.headers = [
                ("apns-topic", "com.example.nobody"), ("apns-collapse-id", String(repeating: "c", count: 65)),
            ]
        },
        PushRow("a collapse id of 65 bytes", .badCollapseId) {
            $0.headers.append(("apns-collapse-id", String(repeating: "c", count: 65)))
        },
        PushRow("a collapse id before a token", .badCollapseId) {
            $0.path = "/3/device/"
            $0.headers.append(("apns-collapse-id", String(repeating: "c", count: 65)))
        },
        PushRow("no token", .missingDeviceToken) { $0.path = "/3/device" },
        PushRow("an empty token", .missingDeviceToken) { $0.path = "/3/device/" },
        PushRow("a token that is not hex", .badDeviceToken) { $0.path = "/3/device/xyz1" },
        PushRow("a token of odd length", .badDeviceToken) { $0.path = "/3/device/abc" },
        PushRow("a token of 202 digits", .badDeviceToken) {
            $0.path = "/3/device/" + String(repeating: "a", count: 202)
        },
        PushRow("a token nobody has", .badDeviceToken) { $0.path = "/3/device/00" },
        PushRow("a token of the other environment", .badDeviceToken) {
            $0.path = "/3/device/\(Fixture.productionToken)"
            $0.headers = [("apns-topic", "com.example.prod")]
        },
        PushRow("a token of another topic", .deviceTokenNotForTopic) { $0.path = "/3/device/\(Fixture.otherToken)" },
        PushRow("a body of 4097 bytes", .payloadTooLarge) { $0.body = padded(4097) },
        PushRow("a voip body of 5121 bytes", .payloadTooLarge) {
            $0.headers = [("apns-topic", "com.example.chat.voip")]
            $0.body = padded(5121)
        },
        PushRow("no body", .payloadEmpty) { $0.body = "" },
        PushRow("a body that is no JSON", .payloadEmpty) { $0.body = "hello" },
        PushRow("an array", .payloadEmpty) { $0.body = "[1]" },
        PushRow("two documents", .payloadEmpty) { $0.body += "{}" },
        PushRow("a key twice", .payloadEmpty) { $0.body = #"{"aps":{},"a":1,"a":2}"# },
        PushRow("arrays seventeen deep", .payloadEmpty) {
            $0.body = #"{"aps":{},"a":\#(String(repeating: "[", count: 16))\#(String(repeating: "]", count: 16))}"#
        },
        PushRow("a NUL in a string", .payloadEmpty) { $0.body = #"{"aps":{},"a":"\u0000"}"# },
        PushRow("an alert without aps", .payloadEmpty) { $0.body = #"{"a":1}"# },
        PushRow("an alert whose aps is a string", .payloadEmpty) { $0.body = #"{"aps":"x"}"# },
        PushRow("a background push without aps", .payloadEmpty) {
            $0.headers.append(("apns-push-type", "background"))
            $0.body = "{}"
        },
        PushRow("background at priority 10, strictly", .badPriority, .strict) {
            $0.headers += [("apns-push-type", "background"), ("apns-priority", "10")]
        },
        PushRow("no topic, strictly", .missingTopic, .strict) { $0.headers = [] },
        PushRow("voip without its suffix, strictly", .badTopic, .strict) {
            $0.headers.append(("apns-push-type", "voip"))
        },
        PushRow("a suffix without its push type, strictly", .badTopic, .strict) {
            $0.headers = [("apns-topic", "com.example.chat.voip")]
        },
    ]

    static let taken: [PushRow] = [
        PushRow("a topic and no more") { _ in },
        PushRow("nothing but a token") { $0.headers = [] },
        PushRow("an empty topic") { $0.headers = [("apns-topic", "")] },
        PushRow("a token in capitals") { $0.path = "/3/device/" + Fixture.token.uppercased() },
        PushRow("an id in capitals") { $0.headers.append(("apns-id", Fixture.id)) },
        PushRow("every header once") {
            $0.headers += [
                ("apns-id", Fixture.id), ("apns-push-type", "alert"), ("apns-priority", "5"),
                ("apns-expiration", "0"), ("apns-collapse-id", "chat-1"), ("apns-unix-time", "1"),
                ("authorization", "bearer x.y.z"), ("content-type", "text/plain"), ("user-agent", "test"),
            ]
        },
        PushRow("an unknown header twice") { $0.headers += [("x-a", "1"), ("x-a", "2")] },
        PushRow("a collapse id of 64 bytes") {
            $0.headers.append(("apns-collapse-id", String(repeating: "c", count: 64)))
        },
        PushRow("an empty collapse id") { $0.headers.append(("apns-collapse-id", "")) },
        PushRow("background at priority 10") {
            $0.headers += [("apns-push-type", "background"), ("apns-priority", "10")]
        },
        PushRow("voip by its suffix, without aps") {
            $0.headers = [("apns-topic", "com.example.chat.voip")]
            $0.body = "{}"
        },
        PushRow("voip by its push type") {
            $0.headers = [("apns-push-type", "voip")]
            $0.body = "{}"
        },
        PushRow("a voip body of 5120 bytes") {
            $0.headers = [("apns-topic", "com.example.chat.voip")]
            $0.body = padded(5120)
        },
        PushRow("a body of 4096 bytes") { $0.body = padded(4096) },
        PushRow("arrays sixteen deep") {
            $0.body = #"{"aps":{},"a":\#(String(repeating: "[", count: 15))\#(String(repeating: "]", count: 15))}"#
        },
        PushRow("voip with its suffix, strictly", nil, .strict) {
            $0.headers = [("apns-topic", "com.example.chat.voip"), ("apns-push-type", "voip")]
        },
    ]

    /// A payload of exactly that many bytes.
    static func padded(_ byteCount: Int) -> String {
        let frame = #"{"aps":{},"x":""}"#
        return #"{"aps":{},"x":"\#(String(repeating: "a", count: byteCount - frame.utf8.count))"}"#
    }
}
