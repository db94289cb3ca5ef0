// SPDX-License-Identifier: Apache-2.0

import Compression
import Foundation
import HostLog
import Testing

struct CompressionTests {
    /// 40 numbered sentences, as zlib compresses them at its best: a block with a code of its own.
    private static let dynamic =
        "ndVJDsIwDEbhq/gALLB/RnEahhQKlECbMvT0IBas0dvGeit/csoh2a2vtyfbtPlxsSo/7dg3187yPbVWPuPzenjZLu"
        + "9HNrZSN6lbfZ//rhxVgSqhaoKqKapmqJqjaoGqJdsyxMF0OOPhzIczIM6EOCPizIgzJM6UBFMS8IYwJcGUBFMSTEkw"
        + "JcGUBFMSTImYEjElgl8NUyKmREyJmBIxJWJK9FPyBg=="

    private static let sentences = (0..<40).map { "the quick brown fox jumps over the lazy dog, \($0) times; " }
        .joined()

    private static func decode(_ data: Data, room: Int = 8192) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: room)
        let count = compression_decode_buffer(&output, room, Array(data), data.count, nil, COMPRESSION_ZLIB)
        return Array(output.prefix(count))
    }

    private static func encode(_ bytes: [UInt8], room: Int) -> Data {
        var output = [UInt8](repeating: 0, count: room)
        let count = compression_encode_buffer(&output, room, bytes, bytes.count, nil, COMPRESSION_ZLIB)
        return Data(output.prefix(count))
    }

    @Test func `what zlib compressed is read, in each kind of block`() throws {
        let dynamic = try #require(Data(base64Encoded: Self.dynamic))
        #expect(Self.decode(dynamic) == Array(Self.sentences.utf8))
        let fixed = try #require(Data(base64Encoded: "y0jNyclXyEAnAQ=="))
        #expect(Self.decode(fixed) == Array("hello hello hello hello".utf8))
        let stored = try #require(Data(base64Encoded: "AQwA8/9zdG9yZWQgYnl0ZXM="))
        #expect(Self.decode(stored) == Array("stored bytes".utf8))
    }

    @Test func `what is compressed comes back, and text is shorter meanwhile`() {
        let text = Array(Self.sentences.utf8)
        let packed = Self.encode(text, room: text.count)
        #expect(packed.count < text.count / 3)
        #expect(Self.decode(packed) == text)
        for count in [0, 1, 2, 3, 257, 258, 259, 1000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
            #expect(Self.decode(Self.encode(bytes, room: 2000)) == bytes)
            let same = [UInt8](repeating: 200, count: count)
            #expect(Self.decode(Self.encode(same, room: 2000)) == same)
        }
    }

    @Test func `what does not fit is cut when read, and not written at all`() throws {
        let dynamic = try #require(Data(base64Encoded: Self.dynamic))
        #expect(Self.decode(dynamic, room: 9) == Array("the quick".utf8))
        #expect(Self.encode(Array(Self.sentences.utf8), room: 20).isEmpty)
    }

    @Test func `damaged bytes give nothing, or no more than there is room for`() throws {
        let dynamic = try #require(Data(base64Encoded: Self.dynamic))
        for count in 0..<dynamic.count { #expect(Self.decode(dynamic.prefix(count)).isEmpty) }
        for place in dynamic.indices {
            var damaged = dynamic
            damaged[place] ^= 0x55
            #expect(Self.decode(damaged, room: 4096).count <= 4096)
        }
    }
}

extension LogTests {
    struct CompressionLogTests {
        @Test func `another algorithm is said to be missing, and answers 0`() {
            var output: [UInt8] = [0]
            let lines = recordingLog {
                #expect(compression_encode_buffer(&output, 1, [1], 1, nil, COMPRESSION_LZFSE) == 0)
                #expect(compression_decode_buffer(&output, 1, [1], 1, nil, COMPRESSION_LZ4) == 0)
            }
            #expect(lines.map(\.message) == ["Compression has zlib alone here: calls with another algorithm answer 0"])
        }
    }
}
