// SPDX-License-Identifier: Apache-2.0

private import HostRuntime
private import Ingress
private import NotificationPayload

/// The properties that hold for every request of a provider, checked on one text that has both head and body.
///
/// The first line is the method, a space and the path; each further one a header's name, a colon and its value; an
/// empty line, then the body.
public enum RequestHeadCheck {
    /// The outcome of one input.
    public enum Result: Sendable, Equatable {
        case taken
        case refused
        /// A promise did not hold: a bug.
        case broken
    }

    private static let sample = SampleListener.only

    /// A push is what its headers say, within its bounds; what is taken strictly is taken leniently, and a request that
    /// says all of it is the same push.
    public static func check(_ bytes: [UInt8]) -> Result {
        let text = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let lines = text.prefix { !$0.isEmpty }
        let body = Array(text.dropFirst(lines.count + 1).joined(separator: [UInt8(ascii: "\n")]))
        let request = request(lines.map { String(decoding: $0, as: UTF8.self) })
        let lenient = push(request, body, .lenient)
        if let strict = push(request, body, .strict) {
            guard let lenient, strict.isSame(as: lenient) else { return .broken }
        }
        guard let lenient else { return .refused }
        guard lenient.isWhole(topic: sample.topic, token: sample.token, now: sample.now), lenient.body == body,
            let again = push(lenient.request, body, .lenient), again.isSame(as: lenient)
        else { return .broken }
        return .taken
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
        let validator = PushValidator(tokens: sample.tokens, environment: .development, conformance: conformance)
        let head = try? validator.judge(request, freshID: sample.id, now: sample.now)
        return try? head?.join(body.span, receivedAt: sample.now)
    }
}
