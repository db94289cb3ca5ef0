// SPDX-License-Identifier: Apache-2.0

private import Crypto
private import HostRuntime
private import Ingress
private import NotificationPayload

private import struct Foundation.Date

/// Feeds hostile bytes to everything that reads a request of Web Push, and holds what comes out against what is
/// promised.
///
/// The first byte says what the others are: `v` a value of `Authorization`, `s` the claims of a token, which the check
/// signs because a fuzzer cannot, `h` a head (the path, then lines of `name: value`), `b` a body. Any other is refused.
public enum WebPushCheck {
    /// The outcome of one input.
    public enum Result: Equatable, Sendable {
        case taken
        case refused
        /// The host took a request that RFC 8030, 8291 or 8292 refuse, or read it as something else.
        case broken
    }

    /// Reads one input, whatever it is.
    public static func check(_ bytes: [UInt8]) -> Result {
        let rest = Array(bytes.dropFirst())
        return switch bytes.first {
        case UInt8(ascii: "v"): authorization(String(decoding: rest, as: UTF8.self))
        case UInt8(ascii: "s"): claims(rest)
        case UInt8(ascii: "h"): head(String(decoding: rest, as: UTF8.self))
        case UInt8(ascii: "b"): body(rest)
        default: .refused
        }
    }

    private static func authorization(_ value: String) -> Result {
        guard case .credential(let credential) = VAPIDHeader(value) else { return .refused }
        guard credential.key.count == 65, credential.key[0] == 4, !credential.token.isEmpty else { return .broken }
        // Whatever it says, nobody has signed it.
        var memory = VAPIDMemory()
        guard let origin = WebPushOrigin("https://push.example.com"),
            !memory.isValid(credential, for: origin, now: now)
        else { return .broken }
        let plain = credential.token.utf8.allSatisfy { $0.isBase64URLDigit || $0 == UInt8(ascii: ".") }
        let again = "vapid k=\(Base64.url.encode(credential.key)),t=\(credential.token)"
        return !plain || VAPIDHeader(again) == .credential(credential) ? .taken : .broken
    }

    private static let now = Date(timeIntervalSince1970: 1_795_228_800)

    /// Claims count for their origin and for a day, and only under the signature that was made over them.
    private static func claims(_ claims: [UInt8]) -> Result {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32)),
            let origin = WebPushOrigin("https://push.example.com")
        else { return .broken }
        let text = Base64.url.encode(Array(#"{"alg":"ES256"}"#.utf8)) + "." + Base64.url.encode(claims)
        func isValid(_ signed: String) -> Bool {
            guard let signature = try? key.signature(for: Array(signed.utf8)),
                case .credential(let credential) = VAPIDHeader(
                    "vapid t=\(text).\(Base64.url.encode(Array(signature.rawRepresentation))), "
                        + "k=\(Base64.url.encode(Array(key.publicKey.x963Representation)))"
                )
            else { return false }
            var memory = VAPIDMemory()
            let verdict = memory.isValid(credential, for: origin, now: now)
            // What is remembered says the same.
            return verdict && memory.isValid(credential, for: origin, now: now)
        }
        guard !isValid(text + "A") else { return .broken }
        guard isValid(text) else { return .refused }
        guard let object = try? JSONObject(parsing: claims.span), let audience = object["aud"]?.string,
            WebPushOrigin(audience)?.description == origin.description, let end = object["exp"]?.double,
            (now.timeIntervalSince1970...now.timeIntervalSince1970 + 24 * 3600 + 60).contains(end)
        else { return .broken }
        return .taken
    }

    private static func head(_ text: String) -> Result {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var request = WebPushRequest(method: "POST", path: String(lines.removeFirst()))
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            request.add(parts[0].lowercased(), parts.count > 1 ? String(parts[1]) : "")
        }
        var memory = VAPIDMemory()
        guard let origin = WebPushOrigin("https://push.example.com") else { return .broken }
        let validator = WebPushValidator(subscriptions: AnySubscription(), origin: origin)
        guard let head = try? validator.judge(request, id: "fresh", now: Date(), senders: &memory) else {
            return .refused
        }
        let topic = head.collapseID ?? "-"
        let isWithin =
            head.subscription.utf8.count == 64 && (0...WebPushValidator.maximumTimeToLive).contains(head.timeToLive)
            && (1...32).contains(topic.utf8.count) && topic.utf8.allSatisfy(\.isBase64URLDigit)
        return isWithin ? .taken : .broken
    }

    private static func body(_ bytes: [UInt8]) -> Result {
        var request = WebPushRequest(method: "POST", path: "/push/" + String(repeating: "A", count: 27))
        request.add("ttl", "60")
        request.add("content-encoding", "aes128gcm")
        var memory = VAPIDMemory()
        guard let origin = WebPushOrigin("https://push.example.com"),
            let head = try? WebPushValidator(subscriptions: AnySubscription(), origin: origin)
                .judge(request, id: "fresh", now: now, senders: &memory)
        else { return .broken }
        guard let push = try? head.join(bytes.span, receivedAt: now) else {
            return WebPushMessage.hasShape(bytes.span) ? .broken : .refused
        }
        guard let text = push.payload.encryptedContent?.string, text.hasPrefix("wp."),
            Base64.url.decode(text.utf8.dropFirst(3)) == bytes
        else { return .broken }
        return push.payload.hasDisplayableAlert && push.payload.isMutable ? .taken : .broken
    }

    private struct AnySubscription: WebPushSubscriptions {
        func state(ofSubscription token: String) -> WebPushSubscriptionState? {
            .active(WebPushSubscription(topic: "com.example.chat"))
        }
    }
}
