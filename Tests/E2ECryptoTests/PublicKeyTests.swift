// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import E2ECrypto

struct PublicKeyTests {
    private static let text = "nse1jpzzw5x76x3qvc976mmjdw2ks0d0cz058kzuk3tav72u0u9pd4sqkh0cll"
    private static let hexadecimal = "90442750ded1a20660bed6f726b95683dafc09f43d85cb457d6795c7f0a16d60"

    @Test func `text, id and fingerprint are those of FORMAT.md`() throws {
        let key = try PublicKey(parsing: Self.text)
        #expect(key.bytes == unhex(Self.hexadecimal))
        #expect(key.description == Self.text)
        #expect(key.id.description == "8d96fecd12684c9d")
        #expect(key.fingerprint == "19001 46115 74910 96651 25581 89705")
    }

    @Test(arguments: [
        hexadecimal, hexadecimal.uppercased(), text.uppercased(), "  \(text)\n",
        "kEQnUN7RogZgvtb3JrlWg9r8CfQ9hctFfWeVx/ChbWA=", "kEQnUN7RogZgvtb3JrlWg9r8CfQ9hctFfWeVx_ChbWA",
    ])
    func `other spellings are the same key`(_ spelling: String) throws {
        #expect(try PublicKey(parsing: spelling) == PublicKey(parsing: Self.text))
    }

    @Test(
        arguments: [
            ("", KeyTextError.empty),
            (" \n", .empty),
            ("NSE-SECRET-KEY-1Q23HSP6X0NQWYJTCY45P9D03LVPNGXMETDU7MRQUSHQYLR4X5S6QJ9LSUG", .secretKey),
            ("nse-secret-key-1q23hsp", .secretKey),
            ("nse-psk-1q23hsp", .pairedSecret),
            (text.dropLast() + "m", .wrongChecksum),
            (text.dropLast() + "", .wrongChecksum),
            ("nse1", .wrongChecksum),
            ("nse1b" + text.dropFirst(5), .unexpectedCharacter(offset: 4)),
            ("Nse1" + text.dropFirst(4), .mixedCase),
            (hexadecimal.dropLast(2) + "", .wrongByteCount(got: 46)),
            ("kEQnUN7RogZgvtb3JrlWg9r8CfQ9hctFfWeVx/ChbQ==", .wrongByteCount(got: 31)),
            ("kEQnUN7R ogZg", .unexpectedCharacter(offset: 8)),
            ("nse", .wrongByteCount(got: 2)),
        ] as [(String, KeyTextError)]
    )
    func `what is no key is refused by name`(_ text: String, _ expected: KeyTextError) {
        #expect(throws: expected) { try PublicKey(parsing: text) }
    }

    @Test func `a short bech32 key with a good checksum has its length named`() {
        let short = Bech32.encode([UInt8](repeating: 1, count: 31), prefix: "nse")
        #expect(throws: KeyTextError.wrongByteCount(got: 31)) { try PublicKey(parsing: short) }
    }

    @Test func `bech32 finds every changed character`() throws {
        let characters = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l")
        for offset in 4..<Self.text.count {
            for character in characters {
                var changed = Array(Self.text)
                guard changed[offset] != character else { continue }
                changed[offset] = character
                #expect(throws: KeyTextError.wrongChecksum) { try PublicKey(parsing: String(changed)) }
            }
        }
    }

    @Test func `bech32 holds for every length`() throws {
        for count in 0...40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
            let text = Bech32.encode(bytes, prefix: "nse-psk-")
            #expect(text.utf8.count == Bech32.characterCount(prefix: "nse-psk-", byteCount: count))
            #expect(try Bech32.decode(Array(text.utf8), prefix: "nse-psk-") == bytes)
        }
    }
}
