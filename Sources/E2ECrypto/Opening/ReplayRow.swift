// SPDX-License-Identifier: Apache-2.0

/// One payload that was opened, in a table or in a file.
///
/// Shape: 24 bytes, id[16] ‖ u64. The number holds the receiver's number of the push in its upper 38 bits and the
/// minute of expiry since 1970 in its lower 26 (until 2097); 0 is an empty row. In a file it is big-endian, so that a
/// number written in part is smaller than the whole.
/// Source: FORMAT.md, "Replays".
struct ReplayRow: Equatable {
    static let byteCount = 24
    private static let minuteBits: UInt64 = 26
    private static let minuteMask: UInt64 = 1 << minuteBits - 1
    private static let pushMask: UInt64 = 1 << 38 - 1

    static let empty = ReplayRow(high: 0, low: 0, tail: 0)

    let high: UInt64
    let low: UInt64
    private(set) var tail: UInt64

    private init(high: UInt64, low: UInt64, tail: UInt64) {
        self.high = high
        self.low = low
        self.tail = tail
    }

    /// `expiry` is in Unix milliseconds; the row lives to the end of its minute.
    init(_ id: ReplaySet.ID, push: Int64, expiry: Int64) {
        let number = UInt64(Self.number(push)) << Self.minuteBits
        self.init(high: id.high, low: id.low, tail: number | max(1, Self.minute(expiry)))
    }

    init(reading bytes: Span<UInt8>, at offset: Int) {
        self.init(
            high: KeyID(reading: bytes, at: offset).number,
            low: KeyID(reading: bytes, at: offset + 8).number,
            tail: KeyID(reading: bytes, at: offset + 16).number
        )
    }

    var isEmpty: Bool { tail == 0 }
    var push: Int64 { Int64(tail >> Self.minuteBits) }
    var minute: UInt64 { tail & Self.minuteMask }

    /// The same row with a lifetime that ended long ago.
    var expired: ReplayRow { ReplayRow(high: high, low: low, tail: 1) }

    func isLive(at minute: UInt64) -> Bool { !isEmpty && self.minute >= minute }

    func has(_ id: ReplaySet.ID) -> Bool { high == id.high && low == id.low }

    func write(to bytes: inout [UInt8]) {
        for number in [high, low, tail] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
    }

    /// The part of a push's number that a row holds.
    static func number(_ push: Int64) -> Int64 {
        Int64(UInt64(bitPattern: push) & pushMask)
    }

    static func minute(_ milliseconds: Int64) -> UInt64 {
        UInt64(max(0, milliseconds) / 60_000) & minuteMask
    }
}
