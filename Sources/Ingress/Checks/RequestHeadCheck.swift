// SPDX-License-Identifier: Apache-2.0

private import HostRuntime
private import NotificationPayload

private import struct Foundation.Date

/// What must hold of any request of a provider: head and body in one text.
///
/// The first line is the method, a space and the path; each further one a header's name, a colon and its value; an
/// empty line, then the body.
@_spi(Fuzzing) public enum RequestHeadCheck {
    /// What became of one input.
    public enum Result: Sendable, Equatable {
        case taken
        case refused
        /// A promise did not hold: a bug.
        case broken
    }

    private static let topic = "com.example.chat"
    private static let now = Date(timeIntervalSince1970: 1_763_693_000)
    private static let id = "00000000-0000-4000-8000-000000000000"

    private static let tokens: DeviceTokenTable = {
        var table = DeviceTokenTable()
        let app = DeviceTokenTable.Registration(
            topic: topic,
            environment: .development,
            pushTypes: Set(PushType.allCases)
        )
        table.register(app, tokens: ["ab"])
        return table
    }()

    /// A push is what its headers say, within its bounds; what is taken strictly is taken leniently.
    public static func check(_ bytes: [UInt8]) -> Result {
        let text = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let lines = text.prefix { !$0.isEmpty }
        let body = Array(text.dropFirst(lines.count + 1).joined(separator: [UInt8(ascii: "\n")]))
        let request = request(lines.map { String(decoding: $0, as: UTF8.self) })
        let lenient = push(request, body, .lenient)
        guard let strict = push(request, body, .strict) else { return lenient.map(verdict) ?? .refused }
        guard let lenient, lenient.topic == strict.topic, lenient.pushType == strict.pushType else { return .broken }
        return verdict(lenient)
    }

    private static func request(_ lines: [String]) -> ProviderRequest {
        let start = (lines.first ?? "").split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        var request = ProviderRequest(
            method: String(start.first ?? ""),
            path: start.count == 2 ? String(start[1]) : ""
        )
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            request.add(parts[0].lowercased(), parts.count == 2 ? String(parts[1].drop { $0 == " " }) : "")
        }
        return request
    }

    private static func push(
        _ request: ProviderRequest,
        _ body: [UInt8],
        _ conformance: Conformance
    ) -> IncomingPush? {
        let validator = PushValidator(tokens: tokens, environment: .development, conformance: conformance)
        let head = try? validator.judge(request, freshID: id, now: now)
        return try? head?.push(body: body.span, receivedAt: now)
    }

    private static func verdict(_ push: IncomingPush) -> Result {
        let isWhole =
            MessageID(push.id)?.canonical == push.id && push.deviceToken == "ab"
            && (topic.utf8.count...255).contains(push.topic.utf8.count) && push.topic.hasPrefix(topic)
            && (push.collapseID.map { (1...64).contains($0.utf8.count) } ?? true)
            && push.body.count == push.payloadByteCount
            && push.payloadByteCount <= push.pushType.maximumPayloadByteCount
        let latest = now.addingTimeInterval(PushValidator.maximumLifetime)
        let isInTime = push.expiration.map { $0 > now && $0 <= latest && push.isKept } ?? true
        return isWhole && isInTime ? .taken : .broken
    }
}
