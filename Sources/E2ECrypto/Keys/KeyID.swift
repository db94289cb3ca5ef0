// SPDX-License-Identifier: Apache-2.0

import CSodium
import NotificationPayload

/// Names a key in an envelope: the first 8 bytes of SHA-256("nse-key-id-v1" ‖ 00 ‖ public key), or the random id of a
/// paired secret.
///
/// Written as 16 hexadecimal digits.
///
/// Two keys may share an id by chance; opening then tries each.
/// Source: FORMAT.md, "Keys".
public struct KeyID: Hashable, Sendable {
    /// The 8 bytes, big-endian.
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }

    /// Takes 8 bytes.
    init(reading bytes: Span<UInt8>, at offset: Int) {
        var number: UInt64 = 0
        for index in offset..<offset + Self.byteCount {
            number = number << 8 | UInt64(bytes[index])
        }
        self.number = number
    }

    static let byteCount = 8

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    func write(to bytes: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }
}

extension KeyID: CustomStringConvertible {
    /// 16 hexadecimal digits, lower case.
    public var description: String { Hexadecimal.encode(number) }
}

/// SHA-256 of public bytes.
func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    _ = unsafe crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    return digest
}
