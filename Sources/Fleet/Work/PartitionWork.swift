// SPDX-License-Identifier: Apache-2.0

/// The work on partitions, as a membership has it done.
package protocol PartitionWork: Sendable {
    /// Takes partitions that a session holds from now on, to load what waits in them and start it; returns at once.
    func begin(_ parts: [FleetSnapshot.Holding], as session: FleetSession)

    /// Starts nothing of a partition any more, and returns when nothing of it is at work.
    ///
    /// Returns at once for a partition that was not begun since the last `end`.
    func stop(_ part: Partition) async

    /// Looks for records in partitions of the session that somebody has put there; returns at once.
    func look(at parts: Set<Partition>, as session: FleetSession)

    /// Everything that there is too much of in the partitions; asked before each beat.
    var pressure: Set<Pressure> { get }

    /// Cuts off what is at work, and returns when it is: the session is over, and nothing of it counts any more.
    ///
    /// Every call that waits in `stop` returns.
    func end() async
}
