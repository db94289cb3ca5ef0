// SPDX-License-Identifier: Apache-2.0

internal import Crypto
private import Foundation

/// The key of a whole store: 32 bytes, which lie outside of the store's folder.
///
/// The store seals nothing with it but the keys of installations, and a proof by which another key is told.
package struct StoreKey: Sendable {
    package static let byteCount = 32

    let secret: SymmetricKey

    /// Takes 32 bytes, which stay the caller's to wipe; `nil` means another number of bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        secret = SymmetricKey(data: bytes)
    }
}

/// Bytes sealed with AES-256-GCM: 12 random bytes, the ciphertext, and a tag of 16 bytes.
///
/// The purpose and the number of the installation are authenticated, so that what is sealed opens for its purpose and
/// its app alone.
enum Seal: UInt8 {
    /// Nothing, under the store key: opens under the right one.
    case proof = 0
    /// The key of an installation, under the store key.
    case key = 1
    /// A content, a response's text and a silent push, under the key of their installation.
    case content = 2
    case text = 3
    case silent = 4

    func seal(_ bytes: [UInt8], of installation: Int64, under key: SymmetricKey) throws -> [UInt8] {
        let box = try AES.GCM.seal(bytes, using: key, authenticating: name(of: installation))
        return Array(box.nonce) + box.ciphertext + box.tag
    }

    /// Returns the bytes; `nil` means that they are damaged, of another place, or under another key.
    func open(_ sealed: [UInt8], of installation: Int64, under key: SymmetricKey) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let bytes = try? AES.GCM.open(box, using: key, authenticating: name(of: installation))
        else { return nil }
        return Array(bytes)
    }

    private func name(of installation: Int64) -> [UInt8] {
        Array("nestbox center 1 ".utf8) + [rawValue] + withUnsafeBytes(of: installation.bigEndian) { Array($0) }
    }
}
