// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
private import Locking
internal import Logging

/// The records that wait for sinks in the partitions that a session holds: the plan of them in memory, and the records
/// themselves, sealed, in the database.
final class FleetRecords: OutboxReading {
    /// A record that waits, and for whom.
    struct Waiting {
        let head: OutboxPlan.Head
        let sink: String
        let token: String
    }

    private struct State {
        var session: FleetSession?
        /// Partitions of which the plan has everything, or is getting it.
        var parts: Set<Partition> = []
        var plan = OutboxPlan()
        var seal: FleetSeal
        /// Sinks of which the last record was not readable.
        var unreadable: Set<String> = []
    }

    /// The pause after a record that none of the fleet's keys opens.
    private static let unreadablePause = Duration.seconds(60)

    private let line: FleetLine
    private let clock: HostClock
    private let logger: Logger
    private let state: Locked<State>

    init(
        keys: FleetKeys,
        clock: HostClock,
        logger: Logger,
        connect: @escaping @Sendable () throws(FleetError) -> FleetDatabase
    ) {
        line = FleetLine(connect)
        self.clock = clock
        self.logger = logger
        state = Locked(State(seal: FleetSeal(keys)))
    }

    func close() { line.close() }

    // MARK: The plan

    /// Plans with records of these partitions from now on.
    func serve(_ parts: [Partition], as session: FleetSession) {
        state.withLock { state in
            state.session = session
            state.parts.formUnion(parts)
        }
    }

    /// Forgets what waits of a partition, and takes no more of it.
    func forget(_ part: Partition) {
        state.withLock { state in
            state.parts.remove(part)
            state.plan.forget(part)
        }
    }

    func clear() {
        state.withLock { ($0.session, $0.parts, $0.plan) = (nil, [], OutboxPlan()) }
    }

    /// Takes records in, for as long as the session is this one.
    ///
    /// Records of a partition that is not served are left out: the plan has forgotten the device's earlier ones, and
    /// would send these before them.
    func add(_ records: [Waiting], as session: FleetSession) {
        state.withLock { state in
            guard state.session == session else { return }
            for record in records where state.parts.contains(record.head.place.part) {
                state.plan.add(record.head, for: record.sink, to: record.token)
            }
        }
    }

    /// The settlements whose records are planned, with their places.
    func planned(_ settlements: [Settlement]) -> [(Settlement, PushPlace)] {
        state.withLock { state in
            settlements.compactMap { settlement in
                state.plan.place(of: settlement.number, for: settlement.sink).map { (settlement, $0) }
            }
        }
    }

    /// Takes in what the database knows of attempts.
    func settled(_ settlements: [Settlement], as session: FleetSession) {
        let now = clock.now
        state.withLock { state in
            guard state.session == session else { return }
            for settlement in settlements {
                if case .retry(let wait, _) = settlement.verdict {
                    state.plan.postpone(settlement.number, for: settlement.sink, until: now + wait)
                } else {
                    state.plan.remove(settlement.number, for: settlement.sink)
                }
            }
        }
    }

    /// Remote sinks for which so much waits.
    func fullSinks(records: Int, byteCount: Int) -> Set<String> {
        let counts = state.withLock { $0.plan.counts }
        return Set(counts.filter { $0.value.records >= records || $0.value.byteCount >= byteCount }.keys)
    }

    /// Records that wait for a sink.
    func count(for sink: String) -> Int { state.withLock { $0.plan.count(for: sink) } }

    // MARK: The records

    /// Seals a record as it lies in the database.
    func seal(_ record: [UInt8], of push: DeliveryName, for sink: String) -> [UInt8] {
        state.withLock { $0.seal.seal(record, of: push, for: sink) }
    }

    func due(for sink: String, limit: Int) throws(JournalError) -> [OutboxRecord] {
        while true {
            let now = clock.now
            let (session, places) = state.withLock { ($0.session, $0.plan.due(for: sink, limit: limit, now: now)) }
            guard let session, !places.isEmpty else { return [] }
            do throws(FleetError) {
                let records = try records(places, for: sink, as: session)
                // Those that are gone or not readable are out of the way now, and others may wait behind them.
                if !records.isEmpty { return records }
            } catch .notHolder where state.withLock({ state in places.contains { !state.plan.has($0, for: sink) } }) {
                // One of the partitions was given back meanwhile: the plan has forgotten it.
                continue
            } catch .fenced {
                // The session hears of its end elsewhere.
                return []
            } catch {
                throw JournalError(error)
            }
        }
    }

    private func records(
        _ places: [PushPlace],
        for sink: String,
        as session: FleetSession
    ) throws(FleetError) -> [OutboxRecord] {
        let rows = try line.call { database throws(FleetError) in
            try database.records(places.map { ($0, sink) }, as: session)
        }
        let gone = Set(places).subtracting(rows.map(\.place))
        let seal = state.withLock { state in
            if state.session == session { for place in gone { state.plan.remove(place.number, for: sink) } }
            return state.seal
        }
        return rows.compactMap { record($0, opened: seal) }
    }

    private func record(_ row: FleetRecord, opened seal: FleetSeal) -> OutboxRecord? {
        let name = DeliveryName(row.name, at: row.place.number)
        guard let record = seal.open(row.record, of: name, for: row.sink) else {
            let due = clock.now + Self.unreadablePause
            let isFirst = state.withLock { state in
                state.plan.postpone(row.place.number, for: row.sink, until: due)
                return state.unreadable.insert(row.sink).inserted
            }
            // There may be many, and the others of a sink say nothing new until one is readable.
            guard isFirst else { return nil }
            logger.error(
                "a record of the fleet is not readable with this host's fleet key",
                metadata: [
                    "push.delivery": "\(name)", "sink.name": "\(row.sink)",
                    "hint": "give each host the same fleet key, or the former one in opening-keys; the record waits",
                ]
            )
            return nil
        }
        _ = state.withLock { $0.unreadable.remove(row.sink) }
        return OutboxRecord(
            sink: row.sink,
            number: row.place.number,
            delivery: name,
            deviceToken: row.token,
            record: record,
            attempts: Int(row.attempts)
        )
    }
}
