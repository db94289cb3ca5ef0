// SPDX-License-Identifier: Apache-2.0

private import E2ECrypto

/// Seals hostile bytes with published keys, so that what stands behind the tag is reached, and opens the result.
///
/// The first byte says as what: `0` the inner part of an anonymous envelope, `1` of one with a sender, `2` the content
/// of a sealed box. Any other is refused.
public final class EnvelopeCheck {
    private let keys: PublishedKeys

    /// Returns `nil` when there is no locked memory.
    public init?() {
        guard let keys = PublishedKeys() else { return nil }
        self.keys = keys
    }

    /// Seals and opens one input.
    ///
    /// Every input up to 4,096 bytes seals, so that a text that is refused before its tag counts as broken.
    public func callAsFunction(_ bytes: [UInt8]) -> OpenCheck.Result {
        guard let kind = bytes.first, let text = text(kind, Array(bytes.dropFirst().prefix(4096))) else {
            return .refused(.formatNotAccepted(nil))
        }
        let result = OpenCheck.result(of: keys.opener) { opener throws(OpenError) in
            try opener.open(text: text.utf8.span, context: PublishedKeys.context, now: PublishedKeys.now)
        }
        switch result {
        // What is written behind the tag decides, and nothing else.
        case .opened, .refused(.notOpened), .refused(.expired), .refused(.issuedInFuture), .refused(.badContent):
            return result
        case .refused(.tooShort) where bytes.count < 1 + EnvelopeInner.headerByteCount: return result
        case .refused, .broken: return .broken
        }
    }

    private func text(_ kind: UInt8, _ bytes: [UInt8]) -> String? {
        switch kind {
        case UInt8(ascii: "0"): envelope(of: bytes, by: keys.anonymousSealer)
        case UInt8(ascii: "1"): envelope(of: bytes, by: keys.sealer)
        case UInt8(ascii: "2"): try? keys.sealer.sealBox(bytes.span)
        default: nil
        }
    }

    private func envelope(of inner: [UInt8], by sealer: Sealer) -> String? {
        unsafe keys.arena.workspace.ephemeral.update(repeating: 7, count: 32)
        return try? sealer.envelope(of: inner, context: PublishedKeys.context)
    }
}
