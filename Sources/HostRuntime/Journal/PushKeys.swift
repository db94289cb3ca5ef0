// SPDX-License-Identifier: Apache-2.0

private import Crypto
private import NotificationPayload

/// The keys by which a push is known, so that the same push is not run twice.
///
/// Two keys of 16 bytes, each the head of a SHA-256 over the device token, the topic and the SHA-256 of the body, with
/// the id (`identity`), or without it and with the collapse identifier (`content`). The second exists only where the
/// payload has a string `encrypted-content`: honest sealing is randomised, so equal bytes are the same push again,
/// whatever id they come under. Each string is preceded by its length.
package struct PushKeys: Equatable, Sendable {
    package let identity: PushKey
    package let content: PushKey?

    /// 16 or 32 bytes: identity, then content.
    package let bytes: [UInt8]

    package init(_ push: IncomingPush, body: [UInt8]) {
        let bodyHash = SHA256.hash(data: body)
        var text: [UInt8] = []
        text.reserveCapacity(512)
        func key(_ kind: UInt8, _ name: String) -> SHA256.Digest {
            text.removeAll(keepingCapacity: true)
            text.append(kind)
            for part in [push.deviceToken, push.topic, name] {
                let utf8 = part.utf8
                text.append(UInt8(truncatingIfNeeded: utf8.count >> 8))
                text.append(UInt8(truncatingIfNeeded: utf8.count))
                text.append(contentsOf: utf8)
            }
            bodyHash.withUnsafeBytes { text.append(contentsOf: $0) }
            return SHA256.hash(data: text)
        }
        let identityHash = key(1, push.id)
        var bytes = identityHash.withUnsafeBytes { Array($0[..<16]) }
        identity = PushKey(bytes[...])
        if case .string? = push.payload.encryptedContent {
            key(2, push.collapseID ?? "").withUnsafeBytes { bytes.append(contentsOf: $0[..<16]) }
            content = PushKey(bytes[16...])
        } else {
            content = nil
        }
        self.bytes = bytes
    }
}

/// 16 bytes of a hash.
package struct PushKey: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    /// Reads the first 16 of them.
    package init(_ bytes: ArraySlice<UInt8>) {
        self = bytes.withUnsafeBytes { PushKey($0, at: 0) }
    }

    package init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    }
}
