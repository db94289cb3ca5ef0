// SPDX-License-Identifier: Apache-2.0

internal import NotificationPayload

/// A UUID in its 16 bytes; as text, 36 characters of lower case.
struct UUIDBytes: Equatable {
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
            let isUpperCase = (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(character)
            guard !isUpperCase, let digit = Hexadecimal.value(of: character) else { return nil }
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
            Hexadecimal.append(byte, to: &characters)
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
