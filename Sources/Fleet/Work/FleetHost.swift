// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
private import Locking
package import Logging

/// A host in a fleet: the queue over the shared database, and the membership that says which part of it is this host's.
///
/// Six connections: one of the membership, which has the session's lock, and one each for what comes in, for what is
/// read, for opened envelopes, for what ends and for records.
package final class FleetHost: Sendable {
    /// The connections that a host has to the database.
    package static let connectionCount = 6

    /// The settings of a host in its fleet.
    package struct Settings: Sendable {
        package let member: FleetMember
        package let keys: FleetKeys
        package var rules = FleetBoard.Rules()

        package init(member: FleetMember, keys: FleetKeys) {
            self.member = member
            self.keys = keys
        }
    }

    /// The parts that others are told of before they are made.
    private struct Parts {
        var membership: FleetMembership?
        var reader: FleetReader?
        var recordsStored: @Sendable () -> Void = {}
    }

    /// The pushes of the fleet, as this host takes part in them.
    package let queue: PushQueue
    private let ledger: FleetLedger
    private let intake: FleetIntake
    private let reader: FleetReader
    private let membership: FleetMembership
    private let parts: Locked<Parts>

    /// Makes a host, which joins when it runs.
    ///
    /// `connect` makes a connection, on a thread that may block.
    package init(
        _ settings: Settings,
        limits: QueueLimits = QueueLimits(),
        outbox: any Outbox,
        clock: HostClock,
        deadlines: DeadlineQueue,
        metrics: HostMetrics = HostMetrics(),
        logger: Logger,
        connect: @escaping @Sendable () throws(FleetError) -> FleetDatabase
    ) {
        let parts = Locked(Parts())
        let fenced: @Sendable (FleetSession) -> Void = { session in
            parts.withLock(\.membership)?.wasFenced(session)
        }
        let ledger = FleetLedger(
            records: FleetRecords(keys: settings.keys, clock: clock, logger: logger, connect: connect),
            openings: FleetOpenings(
                clock: clock,
                deadlines: deadlines,
                logger: logger,
                connect: connect,
                fenced: fenced
            ),
            limits: limits,
            clock: clock,
            logger: logger,
            connect: connect,
            fenced: fenced
        )
        intake = FleetIntake(
            outbox: outbox,
            clock: clock,
            connect: connect,
            stored: { places in parts.withLock(\.reader)?.poke(places) }
        )
        queue = PushQueue(
            .shared(intake: intake, ledger: ledger),
            limits: limits,
            outbox: outbox,
            clock: clock,
            deadlines: deadlines,
            metrics: metrics,
            logger: logger
        )
        reader = FleetReader(
            ledger: ledger,
            queue: queue,
            clock: clock,
            logger: logger,
            connect: connect,
            fenced: fenced,
            recordsFound: { parts.withLock(\.recordsStored)() }
        )
        membership = FleetMembership(
            settings.member,
            work: reader,
            rules: settings.rules,
            clock: clock,
            metrics: metrics.fleet,
            logger: logger,
            connect: connect
        )
        self.ledger = ledger
        self.parts = parts
        parts.withLock { [reader, membership] in ($0.reader, $0.membership) = (reader, membership) }
    }

    /// Records that wait for the remote sinks, of the devices that are this host's now.
    package var outbox: any OutboxReading { ledger.records }

    /// The memory of opened envelopes, which is asked before the content of one goes anywhere.
    package var openings: FleetOpenings { ledger.openings }

    /// The session under which the host writes; nil while it has none.
    package var session: FleetSession? { membership.session }

    /// Pushes that wait in the partitions of this host, as far as it has read.
    package var waiting: WaitingPushes { ledger.waiting }

    /// Records that wait for a remote sink in the partitions of this host.
    package func recordCount(for sink: String) -> Int { ledger.records.count(for: sink) }

    /// Partitions that the host holds, as far as it knows.
    package var holding: Set<Partition> { membership.holding }

    /// Calls `action` when records wait that were not there before.
    package func onRecordsStored(_ action: @escaping @Sendable () -> Void) {
        queue.onRecordsStored(action)
        parts.withLock { $0.recordsStored = action }
    }

    /// Begins to give everything back.
    ///
    /// `run` returns when that is done, or its time is over. Pushes are accepted all the while.
    package func drain() { membership.drain() }

    /// Is a member until `drain` is done, or until the task is cancelled, which ends the session as a crash would.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [reader] in await reader.run() }
            group.addTask { [membership] in await membership.run() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Closes the connections and lets go of what was made, once the queue has ended.
    package func close() {
        intake.close()
        ledger.close()
        parts.withLock { $0 = Parts() }
    }
}
