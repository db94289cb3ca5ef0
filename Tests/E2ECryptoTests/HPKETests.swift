// SPDX-License-Identifier: Apache-2.0

import CSodium
import Foundation
import Testing

@testable import E2ECrypto

struct HPKETests {
    struct Vectors: Decodable {
        let vectors: [Vector]
    }

    struct Vector: Decodable {
        struct Encryption: Decodable {
            let aad: String
            let ct: String
            let nonce: String
            let pt: String
        }

        let mode: UInt8
        let info: String
        let skRm: String
        let skEm: String
        let pkRm: String
        let enc: String
        let psk: String?
        let psk_id: String?
        let shared_secret: String
        let key: String
        let base_nonce: String
        let encryptions: [Encryption]
    }

    static let vectors: [Vector] = {
        let url = PackageRoot.url.appending(path: "Tests/Vectors/rfc9180.json")
        let data = (try? Data(contentsOf: url)) ?? Data()
        return (try? JSONDecoder().decode(Vectors.self, from: data))?.vectors ?? []
    }()

    @Test func `both modes have a vector`() {
        let encryptions = Self.vectors.map(\.encryptions.count).reduce(0, +)
        print("rfc9180: \(Self.vectors.count) key schedules from either side, \(encryptions) encryptions opened twice")
        #expect(encryptions == 40)
        #expect(Self.vectors.map(\.mode) == [HPKE.Mode.base.rawValue, HPKE.Mode.psk.rawValue])
    }

    @Test(arguments: vectors.indices)
    func `the recipient derives key and nonce of RFC 9180`(_ index: Int) throws {
        let vector = Self.vectors[index]
        let enc = try #require(unhex(vector.enc))
        try check(vector, secret: vector.skRm, peer: enc)
    }

    @Test(arguments: vectors.indices)
    func `the sender derives key and nonce of RFC 9180`(_ index: Int) throws {
        let vector = Self.vectors[index]
        let recipient = try #require(unhex(vector.pkRm))
        try check(vector, secret: vector.skEm, peer: recipient)
    }

    private func check(_ vector: Vector, secret: String, peer: [UInt8]) throws {
        let workspace = try Workspace()
        let hpke = HPKE(workspace)
        let secret = try #require(unhex(secret))
        let enc = try #require(unhex(vector.enc))
        let recipient = try #require(unhex(vector.pkRm))
        let isAgreed = hpke.agree(secret: secret, peer: peer, enc: enc, recipient: recipient)
        #expect(isAgreed)
        #expect(contents(workspace.sharedSecret, 32) == unhex(vector.shared_secret))
        hpke.schedule(
            psk: vector.psk.flatMap { unhex($0) },
            pskIDHash: HPKE.pskIDHash(unhex(vector.psk_id ?? "") ?? []),
            infoHash: HPKE.infoHash(try #require(unhex(vector.info)))
        )
        #expect(contents(workspace.key, 32) == unhex(vector.key))
        #expect(contents(workspace.nonce, 12) == unhex(vector.base_nonce))
        for encryption in vector.encryptions {
            let aad = try #require(unhex(encryption.aad))
            let nonce = try #require(unhex(encryption.nonce))
            let expected = try #require(unhex(encryption.pt))
            let ciphertext = try #require(unhex(encryption.ct))
            var plaintext = [UInt8](repeating: 0, count: expected.count)
            let status = crypto_aead_chacha20poly1305_ietf_decrypt(
                &plaintext,
                nil,
                nil,
                ciphertext,
                UInt64(ciphertext.count),
                aad,
                UInt64(aad.count),
                nonce,
                workspace.key
            )
            #expect(status == 0)
            #expect(plaintext == expected)
        }
    }

    @Test func `a point of small order agrees on nothing`() throws {
        let hpke = HPKE(try Workspace())
        let zero = [UInt8](repeating: 0, count: 32)
        let secret = [UInt8](repeating: 7, count: 32)
        let isAgreed = hpke.agree(secret: secret, peer: zero, enc: zero, recipient: zero)
        #expect(!isAgreed)
    }

    private func contents(_ pointer: UnsafePointer<UInt8>, _ count: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: pointer, count: count))
    }
}
