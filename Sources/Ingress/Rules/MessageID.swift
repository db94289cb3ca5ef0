// SPDX-License-Identifier: Apache-2.0

private import Glibc
internal import NotificationPayload

/// An `apns-id`: a UUID, 8-4-4-4-12 hex digits in any case.
///
/// Source: Apple, "Sending notification requests to APNs", `apns-id`.
package struct MessageID: Equatable {
    /// The identifier in lower case, which is the push's identity.
    package let canonical: String

    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count == 36 else { return nil }
        var isLowerCase = true
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 8, 13, 18, 23:
                guard byte == UInt8(ascii: "-") else { return nil }
            default:
                guard byte.isHexadecimalDigit else { return nil }
                if byte > 0x39, byte & 0x20 == 0 { isLowerCase = false }
            }
        }
        canonical = isLowerCase ? text : text.lowercased()
    }
}

/// Makes random version 4 UUIDs in lower case, asking the kernel once for thirty-two of them.
struct MessageIDGenerator {
    private var pool = [UInt8](repeating: 0, count: 512)
    private var used = 512

    mutating func next() -> String {
        if used == pool.count { refill() }
        defer { used += 16 }
        return Self.text(of: pool[used..<used + 16])
    }

    private mutating func refill() {
        // The kernel gives up to 256 bytes whole: getentropy(3).
        for offset in stride(from: 0, to: pool.count, by: 256) {
            let error = pool.withUnsafeMutableBytes { getentropy($0.baseAddress.map { $0 + offset }, 256) }
            precondition(error == 0, "the kernel gave no random bytes")
        }
        used = 0
    }

    /// Sixteen random bytes as RFC 9562, section 5.4, lays them out.
    private static func text(of random: ArraySlice<UInt8>) -> String {
        String(unsafeUninitializedCapacity: 36) { text in
            var position = 0
            for (index, byte) in random.enumerated() {
                var byte = byte
                if index == 6 { byte = byte & 0x0F | 0x40 }
                if index == 8 { byte = byte & 0x3F | 0x80 }
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    text[position] = UInt8(ascii: "-")
                    position += 1
                }
                text[position] = digit(byte >> 4)
                text[position + 1] = digit(byte & 15)
                position += 2
            }
            return 36
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
}
