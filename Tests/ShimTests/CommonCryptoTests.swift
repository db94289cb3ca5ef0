// SPDX-License-Identifier: Apache-2.0

import CommonCryptoFunctions
import Foundation
import Testing

struct CommonCryptoTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    @Test func `digests are those of RFC 1321, RFC 3174 and FIPS 180-4`() {
        let data = Data("abc".utf8)
        var md5 = [UInt8](repeating: 0, count: Int(CC_MD5_DIGEST_LENGTH))
        var sha1 = [UInt8](repeating: 0, count: Int(CC_SHA1_DIGEST_LENGTH))
        var sha256 = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        var sha512 = [UInt8](repeating: 0, count: Int(CC_SHA512_DIGEST_LENGTH))
        // As extensions write it.
        _ = data.withUnsafeBytes { CC_MD5($0.baseAddress, CC_LONG(data.count), &md5) }
        _ = data.withUnsafeBytes { CC_SHA1($0.baseAddress, CC_LONG(data.count), &sha1) }
        _ = data.withUnsafeBytes { CC_SHA256($0.baseAddress, CC_LONG(data.count), &sha256) }
        _ = data.withUnsafeBytes { CC_SHA512($0.baseAddress, CC_LONG(data.count), &sha512) }
        #expect(Self.hex(md5) == "900150983cd24fb0d6963f7d28e17f72")
        #expect(Self.hex(sha1) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(Self.hex(sha256) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(Self.hex(sha512).hasPrefix("ddaf35a193617abacc417349ae204131"))
    }

    @Test func `a digest made piece by piece is the same`() {
        var context = CC_SHA256_CTX()
        var digest = [UInt8](repeating: 0, count: 32)
        CC_SHA256_Init(&context)
        CC_SHA256_Update(&context, "a", 1)
        CC_SHA256_Update(&context, "bc", 2)
        CC_SHA256_Final(&digest, &context)
        #expect(Self.hex(digest) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func `CCHmac is that of RFC 4231`() {
        var code = [UInt8](repeating: 0, count: 32)
        let text = "what do ya want for nothing?"
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), "Jefe", 4, text, text.utf8.count, &code)
        #expect(Self.hex(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    private static func crypt(
        _ operation: Int,
        _ options: Int,
        _ input: [UInt8],
        room: Int = 64
    ) -> (status: Int32, output: String) {
        let key = bytes("2b7e151628aed2a6abf7158809cf4f3c")
        let vector = bytes("000102030405060708090a0b0c0d0e0f")
        var output = [UInt8](repeating: 0, count: room)
        var count = 0
        let status = CCCrypt(
            CCOperation(operation),
            CCAlgorithm(kCCAlgorithmAES),
            CCOptions(options),
            key,
            key.count,
            vector,
            input,
            input.count,
            &output,
            room,
            &count
        )
        return (status, status == 0 ? hex(output.prefix(count)) : "\(count)")
    }

    @Test func `CCCrypt is AES as in NIST SP 800-38A`() {
        let text = Self.bytes("6bc1bee22e409f96e93d7e117393172a")
        #expect(Self.crypt(kCCEncrypt, 0, text).output == "7649abac8119b246cee98e9b12e9197d")
        #expect(Self.crypt(kCCEncrypt, kCCOptionECBMode, text).output == "3ad77bb40d7a3660a89ecaf32466ef97")
        #expect(Self.crypt(kCCDecrypt, 0, Self.bytes("7649abac8119b246cee98e9b12e9197d")).output == Self.hex(text))
    }

    @Test(arguments: [0, 1, 15, 16, 17, 33])
    func `what is padded comes back`(count: Int) {
        let text = [UInt8](repeating: 7, count: count)
        let sealed = Self.crypt(kCCEncrypt, kCCOptionPKCS7Padding, text)
        #expect(sealed.output.count == (count / 16 + 1) * 32)
        #expect(Self.crypt(kCCDecrypt, kCCOptionPKCS7Padding, Self.bytes(sealed.output)).output == Self.hex(text))
    }

    @Test func `bad input has its own status`() {
        let odd = [UInt8](repeating: 1, count: 15)
        let whole = [UInt8](repeating: 1, count: 16)
        #expect(Self.crypt(kCCEncrypt, 0, odd).status == Int32(kCCAlignmentError))
        #expect(Self.crypt(kCCDecrypt, kCCOptionPKCS7Padding, odd).status == Int32(kCCAlignmentError))
        #expect(Self.crypt(kCCDecrypt, kCCOptionPKCS7Padding, whole).status == Int32(kCCDecodeError))
        let small = Self.crypt(kCCEncrypt, kCCOptionPKCS7Padding, whole, room: 16)
        #expect(small.status == Int32(kCCBufferTooSmall))
        #expect(small.output == "32")
        #expect(
            CCCrypt(0, CCAlgorithm(kCCAlgorithm3DES), 0, nil, 24, nil, nil, 0, nil, 0, nil) == Int32(kCCUnimplemented)
        )
        #expect(CCCrypt(0, 0, 0, odd, 15, nil, nil, 0, nil, 0, nil) == Int32(kCCParamError))
    }

    @Test func `PBKDF2 is that of RFC 6070`() {
        var key = [UInt8](repeating: 0, count: 20)
        func derive(_ rounds: UInt32, _ function: Int) -> Int32 {
            CCKeyDerivationPBKDF(
                CCPBKDFAlgorithm(kCCPBKDF2),
                "password",
                8,
                Array("salt".utf8),
                4,
                CCPseudoRandomAlgorithm(function),
                rounds,
                &key,
                20
            )
        }
        #expect(derive(2, kCCPRFHmacAlgSHA1) == 0)
        #expect(Self.hex(key) == "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957")
        #expect(derive(0, kCCPRFHmacAlgSHA1) == Int32(kCCParamError))
        #expect(derive(1, 99) == Int32(kCCParamError))
    }
}
