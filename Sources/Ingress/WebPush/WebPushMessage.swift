// SPDX-License-Identifier: Apache-2.0

/// The body of a Web Push message, as far as it can be told without a key.
///
/// `salt[16] ‖ rs u32 ‖ 65 ‖ sender's P-256 key[65] ‖ one record`. Some that hand on clear notifications call them
/// `aes128gcm` all the same; without this look the opener would be asked about each.
/// Source: RFC 8188, section 2.1; RFC 8291, section 4; FORMAT.md, "Web Push".
package enum WebPushMessage {
    /// The longest body in bytes: every server takes as much, and UnifiedPush no more.
    ///
    /// Source: RFC 8030, section 7.2.
    package static let maximumByteCount = 4096

    private static let saltByteCount = 16
    private static let keyLengthOffset = 20
    private static let keyByteCount = 65
    private static let recordOffset = keyLengthOffset + 1 + keyByteCount
    /// A record that only says that it is the last, and its tag.
    private static let shortestRecord = 1 + 16
    private static let smallestRecordSize = 18

    /// The body can be one message for one subscription.
    package static func hasShape(_ body: Span<UInt8>) -> Bool {
        guard body.count >= recordOffset + shortestRecord, body.count <= maximumByteCount,
            body[keyLengthOffset] == keyByteCount, body[keyLengthOffset + 1] == 4
        else { return false }
        let recordSize = (saltByteCount..<keyLengthOffset).reduce(0) { $0 << 8 | Int(body[$1]) }
        return recordSize >= smallestRecordSize && body.count - recordOffset <= recordSize
    }
}
