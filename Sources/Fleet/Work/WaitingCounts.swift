// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

package import struct Foundation.Date

/// The pushes of a host's partitions that have not ended, as far as they are read.
package struct WaitingPushes: Sendable, Equatable {
    package var count = 0
    /// The bytes of the heads and bodies of these pushes.
    package var byteCount = 0
    /// The time at which the oldest of those was accepted whose content is in memory.
    package var oldest: Date?
}

/// Counts what waits in the partitions of a session, and says of what it has too much.
///
/// The bounds are those of a host alone: so many pushes and bytes, and no topic may have more than there is room left
/// for all others.
struct WaitingCounts {
    private(set) var count = 0
    private(set) var byteCount = 0
    private var topics: [String: Int] = [:]

    mutating func add(_ topic: String, byteCount added: Int) {
        count += 1
        byteCount += added
        topics[topic, default: 0] += 1
    }

    mutating func remove(_ topic: String, byteCount removed: Int) {
        count -= 1
        byteCount -= removed
        if let known = topics[topic] { topics[topic] = known > 1 ? known - 1 : nil }
    }

    /// Everything that the session takes no more of.
    func pressure(_ limits: QueueLimits) -> Set<Pressure> {
        guard count < limits.pushes, byteCount < limits.byteCount else { return [.everything] }
        return Set(topics.filter { !limits.hasRoom(topicCount: $0.value, of: count) }.keys.map(Pressure.topic))
    }
}
