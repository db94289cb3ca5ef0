// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import E2ECrypto

/// Nothing but the sealed file itself opens.
struct AttachmentMutationTests {
    private let small: SealedFile
    private let large: SealedFile

    init() throws {
        small = try SealedFile(Array("a small file, padded".utf8))
        large = try SealedFile(pattern(3 * 65536 + 1000))
    }

    @Test func `the files themselves open`() throws {
        #expect(try small.open() == Array("a small file, padded".utf8))
        #expect(try large.open() == pattern(3 * 65536 + 1000))
    }

    @Test func `every flipped bit is refused`() {
        var counts: [String: Int] = [:]
        for offset in small.bytes.indices {
            for bit in 0..<8 {
                var changed = small.bytes
                changed[offset] ^= 1 << bit
                counts[small.refusal(of: changed)?.vectorText ?? "opened", default: 0] += 1
            }
        }
        #expect(counts == ["badPreamble": 64, "notOpened": (small.bytes.count - 8) * 8])
    }

    @Test func `every truncation is refused`() {
        for count in small.bytes.indices {
            let expected = AttachmentError.truncated(needed: small.bytes.count, got: count)
            #expect(small.refusal(of: Array(small.bytes.prefix(count))) == expected)
        }
        // At and around the ends of chunks, where a truncated file is made of whole ones.
        for end in [32, 32 + 65553, 32 + 2 * 65553, 32 + 3 * 65553] {
            for count in [end - 1, end, end + 1] {
                let expected = AttachmentError.truncated(needed: large.bytes.count, got: count)
                #expect(large.refusal(of: Array(large.bytes.prefix(count))) == expected)
            }
        }
    }

    @Test func `every byte more, at every place, is refused`() {
        for offset in small.bytes.indices {
            for byte: UInt8 in [0, 1, 0xFF] {
                var changed = small.bytes
                changed.insert(byte, at: offset)
                // The same byte beside itself is the same file with one more at its end, which is found in its turn.
                #expect(small.refusal(of: changed) != nil)
            }
        }
        for byte in UInt8.min...UInt8.max {
            #expect(small.refusal(of: small.bytes + [byte]) == .trailingBytes(after: small.bytes.count))
        }
        #expect(large.refusal(of: large.bytes + large.bytes) == .trailingBytes(after: large.bytes.count))
    }

    @Test func `chunks swapped, dropped, doubled are refused`() {
        let chunks = large.chunks
        #expect(chunks.map(\.count) == [65553, 65553, 65553, 4096 + 17])
        for (first, second) in [(0, 1), (1, 2), (0, 2)] {
            var changed = chunks
            changed.swapAt(first, second)
            #expect(large.refusal(of: large.with(chunks: changed)) == .notOpened)
        }
        for index in 0..<3 {
            var dropped = chunks
            dropped.remove(at: index)
            // Where a whole chunk is missing before the short last one, the chunk that is read is another.
            #expect(
                large.refusal(of: large.with(chunks: dropped)) == (index < 2 ? .notOpened : truncation(of: dropped))
            )
            var doubled = chunks
            doubled.insert(chunks[index], at: index)
            #expect(large.refusal(of: large.with(chunks: doubled)) == .notOpened)
        }
        let lastDropped = Array(chunks.dropLast())
        #expect(large.refusal(of: large.with(chunks: lastDropped)) == truncation(of: lastDropped))
    }

    private func truncation(of chunks: [[UInt8]]) -> AttachmentError {
        .truncated(needed: large.bytes.count, got: 32 + chunks.joined().count)
    }

    @Test func `two files spliced are refused, even under one key`() throws {
        let key = [UInt8](repeating: 9, count: 32)
        let first = try SealedFile(pattern(100_000), key: key, header: [UInt8](repeating: 1, count: 24))
        let second = try SealedFile(pattern(100_000), key: key, header: [UInt8](repeating: 2, count: 24))
        #expect(first.refusal(of: first.with(chunks: [first.chunks[0], second.chunks[1]])) == .notOpened)
        #expect(first.refusal(of: first.with(chunks: [second.chunks[0], first.chunks[1]])) == .notOpened)
        #expect(first.refusal(of: first.with(chunks: second.chunks)) == .notOpened)
        #expect(large.refusal(of: first.bytes) != nil)
    }

    @Test func `another file under the same key is the wrong one`() throws {
        let key = [UInt8](repeating: 9, count: 32)
        let first = try SealedFile([1, 2, 3], key: key)
        let second = try SealedFile([1, 2, 4], key: key)
        #expect(first.refusal(of: second.bytes) == .wrongDigest)
    }

    @Test func `the wrong key opens nothing`() throws {
        let other = try SealedFile([1], key: [UInt8](repeating: 9, count: 32))
        let entry = AttachmentEntry(
            label: small.entry.label,
            size: small.entry.size,
            key: other.entry.key,
            digest: small.entry.digest
        )
        #expect(small.refusal(of: small.bytes, as: entry) == .notOpened)
    }

    @Test func `every bit of the digest counts`() {
        for bit in 0..<256 {
            var digest = small.entry.digest
            digest[bit / 8] ^= 1 << (bit % 8)
            #expect(refusal(size: small.entry.size, digest: digest) == .wrongDigest)
        }
    }

    @Test func `another size with the same padded length shows its padding or hides data`() {
        // 20 bytes are padded to none, 19 and 17 bytes would be padded to as many.
        #expect(small.entry.size == 20)
        #expect(refusal(size: 19, digest: small.entry.digest) == .notOpened)
        #expect(refusal(size: 18, digest: small.entry.digest) == .notOpened)
        #expect(refusal(size: 22, digest: small.entry.digest) == .truncated(needed: 71, got: 69))
    }

    private func refusal(size: Int, digest: [UInt8]) -> AttachmentError? {
        let entry = AttachmentEntry(label: small.entry.label, size: size, key: small.entry.key, digest: digest)
        return small.refusal(of: small.bytes, as: entry)
    }
}
