// SPDX-License-Identifier: Apache-2.0

import CSodium
import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// AES as other systems' formats need it, from swift-crypto: libsodium has none but AES-256-GCM, and that not on every
/// processor.
///
/// Keys are copied for the time of a call into memory that is wiped and not locked; what CBC expands its key to is on
/// the stack and not wiped.
package enum AESDecryption {
    static let blockByteCount = 16
    static let tagByteCount = 16

    /// AES-GCM of a ciphertext with its tag behind it, no additional data; returns the byte count, nil when the tag
    /// does not fit or the nonce is none.
    static func openGCM(
        _ bytes: UnsafeBufferPointer<UInt8>,
        key: UnsafeBufferPointer<UInt8>,
        nonce: UnsafeBufferPointer<UInt8>,
        to plaintext: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        let end = bytes.count - tagByteCount
        guard end >= 0, let nonce = unsafe try? AES.GCM.Nonce(data: nonce),
            let box = unsafe try? AES.GCM.SealedBox(
                nonce: nonce,
                ciphertext: UnsafeBufferPointer(rebasing: bytes[..<end]),
                tag: UnsafeBufferPointer(rebasing: bytes[end...])
            ),
            var opened = unsafe try? AES.GCM.open(box, using: SymmetricKey(data: key))
        else { return nil }
        return unsafe move(&opened, to: plaintext)
    }

    /// AES-CBC with PKCS#7 padding; returns the byte count without it, nil when the padding is wrong.
    ///
    /// `bytes` are whole blocks, at least one; `iv` is one block.
    static func openCBC(
        _ bytes: UnsafeBufferPointer<UInt8>,
        key: UnsafeBufferPointer<UInt8>,
        iv: UnsafeBufferPointer<UInt8>,
        to plaintext: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        guard let iv = unsafe try? AES._CBC.IV(ivBytes: iv),
            var opened = unsafe try? AES._CBC.decrypt(bytes, using: SymmetricKey(data: key), iv: iv, noPadding: true)
        else { return nil }
        let count = unsafe move(&opened, to: plaintext)
        return unsafe unpadded(Span(_unsafeStart: plaintext, count: count))
    }

    /// The byte count of `padded` without its PKCS#7 padding; nil when that is wrong.
    ///
    /// Looks at the same bytes whatever they are.
    package static func unpadded(_ padded: Span<UInt8>) -> Int? {
        guard padded.count >= blockByteCount, padded.count % blockByteCount == 0 else { return nil }
        let last = Int(padded[padded.count - 1])
        var wrong = last == 0 || last > blockByteCount
        for distance in 1...blockByteCount {
            let isPadding = distance <= last
            wrong = wrong != false || (isPadding && Int(padded[padded.count - distance]) != last)
        }
        return wrong ? nil : padded.count - last
    }

    /// Copies what was decrypted into locked memory and wipes where it stood.
    private static func move(_ opened: inout Data, to plaintext: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe opened.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(plaintext).copyMemory(from: start, byteCount: bytes.count)
            unsafe sodium_memzero(start, bytes.count)
        }
        return opened.count
    }
}
