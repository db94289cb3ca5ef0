// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// Feeds hostile bytes to an opener with a published key, and holds what comes out against what is promised.
///
/// Bytes that begin with `inner:` are sealed as the inner part of an envelope, those with `box:` as the content of a
/// sealed box, so that the parsers behind the tag are reached; all others are a sealed text.
@_spi(Fuzzing) public final class OpenCheck {
    /// What became of one input.
    public enum Result: Equatable {
        case opened
        case refused(OpenError)
        /// The payload is not what FORMAT.md says of every opened payload.
        case broken
    }

    private static let now: Int64 = 1_795_228_800_000
    private static let context = PushContext(topic: "com.example.app", collapseID: "door", requestID: "r1")
    private static let senderBytes = [UInt8](repeating: 0x77, count: 32)

    private let arena: SecretArena
    private let sealer: Sealer
    private let opener: Opener

    /// nil when there is no locked memory.
    public init?() {
        guard let arena = try? SecretArena(),
            let ring = KeyRing.published(SelfTest.recipient, in: arena),
            let recipient = ring.publicKeys.first,
            let sender = KeyRing.published(Self.senderBytes, in: arena),
            let sealer = try? Sealer(to: recipient, from: sender)
        else { return nil }
        let senders = sender.publicKeys.map { OpenPolicy.Sender(publicKey: $0) }
        let known = OpenPolicy.Sender(publicKey: PublicKey(unchecked: SelfTest.sender))
        guard let opener = try? Opener(keys: ring, policy: OpenPolicy(senders: senders + [known])) else { return nil }
        self.arena = arena
        self.sealer = sealer
        self.opener = opener
    }

    /// Opens one input, whatever it is.
    public func callAsFunction(_ bytes: [UInt8]) -> Result {
        guard let text = text(bytes) else { return .refused(.tooLarge(limit: 0, got: bytes.count)) }
        do {
            let payload = try opener.open(text: text.span, context: Self.context, now: Self.now)
            return Self.isSound(payload) ? .opened : .broken
        } catch {
            return .refused(error)
        }
    }

    private func text(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes.starts(with: "inner:".utf8) {
            let inner = Array(bytes.dropFirst(6).prefix(4096))
            unsafe arena.workspace.ephemeral.update(repeating: 7, count: 32)
            return (try? sealer.envelope(of: inner, context: Self.context)).map { Array($0.utf8) }
        }
        if bytes.starts(with: "box:".utf8) {
            return (try? sealer.sealBox(Array(bytes.dropFirst(4)).span)).map { Array($0.utf8) }
        }
        return bytes
    }

    private static func isSound(_ bytes: [UInt8]) -> Bool {
        guard let payload = try? JSONObject(parsing: bytes.span) else { return false }
        guard let aps = payload["aps"]?.object, payload["encrypted-content"] == nil else { return false }
        guard aps["mutable-content"] == nil, aps["interruption-level"] != "critical" else { return false }
        guard let seal = payload["encryption"]?.object, let format = seal["format"]?.string else { return false }
        guard let format = SealFormat(rawValue: format), let isAuthenticated = seal["authenticated"]?.bool else {
            return false
        }
        return switch format {
        case .v1, .box: isAuthenticated == (seal["sender"]?.string != nil)
        case .sealedBox, .barkCBC: !isAuthenticated && seal["sender"] == .null
        default: isAuthenticated && seal["sender"] == .null
        }
    }
}
