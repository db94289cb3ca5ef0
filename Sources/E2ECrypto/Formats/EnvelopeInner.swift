// SPDX-License-Identifier: Apache-2.0

/// The plaintext of an envelope: type u8 ‖ zero u8 ‖ issued-at u48, Unix ms ‖ ttl u32, s ‖ n u16 ‖ content[n] ‖ zeros.
///
/// Numbers are big-endian.
///
/// Source: FORMAT.md, "Inner part".
package struct EnvelopeInner {
    package static let headerByteCount = 14
    static let maximumContentByteCount = 0xFFFF

    let kind: ContentRules.Kind
    /// Unix milliseconds.
    package let issued: Int64
    /// Seconds; 0 is the longest there is.
    package let ttl: UInt32
    package let content: Range<Int>

    /// Reads a whole inner part; nil when its header or padding is not as written above.
    package init?(parsing inner: Span<UInt8>) {
        guard inner.count >= Self.headerByteCount, inner[1] == 0 else { return nil }
        switch inner[0] {
        case 1: kind = .json
        case 2: kind = .text
        default: return nil
        }
        issued = Int64(Self.number(inner, 2..<8))
        ttl = UInt32(truncatingIfNeeded: Self.number(inner, 8..<12))
        let end = Self.headerByteCount + Int(Self.number(inner, 12..<14))
        guard end <= inner.count else { return nil }
        var padding: UInt8 = 0
        for index in end..<inner.count { unsafe padding |= inner[unchecked: index] }
        guard padding == 0 else { return nil }
        content = Self.headerByteCount..<end
    }

    /// Milliseconds that the payload stays valid.
    package var lifetime: Int64 {
        ttl == 0 ? Unsealed.maximumLifetime : min(Int64(ttl) * 1000, Unsealed.maximumLifetime)
    }

    private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        range.reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }

    /// The inner part of `content`, padded with zeros to `byteCount`.
    package static func bytes(
        content: Span<UInt8>,
        isText: Bool,
        issued: Int64,
        ttl: UInt32,
        paddedTo byteCount: Int
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        bytes.append(isText ? 2 : 1)
        bytes.append(0)
        for shift in stride(from: 40, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: issued >> shift)) }
        for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: ttl >> shift)) }
        bytes.append(UInt8(content.count >> 8))
        bytes.append(UInt8(content.count & 0xFF))
        for index in content.indices { bytes.append(content[index]) }
        bytes.append(contentsOf: repeatElement(0, count: max(0, byteCount - bytes.count)))
        return bytes
    }
}
