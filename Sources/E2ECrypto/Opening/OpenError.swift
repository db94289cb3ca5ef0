// SPDX-License-Identifier: Apache-2.0

/// The reason for which a sealed payload does not open: a closed set.
///
/// The first group is decided on public bytes. `notOpened` is everything that depends on a secret, one case without a
/// cause, so that nobody learns from refusals. The last group is decided after authentication.
/// None of it goes back to the gateway or the sender.
/// Source: FORMAT.md, "Errors".
public enum OpenError: Error, Hashable, Sendable {
    /// No base64 of the format; `offset` is that of the first bad character in the whole text.
    case malformedText(offset: Int)
    /// Decoded bytes.
    case tooShort(needed: Int, got: Int)
    /// Characters of the text.
    case tooLarge(limit: Int, got: Int)
    /// The kind of an envelope.
    case unsupportedVersion(UInt8)
    /// All flags of an envelope, one of them unknown.
    case unknownFlags(UInt8)
    /// No key of the ring has this id: the payload is for someone else, or the key was deleted.
    case unknownKey(KeyID)
    /// No sender of the policy and no paired secret of the ring has this id.
    case unknownSender(KeyID)
    /// A format that the app does not take or that nobody knows (nil).
    case formatNotAccepted(SealFormat?)
    /// The app takes authenticated payloads only, and this one is anonymous.
    case senderRequired
    /// The envelope is bound to something this push does not carry.
    case contextMissing(PushContext.Part)

    /// Wrong tag, key, topic or other context, a point of small order, a bad inner header or padding.
    case notOpened

    /// The payload's lifetime, which its sender chose, 30 days at most, has run out.
    case expired
    /// The payload says that it was sealed more than 5 minutes from now: one of the clocks is wrong.
    case issuedInFuture
    /// The same payload was opened as another push.
    case replayed
    /// Authentic, but not a payload: see FORMAT.md, "Content rules".
    case badContent
}

extension OpenError {
    /// The name that records and logs carry.
    public var name: String {
        switch self {
        case .malformedText: "malformedText"
        case .tooShort: "tooShort"
        case .tooLarge: "tooLarge"
        case .unsupportedVersion: "unsupportedVersion"
        case .unknownFlags: "unknownFlags"
        case .unknownKey: "unknownKey"
        case .unknownSender: "unknownSender"
        case .formatNotAccepted: "formatNotAccepted"
        case .senderRequired: "senderRequired"
        case .contextMissing: "contextMissing"
        case .notOpened: "notOpened"
        case .expired: "expired"
        case .issuedInFuture: "issuedInFuture"
        case .replayed: "replayed"
        case .badContent: "badContent"
        }
    }
}

extension OpenError: CustomStringConvertible {
    /// One clause for a person who holds the key; public facts only.
    public var description: String {
        switch self {
        case .malformedText(let offset): "the sealed text is malformed at \(offset)"
        case .tooShort(let needed, let got): "the sealed text holds \(got) bytes, expected at least \(needed)"
        case .tooLarge(let limit, let got): "the sealed text has \(got) characters, more than \(limit)"
        case .unsupportedVersion(let kind): "envelopes of kind \(kind) are not supported"
        case .unknownFlags(let flags): "the envelope has unknown flags (\(flags))"
        case .unknownKey(let id): "no key matches, sealed to key id \(id)"
        case .unknownSender(let id): "sender \(id) is not known"
        case .formatNotAccepted(let format?): "format \(format.rawValue) is not accepted"
        case .formatNotAccepted(nil): "this is no known format"
        case .senderRequired: "the payload is anonymous and a known sender is required"
        case .contextMissing(let part): "the envelope is bound to a \(part.rawValue), and the push has none"
        case .notOpened: "not opened: wrong key, sender or context, or changed on its way"
        case .expired: "the payload has expired"
        case .issuedInFuture: "the payload was issued in the future"
        case .replayed: "the payload was opened before"
        case .badContent: "the sealed content is no payload"
        }
    }
}
