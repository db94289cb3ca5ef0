// SPDX-License-Identifier: Apache-2.0

import CSodium
import Crypto
import Foundation
import Testing

@testable import E2ECrypto

/// The cryptographic primitives against the vectors of Wycheproof, each called in the way in which the project calls
/// it.
@Suite(.enabled(if: Wycheproof.isPresent, Wycheproof.missing))
struct WycheproofTests {
    @Test func `x25519 of libsodium agrees, and refuses a result of zero`() throws {
        try Wycheproof.run("x25519", through: "crypto_scalarmult", count: 518) { _, test in
            let expected = try test.bytes(\.shared)
            var shared = [UInt8](repeating: 0, count: 32)
            let status = crypto_scalarmult(&shared, try test.bytes(\.private), try test.bytes(\.public))
            #expect((status == 0) == expected.contains { $0 != 0 }, "\(test.tcId)")
            return status == 0 ? .result(isExpected: shared == expected) : .refused
        }
    }

    @Test func `x25519 of swift-crypto agrees, and a result of zero can be told`() throws {
        try Wycheproof.run("x25519", through: "swift-crypto", count: 518) { _, test in
            let expected = try test.bytes(\.shared)
            let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: try test.bytes(\.private))
            let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: try test.bytes(\.public))
            let shared = (try? key.sharedSecretFromKeyAgreement(with: peer)).map { $0.withUnsafeBytes { Array($0) } }
            let isZero = !(shared ?? []).contains { $0 != 0 }
            #expect(isZero == !expected.contains { $0 != 0 }, "\(test.tcId)")
            return isZero ? .refused : .result(isExpected: shared == expected)
        }
    }

    @Test func `chacha20-poly1305 opens what is valid and nothing else`() throws {
        try Wycheproof.run("chacha20_poly1305", through: "libsodium", count: 325, skipped: 9) { group, test in
            guard group.ivSize == 96 else { return .skipped("nonces are 12 bytes") }
            return try open(test, with: crypto_aead_chacha20poly1305_ietf_decrypt)
        }
    }

    @Test func `xchacha20-poly1305, which attachments are made of, opens what is valid and nothing else`() throws {
        try Wycheproof.run("xchacha20_poly1305", through: "libsodium", count: 315, skipped: 9) { group, test in
            guard group.ivSize == 192 else { return .skipped("nonces are 24 bytes") }
            return try open(test, with: crypto_aead_xchacha20poly1305_ietf_decrypt)
        }
    }

    private typealias Decrypt = (
        UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt64>?, UnsafeMutablePointer<UInt8>?,
        UnsafePointer<UInt8>, UInt64, UnsafePointer<UInt8>?, UInt64, UnsafePointer<UInt8>, UnsafePointer<UInt8>
    ) -> Int32

    private func open(_ test: Wycheproof.Case, with decrypt: Decrypt) throws -> Wycheproof.Answer {
        let ciphertext = try test.bytes(\.ct) + test.bytes(\.tag)
        let message = try test.bytes(\.msg)
        let aad = try test.bytes(\.aad)
        var plaintext = [UInt8](repeating: 0, count: max(1, message.count))
        let status = decrypt(
            &plaintext,
            nil,
            nil,
            ciphertext,
            UInt64(ciphertext.count),
            aad,
            UInt64(aad.count),
            try test.bytes(\.iv),
            try test.bytes(\.key)
        )
        return status == 0 ? .result(isExpected: Array(plaintext.prefix(message.count)) == message) : .refused
    }

    @Test func `hmac-sha256 makes the tag, cut where the group says`() throws {
        let workspace = try Workspace()
        try Wycheproof.run("hmac_sha256", through: "Workspace.hmac", count: 174) { group, test in
            let tag = hmac(workspace, key: try test.bytes(\.key), try test.bytes(\.msg))
            let isEqual = Array(tag.prefix((group.tagSize ?? 256) / 8)) == (try test.bytes(\.tag))
            return .result(isExpected: isEqual)
        }
    }

    @Test func `hkdf-sha256 is two uses of hmac`() throws {
        let workspace = try Workspace()
        try Wycheproof.run("hkdf_sha256", through: "Workspace.hmac", count: 86) { _, test in
            let size = try #require(test.size)
            guard size <= 255 * 32 else { return .refused }
            let key = hmac(workspace, key: try test.bytes(\.salt), try test.bytes(\.ikm))
            var output: [UInt8] = []
            var block: [UInt8] = []
            for number in 1...max(1, (size + 31) / 32) {
                block = hmac(workspace, key: key, block + (try test.bytes(\.info)) + [UInt8(number)])
                output += block
            }
            return .result(isExpected: Array(output.prefix(size)) == (try test.bytes(\.okm)))
        }
    }

    @Test func `aes-gcm opens what is valid and nothing else`() throws {
        try Wycheproof.run("aes_gcm", through: "swift-crypto", count: 316, skipped: 43) { _, test in
            let nonce = try test.bytes(\.iv)
            guard nonce.count >= 12 else { return .skipped("nonces under 12 bytes are refused") }
            let (ciphertext, tag) = (try test.bytes(\.ct), try test.bytes(\.tag))
            let (key, aad, message) = (try test.bytes(\.key), try test.bytes(\.aad), try test.bytes(\.msg))
            if aad.isEmpty {
                let plain = opened(ciphertext + tag, key, nonce, AESDecryption.openGCM)
                return plain.map { .result(isExpected: $0 == message) } ?? .refused
            }
            // No format of ours has additional data: the same cipher without what is around it.
            let box = try AES.GCM.SealedBox(nonce: .init(data: nonce), ciphertext: ciphertext, tag: tag)
            let plain = try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: aad)
            return plain.map { .result(isExpected: Array($0) == message) } ?? .refused
        }
    }

    @Test func `aes-cbc opens what is valid, and no padding that is none`() throws {
        try Wycheproof.run("aes_cbc_pkcs5", through: "swift-crypto", count: 216) { _, test in
            let ciphertext = try test.bytes(\.ct)
            // Such texts end before the cipher, at the length.
            guard ciphertext.count % 16 == 0, !ciphertext.isEmpty else { return .refused }
            let message = try test.bytes(\.msg)
            let plain = opened(ciphertext, try test.bytes(\.key), try test.bytes(\.iv), AESDecryption.openCBC)
            return plain.map { .result(isExpected: $0 == message) } ?? .refused
        }
    }

    @Test func `ecdh on P-256 agrees, and takes no point that is none`() throws {
        try Wycheproof.run("ecdh_secp256r1_ecpoint", through: "swift-crypto", count: 355, skipped: 1) { _, test in
            let peer = try test.bytes(\.public)
            guard test.result != "acceptable" else { return .skipped("points are not compressed") }
            guard peer.count == P256Agreement.publicKeyByteCount else { return .refused }
            // The file writes private keys as numbers.
            let number = try test.bytes(\.private).drop { $0 == 0 }
            let key = [UInt8](repeating: 0, count: 32 - number.count) + number
            var shared = [UInt8](repeating: 0, count: 32)
            guard P256Agreement.agree(privateKey: key, peer: peer, to: &shared) else { return .refused }
            return .result(isExpected: shared == (try test.bytes(\.shared)))
        }
    }

    private typealias Open = (
        UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>, UnsafeMutablePointer<UInt8>
    ) -> Int?

    private func opened(_ ciphertext: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ open: Open) -> [UInt8]? {
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count + 1)
        let count = ciphertext.withUnsafeBufferPointer { ciphertext in
            key.withUnsafeBufferPointer { key in
                nonce.withUnsafeBufferPointer { nonce in open(ciphertext, key, nonce, &plaintext) }
            }
        }
        return count.map { Array(plaintext.prefix($0)) }
    }

    private func hmac(_ workspace: Workspace, key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: 32)
        workspace.hmac(key: key, key.count, message: message, message.count, to: &tag)
        return tag
    }
}
