// SPDX-License-Identifier: Apache-2.0

private import Crypto
private import Glibc

/// A share of a fleet's devices: 0…1,023.
///
/// All topics of a device are in one partition, and a partition is with one session, so that session counts a device's
/// pushes and knows its opened envelopes exactly.
package struct Partition: Hashable, Sendable, Comparable {
    package let number: Int16

    /// The partition of that number, or nil if there is none.
    package init?(_ number: Int16) {
        guard number >= 0, number < FleetSchema.partitions else { return nil }
        self.number = number
    }

    /// The partition of a device token: the first ten bits of SHA-256 over `nestbox-part` and the token's text.
    package init(token: String) {
        let hash = Self.hash("nestbox-part" + token)
        number = Int16(hash >> 54)
    }

    /// All partitions, in their order.
    package static var all: [Partition] { (0..<Int16(FleetSchema.partitions)).compactMap { Partition($0) } }

    package static func < (one: Partition, other: Partition) -> Bool { one.number < other.number }

    /// The order in which hosts are asked to hold the partition, by highest random weight.
    ///
    /// Each host draws a number in 0..<1 from the partition and its name, u, and its score is -weight / ln u: a host
    /// of twice the weight wins twice as often, and one that comes or goes moves only what it wins or held. A host of
    /// weight zero comes last. Source: Thaler and Ravishankar, "Using name-based mappings to increase hit rates",
    /// 1998; weights: Schindelhauer and Schomaker, "Weighted distributed hash tables", 2005.
    package func score(host: String, weight: Double) -> Double {
        let hash = Self.hash("nestbox-weight \(number) \(host)")
        // 53 bits in the middle of their interval: neither 0 nor 1.
        let drawn = (Double(hash >> 11) + 0.5) / 9_007_199_254_740_992
        return -weight / log(drawn)
    }

    /// The first eight bytes of SHA-256 over a text.
    private static func hash(_ text: String) -> UInt64 {
        SHA256.hash(data: Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
