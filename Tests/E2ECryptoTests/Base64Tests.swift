// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import E2ECrypto

/// The opener's reading of the base64 in a sealed message, good and bad; `Base64` has tests of its own.
struct Base64OpeningTests {
    private func decode(_ base64: Base64, _ text: String, from start: Int = 0) throws(OpenError) -> [UInt8] {
        var room = [UInt8](repeating: 0, count: text.utf8.count + 3)
        let count = try base64.decode(Array(text.utf8).span, from: start, into: &room)
        return Array(room.prefix(count))
    }

    @Test func `sealed boxes come in either alphabet, padded or not, with any trailing bits`() throws {
        for text in ["-_8", "+/8", "+/8=", "-_8=", "-_9", "+/+="] {
            #expect(try decode(.ofSealedBox, text) == [0xFB, 0xFF])
        }
    }

    @Test(arguments: [
        ("A", 1), ("AAAAA", 5), ("AA==", 2), ("AAA=", 3), ("AA\nA", 2), ("AAA+", 3), ("/AAA", 0), ("AAAAAAA.", 7),
        ("ÄAA", 0), ("A=", 1), ("AB", 1),
    ])
    func `strict text names the first bad character`(_ text: String, _ offset: Int) {
        #expect(throws: OpenError.malformedText(offset: offset)) { try decode(.url, text) }
        #expect(throws: OpenError.malformedText(offset: offset + 3)) { try decode(.url, "v1." + text, from: 3) }
    }

    @Test(arguments: [
        ("A", 1), ("AAAAA", 5), ("AA=", 2), ("A===", 1), ("A=AA", 1), ("AA A", 2), ("====", 0), ("AAA.", 3),
        ("AAAAA AA", 5),
    ])
    func `lenient text names the first bad character`(_ text: String, _ offset: Int) {
        #expect(throws: OpenError.malformedText(offset: offset)) { try decode(.ofSealedBox, text) }
    }
}
