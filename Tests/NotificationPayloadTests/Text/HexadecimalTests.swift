// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing

struct HexadecimalTests {
    /// Source: RFC 4648, section 10, in lower case.
    @Test(arguments: [
        ("", ""), ("f", "66"), ("fo", "666f"), ("foo", "666f6f"), ("foob", "666f6f62"), ("fooba", "666f6f6261"),
        ("foobar", "666f6f626172"),
    ])
    func `the vectors of RFC 4648 hold in both directions`(_ plain: String, _ text: String) {
        #expect(Hexadecimal.encode(plain.utf8) == text)
        #expect(Hexadecimal.decode(text) == Array(plain.utf8))
        #expect(Hexadecimal.decode(text.uppercased()) == Array(plain.utf8))
    }

    @Test func `every byte is what printf writes, and comes back`() {
        for byte in UInt8.min...UInt8.max {
            #expect(Hexadecimal.encode([byte]) == String(format: "%02x", byte))
            #expect(Hexadecimal.decode(String(format: "%02X", byte)) == [byte])
        }
    }

    @Test(arguments: ["0", "abc", "0g", "g0", " 0", "0x", "+1", "é0", "１２", "00 "])
    func `any other text is none`(_ text: String) {
        #expect(Hexadecimal.decode(text) == nil)
    }

    @Test func `a byte is a digit in both cases, and no other byte is`() {
        for byte in UInt8.min...UInt8.max {
            let value = byte < 128 ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
            #expect(Hexadecimal.value(of: byte).map(Int.init) == value, "\(byte)")
            #expect(byte.isHexadecimalDigit == (value != nil), "\(byte)")
        }
    }

    @Test func `a number has all its digits`() {
        #expect(Hexadecimal.encode(UInt32(0xA1)) == "000000a1")
        #expect(Hexadecimal.encode(UInt64.max) == "ffffffffffffffff")
        #expect(Hexadecimal.encode(UInt64(0)) == "0000000000000000")
    }
}
