// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Foundation
import Testing

struct CryptoKitTests {
    @Test func `what an extension decrypts with is there`() throws {
        let key = SymmetricKey(data: Data(repeating: 7, count: 32))
        let box = try AES.GCM.seal(Data("hello".utf8), using: key)
        let combined = try #require(box.combined)
        #expect(try AES.GCM.open(AES.GCM.SealedBox(combined: combined), using: key) == Data("hello".utf8))

        let mine = Curve25519.KeyAgreement.PrivateKey()
        let theirs = P256.KeyAgreement.PrivateKey()
        #expect(mine.publicKey.rawRepresentation.count == 32)
        #expect(theirs.publicKey.x963Representation.count == 65)
        let secret = try mine.sharedSecretFromKeyAgreement(with: mine.publicKey)
        let derived = secret.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: Data(),
            sharedInfo: Data(),
            outputByteCount: 32
        )
        #expect(derived.bitCount == 256)
        #expect(SHA256.hash(data: Data()).description.hasSuffix("7852b855"))
        #expect(Insecure.MD5.hash(data: Data()).map { String(format: "%02x", $0) }.joined().hasPrefix("d41d8cd9"))
    }

    @Test func `there is no secure enclave, and it can be asked`() {
        #expect(!SecureEnclave.isAvailable)
    }
}
