// SPDX-License-Identifier: Apache-2.0

import CSodium
import Foundation
import NotificationPayload
import Testing

@testable @_spi(Benchmarking) import E2ECrypto

/// The examples of the RFCs that the formats stand on, through the functions that open.
///
/// RFC 9180 has a file of its own, HPKETests.
struct KnownAnswerTests {
    private func bytes(_ hexadecimal: String) throws -> [UInt8] {
        try #require(unhex(hexadecimal))
    }

    private func base64URL(_ text: String) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: text.utf8.count + 3)
        let count = try Base64.url.decode(Array(text.utf8).span, into: &bytes)
        return Array(bytes.prefix(count))
    }

    private func x25519(_ secret: [UInt8], _ point: [UInt8]) -> [UInt8] {
        var shared = [UInt8](repeating: 0, count: 32)
        #expect(crypto_scalarmult(&shared, secret, point) == 0)
        return shared
    }

    private func hmac(_ workspace: Workspace, _ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: 32)
        workspace.hmac(key: key, key.count, message: message, message.count, to: &tag)
        return tag
    }

    // MARK: RFC 7748

    @Test(
        arguments: [
            (
                "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
                "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
            ),
            (
                "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
                "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
            ),
        ]
    )
    func `RFC 7748, section 5.2, a product`(_ scalar: String, _ point: String, _ product: String) throws {
        #expect(try x25519(bytes(scalar), bytes(point)) == bytes(product))
        print("rfc7748 section 5.2: 1 product")
    }

    @Test func `RFC 7748, section 5.2, 1000 products in a row`() throws {
        var scalar = [9] + [UInt8](repeating: 0, count: 31)
        var point = scalar
        for round in 1...1000 {
            (scalar, point) = (x25519(scalar, point), scalar)
            if round == 1 {
                #expect(scalar == (try bytes("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079")))
            }
        }
        print("rfc7748 section 5.2: 1000 products in a row")
        #expect(scalar == (try bytes("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51")))
    }

    @Test func `RFC 7748, section 6.1, two people and their shared secret`() throws {
        let alice = try bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
        let bob = try bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
        let alicePublic = PublicKey(ofSecret: alice).bytes
        let bobPublic = PublicKey(ofSecret: bob).bytes
        #expect(alicePublic == (try bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")))
        #expect(bobPublic == (try bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")))
        let shared = try bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
        #expect(x25519(alice, bobPublic) == shared)
        #expect(x25519(bob, alicePublic) == shared)
        print("rfc7748 section 6.1: 1 exchange, both sides")
    }

    // MARK: RFC 8439

    private func open(_ ciphertext: [UInt8], key: String, nonce: String, aad: String) throws -> [UInt8]? {
        let aad = try bytes(aad)
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
        var count: UInt64 = 0
        let status = crypto_aead_chacha20poly1305_ietf_decrypt(
            &plaintext,
            &count,
            nil,
            ciphertext,
            UInt64(ciphertext.count),
            aad,
            UInt64(aad.count),
            try bytes(nonce),
            try bytes(key)
        )
        return status == 0 ? Array(plaintext.prefix(Int(count))) : nil
    }

    @Test func `RFC 8439, section 2.8.2, a message opens`() throws {
        let ciphertext = try bytes(
            "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
                + "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
                + "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
                + "3ff4def08e4b7a9de576d26586cec64b6116" + "1ae10b594f09e26a7e902ecbd0600691"
        )
        let plaintext = try open(
            ciphertext,
            key: "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
            nonce: "070000004041424344454647",
            aad: "50515253c0c1c2c3c4c5c6c7"
        )
        let message =
            "Ladies and Gentlemen of the class of '99: "
            + "If I could offer you only one tip for the future, sunscreen would be it."
        #expect(plaintext == Array(message.utf8))
        print("rfc8439 section 2.8.2: 1 message")
    }

    @Test func `RFC 8439, appendix A.5, a message opens`() throws {
        let ciphertext = try bytes(
            "64a0861575861af460f062c79be643bd5e805cfd345cf389f108670ac76c8cb2"
                + "4c6cfc18755d43eea09ee94e382d26b0bdb7b73c321b0100d4f03b7f355894cf"
                + "332f830e710b97ce98c8a84abd0b948114ad176e008d33bd60f982b1ff37c855"
                + "9797a06ef4f0ef61c186324e2b3506383606907b6a7c02b0f9f6157b53c867e4"
                + "b9166c767b804d46a59b5216cde7a4e99040c5a40433225ee282a1b0a06c523e"
                + "af4534d7f83fa1155b0047718cbc546a0d072b04b3564eea1b422273f548271a"
                + "0bb2316053fa76991955ebd63159434ecebb4e466dae5a1073a6727627097a10"
                + "49e617d91d361094fa68f0ff77987130305beaba2eda04df997b714d6c6f2c29"
                + "a6ad5cb4022b02709b" + "eead9d67890cbb22392336fea1851f38"
        )
        let plaintext = try open(
            ciphertext,
            key: "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0",
            nonce: "000000000102030405060708",
            aad: "f33388860000000000004e91"
        )
        #expect(plaintext?.starts(with: "Internet-Drafts are draft documents valid for a maximum of six".utf8) == true)
        #expect(plaintext?.count == 265)
        print("rfc8439 appendix A.5: 1 message")
    }

    // MARK: RFC 5869

    private static let hkdf: [(ikm: [UInt8], salt: [UInt8], info: [UInt8], key: String, output: String)] = [
        (
            [UInt8](repeating: 0x0B, count: 22), Array(0...0x0C), Array(0xF0...0xF9),
            "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        (
            Array(0...0x4F), Array(0x60...0xAF), Array(0xB0...0xFF),
            "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
                + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
        ),
        (
            [UInt8](repeating: 0x0B, count: 22), [], [],
            "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ]

    @Test(arguments: hkdf.indices)
    func `RFC 5869, appendix A.1 to A.3, a key and what is drawn from it`(_ index: Int) throws {
        let example = Self.hkdf[index]
        let workspace = try Workspace()
        let key = hmac(workspace, example.salt, example.ikm)
        #expect(key == (try bytes(example.key)))
        let expected = try bytes(example.output)
        var output: [UInt8] = []
        var block: [UInt8] = []
        while output.count < expected.count {
            block = hmac(workspace, key, block + example.info + [UInt8(output.count / 32 + 1)])
            output += block
        }
        #expect(Array(output.prefix(expected.count)) == expected)
        print("rfc5869 appendix A.\(index + 1): 1 key, \(expected.count) bytes")
    }

    // MARK: RFC 8291

    @Test func `RFC 8291, appendix A, every value on the way`() throws {
        let workspace = try Workspace()
        let receiver = try base64URL("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
        let authentication = try base64URL("BTBZMqHH6r4Tts7J_aSIgg")
        let salt = try base64URL("DGv6ra1nlYgDCS1FRnbzlw")
        let senderPublic = try base64URL(
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
        )
        var receiverPublic = [UInt8](repeating: 0, count: 65)
        #expect(P256Agreement.publicKey(ofPrivate: receiver, to: &receiverPublic))
        let expectedPublic = try base64URL(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        )
        #expect(receiverPublic == expectedPublic)
        var shared = [UInt8](repeating: 0, count: 32)
        #expect(P256Agreement.agree(privateKey: receiver, peer: senderPublic, to: &shared))
        #expect(shared == (try base64URL("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs")))
        let keyKey = hmac(workspace, authentication, shared)
        #expect(keyKey == (try base64URL("Snr3JMxaHVDXHWJn5wdC52WjpCtd2EIEGBykDcZW32k")))
        let material = hmac(workspace, keyKey, Array("WebPush: info\0".utf8) + receiverPublic + senderPublic + [1])
        #expect(material == (try base64URL("S4lYMb_L0FxCeq0WhDx813KgSYqU26kOyzWUdsXYyrg")))
        let key = hmac(workspace, salt, material)
        #expect(key == (try base64URL("09_eUZGrsvxChDCGRCdkLiDXrReGOEVeSCdCcPBSJSc")))
        let content = hmac(workspace, key, Array("Content-Encoding: aes128gcm\0\u{1}".utf8))
        #expect(Array(content.prefix(16)) == (try base64URL("oIhVW04MRdy2XN9CiKLxTg")))
        let nonce = hmac(workspace, key, Array("Content-Encoding: nonce\0\u{1}".utf8))
        #expect(Array(nonce.prefix(12)) == (try base64URL("4h_95klXJ5E_qnoN")))
        print("rfc8291 appendix A: 7 values")
    }

    @Test func `RFC 8291, appendix A, the message opens`() throws {
        let vector = try VectorFile.named("web-push-rfc8291")
        #expect(
            vector.text == "wp."
                + "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
                + "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
                + "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        )
        let opener = try vector.opener(in: SecretArena())
        let payload = try opener.open(payload: vector.push, context: vector.context, now: vector.now).payload
        print("rfc8291 appendix A: 1 message")
        #expect(payload["aps"] == ["alert": ["body": "When I grow up, I want to be a watermelon"]])
    }
}
