// SPDX-License-Identifier: Apache-2.0

/// The records that are on their way: sent by the host, and not yet settled by the centre.
///
/// At most 1,024 records and at most 4 MiB of packets are in flight. Both ends keep a window, so that the one never
/// sends more, and the other never holds more.
package struct LinkWindow: Sendable, Equatable {
    package static let recordLimit = 1024
    package static let byteCountLimit = 4 << 20

    /// The length of each packet in flight, by the number of its record.
    private var byteCounts: [Int64: Int] = [:]
    package private(set) var byteCount = 0

    package init() {}

    package var count: Int { byteCounts.count }
    package var isEmpty: Bool { byteCounts.isEmpty }

    package func contains(_ number: Int64) -> Bool { byteCounts[number] != nil }

    /// True if a packet of that length may be sent now.
    package func hasRoom(for packetByteCount: Int) -> Bool {
        count < Self.recordLimit && byteCount + packetByteCount <= Self.byteCountLimit
    }

    /// Takes in a record that is sent or received; the number must not be in flight.
    mutating func insert(_ number: Int64, byteCount packetByteCount: Int) {
        byteCounts[number] = packetByteCount
        byteCount += packetByteCount
    }

    /// Lets a record go; false if it is not in flight.
    mutating func remove(_ number: Int64) -> Bool {
        guard let packetByteCount = byteCounts.removeValue(forKey: number) else { return false }
        byteCount -= packetByteCount
        return true
    }

    /// The first number of the ranges that is not in flight; `nil` means that all are.
    func firstMissing(in taken: TakenRanges) -> Int64? {
        for range in taken.ranges {
            // A range of a hostile peer may have 2⁶³ numbers: it stops at the first one that is missing.
            for number in range where byteCounts[number] == nil { return number }
        }
        return nil
    }
}
