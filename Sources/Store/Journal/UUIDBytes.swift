// SPDX-License-Identifier: Apache-2.0

/// A UUID in its 16 bytes; as text, 36 characters of lower case.
struct UUIDBytes: Equatable {
    private static let digits = Array("0123456789abcdef".utf8)

    let bytes: [UInt8]

    /// Reads a UUID; returns `nil` unless the bytes make the same text again.
    init?(_ text: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var high: UInt8?
        var count = 0
        for character in text.utf8 {
            defer { count += 1 }
            if count == 8 || count == 13 || count == 18 || count == 23 {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard count == 36 else { return nil }
        self.bytes = bytes
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = Array(bytes)
    }

    var text: String {
        var characters: [UInt8] = []
        characters.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { characters.append(UInt8(ascii: "-")) }
            characters.append(Self.digits[Int(byte >> 4)])
            characters.append(Self.digits[Int(byte & 15)])
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
