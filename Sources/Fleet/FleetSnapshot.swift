// SPDX-License-Identifier: Apache-2.0

/// The members of a fleet and who holds what, as the database said at one moment.
package struct FleetSnapshot: Sendable, Equatable {
    /// A session that has not ended.
    package struct Member: Sendable, Equatable {
        package let session: Int64
        package let host: String
        package let weight: Double
        /// True if the session's partitions may be taken, by the database's clock and locks.
        package let isDead: Bool
        /// True of a session that takes nothing any more, and gives back what it has.
        package let isLeaving: Bool

        package init(session: Int64, host: String, weight: Double = 1, isDead: Bool = false, isLeaving: Bool = false) {
            self.session = session
            self.host = host
            self.weight = weight
            self.isDead = isDead
            self.isLeaving = isLeaving
        }
    }

    /// A session that has not ended, as people are told of it.
    package struct Listed: Sendable, Equatable {
        package let session: Int64
        package let host: String
        /// The version of the program.
        package let version: String
        package let weight: Double
        package let isDead: Bool
        package let isLeaving: Bool
    }

    /// The holder of a partition; each change of it is a new epoch.
    package struct Holding: Sendable, Equatable {
        package let part: Partition
        /// Nobody holds a partition whose holder is nil.
        package let holder: Int64?
        package let epoch: Int64
        /// Pushes before this place may have been started by another session.
        package let since: Int64

        package init(part: Partition, holder: Int64?, epoch: Int64, since: Int64 = 0) {
            self.part = part
            self.holder = holder
            self.epoch = epoch
            self.since = since
        }
    }

    package let members: [Member]
    package let holdings: [Holding]

    package init(members: [Member], holdings: [Holding]) {
        self.members = members
        self.holdings = holdings
    }
}
