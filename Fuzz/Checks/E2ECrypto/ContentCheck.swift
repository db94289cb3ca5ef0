// SPDX-License-Identifier: Apache-2.0

private import E2ECrypto
private import NotificationPayload

/// Feeds hostile bytes to everything that reads plaintext, and holds what comes out against what is promised.
///
/// The first byte says which reader: `0` a JSON object, `1` text, `2` either, `3` the inner part of an envelope, `4` a
/// Web Push record, `5` PKCS#7 padding. Any other is refused.
public enum ContentCheck {
    /// The outcome of one input.
    public enum Result: Equatable, Sendable {
        case read
        case refused
        /// The reader took bytes that FORMAT.md refuses, or read them as something else.
        case broken
    }

    /// Reads one input, whatever it is.
    public static func check(_ bytes: [UInt8]) -> Result {
        guard let kind = bytes.first else { return .refused }
        let bytes = Array(bytes.dropFirst())
        return switch kind {
        case UInt8(ascii: "0"): content(bytes, .json)
        case UInt8(ascii: "1"): content(bytes, .text)
        case UInt8(ascii: "2"): content(bytes, .jsonOrText)
        case UInt8(ascii: "3"): inner(bytes)
        case UInt8(ascii: "4"): record(bytes)
        case UInt8(ascii: "5"): padding(bytes)
        default: .refused
        }
    }

    private static func content(_ bytes: [UInt8], _ kind: ContentRules.Kind) -> Result {
        guard let payload = try? ContentRules.payload(from: bytes.span, kind, allowsCritical: false) else {
            return .refused
        }
        // A payload that was read, written and read again is the same.
        guard let again = try? JSONObject(parsing: payload.serialized.span), again == payload else { return .broken }
        guard let aps = payload["aps"]?.object else { return .broken }
        let outer = ["mutable-content", "content-available", "encrypted-content", "encryption"]
        guard outer.allSatisfy({ payload[$0] == nil && aps[$0] == nil }) else { return .broken }
        let isCritical = aps["interruption-level"] == "critical" || aps["sound"]?.object?["critical"] != nil
        return isCritical ? .broken : .read
    }

    private static func inner(_ bytes: [UInt8]) -> Result {
        guard let inner = EnvelopeInner(parsing: bytes.span) else { return .refused }
        let isWithin =
            inner.content.lowerBound == EnvelopeInner.headerByteCount
            && inner.content.upperBound <= bytes.count
        guard isWithin, (0...Unsealed.maximumLifetime).contains(inner.lifetime) else { return .broken }
        let written = EnvelopeInner.bytes(
            content: bytes.span.extracting(inner.content),
            isText: bytes[0] == 2,
            issued: inner.issued,
            ttl: inner.ttl,
            paddedTo: bytes.count
        )
        return written == bytes ? .read : .broken
    }

    private static func record(_ bytes: [UInt8]) -> Result {
        guard let end = WebPush.contentEnd(in: bytes.span) else { return .refused }
        return bytes[end] == 2 && bytes[(end + 1)...].allSatisfy { $0 == 0 } ? .read : .broken
    }

    private static func padding(_ bytes: [UInt8]) -> Result {
        guard let count = AESDecryption.unpadded(bytes.span) else { return .refused }
        let padding = bytes.count - count
        let isRight = (1...16).contains(padding) && bytes[count...].allSatisfy { Int($0) == padding }
        return isRight && bytes.count % 16 == 0 ? .read : .broken
    }
}
