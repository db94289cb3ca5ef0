// SPDX-License-Identifier: Apache-2.0

/// The keys of a fleet, 32 bytes each, for the records that lie in its database.
package struct FleetKeys: Sendable {
    /// The key that seals, and opens.
    package let sealing: [UInt8]
    /// Keys that open as well: the coming one before a change of keys, the former one after it.
    package let opening: [[UInt8]]

    package init(sealing: [UInt8], opening: [[UInt8]] = []) {
        (self.sealing, self.opening) = (sealing, opening)
    }
}
