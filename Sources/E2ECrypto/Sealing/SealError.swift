// SPDX-License-Identifier: Apache-2.0

/// The reason for which nothing was sealed.
public enum SealError: Error, Equatable, Sendable {
    /// Bytes of content beyond the room.
    case tooLarge(excess: Int)
    /// The padding asked for is smaller than the content needs.
    case paddingTooSmall(needed: Int)
    /// A part of the context is empty or longer than 255 bytes.
    case badContext(PushContext.Part)
    /// The moment of issue is before 1970 or beyond 48 bits of milliseconds.
    case badIssueTime
    /// The recipient's key is a point of small order.
    case unusableKey
    /// The ring to seal from has neither a key pair nor a paired secret.
    case noSender
    /// No room for another secret.
    case arenaFull
    /// The payload is sealed already, or not what a receiver would take: see FORMAT.md, "Content rules".
    case badContent
    /// This key has its own meaning outside, so it cannot be kept in the clear.
    case reservedKey(String)
    /// The payload has no such key to keep in the clear.
    case missingKey(String)
    /// Outside there would be no text: nothing would be shown, and nothing opened.
    case emptyFallback
}

extension SealError: CustomStringConvertible {
    /// One clause for a person.
    public var description: String {
        switch self {
        case .tooLarge(let excess): "the content is \(excess) bytes too large"
        case .paddingTooSmall(let needed): "the padding is too small, \(needed) bytes are needed"
        case .badContext(let part): "the \(part.rawValue) must have 1 to 255 bytes"
        case .badIssueTime: "the moment of issue is no moment from 1970 on"
        case .unusableKey: "the recipient key is a point of small order"
        case .noSender: "the sender's ring holds no key to seal in the name of"
        case .arenaFull: "too many keys"
        case .badContent: "the content is no payload"
        case .reservedKey(let key): "\"\(key)\" cannot be kept"
        case .missingKey(let key): "the payload has no key \"\(key)\" to keep"
        case .emptyFallback: "the fallback is empty"
        }
    }
}
