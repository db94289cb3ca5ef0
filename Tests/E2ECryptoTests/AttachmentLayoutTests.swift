// SPDX-License-Identifier: Apache-2.0

import CSodium
import Testing

@testable import E2ECrypto

struct AttachmentLayoutTests {
    @Test(arguments: [
        (0, 0), (1, 1), (2, 2), (3, 3), (7, 7), (8, 8), (9, 10), (10, 10), (11, 12), (15, 16), (16, 16), (17, 18),
        (100, 104), (255, 256), (256, 256), (257, 272), (1000, 1024), (1025, 1088), (65535, 65536), (65536, 65536),
        (65537, 67584), (1_000_000, 1_015_808), (10_000_000, 10_223_616), ((1 << 30) - 1, 1 << 30), (1 << 30, 1 << 30),
    ])
    func `lengths are padded as the paper says`(_ count: Int, _ padded: Int) {
        #expect(AttachmentLayout.paddedByteCount(of: count) == padded)
    }

    @Test func `padding is stable, never shorter, and adds at most an eighth`() {
        var last = 0
        for count in 0...200_000 {
            let padded = AttachmentLayout.paddedByteCount(of: count)
            guard padded >= max(count, last), (padded - count) * 8 <= count,
                AttachmentLayout.paddedByteCount(of: padded) == padded
            else {
                Issue.record("\(count) is padded to \(padded)")
                return
            }
            last = padded
        }
    }

    @Test(arguments: [
        (0, 49), (1, 50), (9, 59), (65535, 65585), (65536, 65585), (65537, 32 + 67584 + 34),
        (1 << 30, 32 + 16384 * 65553),
    ])
    func `a sealed file has a prefix of 32 bytes and 17 for each chunk`(_ count: Int, _ sealed: Int) {
        #expect(AttachmentLayout.sealedByteCount(of: count) == sealed)
    }

    @Test func `the numbers are those of libsodium`() {
        #expect(AttachmentLayout.headerByteCount == crypto_secretstream_xchacha20poly1305_headerbytes())
        #expect(AttachmentLayout.chunkOverhead == crypto_secretstream_xchacha20poly1305_abytes())
        #expect(AttachmentLayout.keyByteCount == crypto_secretstream_xchacha20poly1305_keybytes())
        #expect(AttachmentCipher.Tag.message.rawValue == crypto_secretstream_xchacha20poly1305_tag_message())
        #expect(AttachmentCipher.Tag.final.rawValue == crypto_secretstream_xchacha20poly1305_tag_final())
        #expect(crypto_secretstream_xchacha20poly1305_statebytes() <= 64)
    }
}
