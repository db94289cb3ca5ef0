// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NotificationPayload

/// Many bytes at a time find what one byte at a time would.
struct PlainRunTests {
    private func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    @Test func `every byte ends a run or does not, wherever it stands`() {
        for filler in [UInt8(ascii: "a"), 0x20, 0x7F, 0x80, 0xFF] {
            for byte in UInt8.min...UInt8.max {
                for position in 0..<75 {
                    var bytes = [UInt8](repeating: filler, count: 75)
                    bytes[position] = byte
                    let end = PlainRun.end(in: bytes.span.bytes, from: 0)
                    #expect(end == (isPlain(byte) ? bytes.count : position), "\(byte) at \(position)")
                }
            }
        }
    }

    @Test func `a run may begin anywhere and be empty`() {
        let bytes = Array(#"ab"cdefghijklmnop\q"#.utf8)
        for start in 0...bytes.count {
            let expected = bytes[start...].firstIndex { !isPlain($0) } ?? bytes.count
            #expect(PlainRun.end(in: bytes.span.bytes, from: start) == expected)
        }
    }
}
