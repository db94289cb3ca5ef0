// SPDX-License-Identifier: Apache-2.0

import CSodium
import Foundation
import Testing

@testable import E2ECrypto

/// Project Wycheproof's files, where they stand beside the repository.
///
/// They hold the library that all of this is built on to account, and HKDF as it is put together from HMAC.
struct WycheproofTests {
    struct File: Decodable {
        struct Group: Decodable {
            let tests: [Case]
            let ivSize: Int?
            let tagSize: Int?
        }

        let testGroups: [Group]
    }

    struct Case: Decodable {
        let tcId: Int
        let result: String
        let `public`: String?
        let `private`: String?
        let shared: String?
        let key: String?
        let iv: String?
        let aad: String?
        let msg: String?
        let ct: String?
        let tag: String?
        let ikm: String?
        let salt: String?
        let info: String?
        let size: Int?
        let okm: String?
    }

    static let folder = PackageRoot.url.resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "shared/vectors/wycheproof")
    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }
    static let missing: Comment = "no ../shared/vectors/wycheproof beside the repository"

    private func groups(_ name: String) throws -> [File.Group] {
        let data = try Data(contentsOf: Self.folder.appending(path: "\(name)_test.json"))
        return try JSONDecoder().decode(File.self, from: data).testGroups
    }

    private func field(_ text: String?) throws -> [UInt8] {
        try #require(text.flatMap { unhex($0) })
    }

    @Test(.enabled(if: isPresent, missing))
    func `x25519 agrees, and refuses a result of zero`() throws {
        let cases = try groups("x25519").flatMap(\.tests)
        #expect(cases.count == 518)
        for test in cases {
            var shared = [UInt8](repeating: 0, count: 32)
            let status = crypto_scalarmult(&shared, try field(test.private), try field(test.public))
            let expected = try field(test.shared)
            #expect((status == 0) == expected.contains { $0 != 0 }, "\(test.tcId)")
            if status == 0 { #expect(shared == expected, "\(test.tcId)") }
        }
    }

    @Test(.enabled(if: isPresent, missing))
    func `chacha20-poly1305 opens what is valid and nothing else`() throws {
        let groups = try groups("chacha20_poly1305")
        #expect(groups.flatMap(\.tests).count == 325)
        for group in groups where group.ivSize == 96 && group.tagSize == 128 {
            for test in group.tests {
                let ciphertext = try field(test.ct) + field(test.tag)
                let message = try field(test.msg)
                let aad = try field(test.aad)
                var plaintext = [UInt8](repeating: 0, count: max(1, message.count))
                let status = crypto_aead_chacha20poly1305_ietf_decrypt(
                    &plaintext,
                    nil,
                    nil,
                    ciphertext,
                    UInt64(ciphertext.count),
                    aad,
                    UInt64(aad.count),
                    try field(test.iv),
                    try field(test.key)
                )
                #expect((status == 0) == (test.result == "valid"), "\(test.tcId)")
                if status == 0 { #expect(Array(plaintext.prefix(message.count)) == message, "\(test.tcId)") }
            }
        }
    }

    @Test(.enabled(if: isPresent, missing))
    func `hmac-sha256 makes the tag, cut where the group says`() throws {
        let groups = try groups("hmac_sha256")
        #expect(groups.flatMap(\.tests).count == 174)
        for group in groups {
            for test in group.tests {
                let tag = Self.hmac(key: try field(test.key), try field(test.msg))
                let isEqual = Array(tag.prefix((group.tagSize ?? 256) / 8)) == (try field(test.tag))
                #expect(isEqual == (test.result == "valid"), "\(test.tcId)")
            }
        }
    }

    @Test(.enabled(if: isPresent, missing))
    func `hkdf-sha256 is two uses of hmac`() throws {
        let cases = try groups("hkdf_sha256").flatMap(\.tests)
        #expect(cases.count == 86)
        for test in cases {
            let size = try #require(test.size)
            guard size <= 255 * 32 else {
                #expect(test.result == "invalid", "\(test.tcId)")
                continue
            }
            let key = Self.hmac(key: try field(test.salt), try field(test.ikm))
            var output: [UInt8] = []
            var block: [UInt8] = []
            for number in 1...max(1, (size + 31) / 32) {
                block = Self.hmac(key: key, block + (try field(test.info)) + [UInt8(number)])
                output += block
            }
            #expect(Array(output.prefix(size)) == (try field(test.okm)), "\(test.tcId)")
        }
    }

    private static func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        var state = crypto_auth_hmacsha256_state()
        var tag = [UInt8](repeating: 0, count: 32)
        crypto_auth_hmacsha256_init(&state, key, key.count)
        crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        crypto_auth_hmacsha256_final(&state, &tag)
        return tag
    }
}
