// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

/// The facts that a session tells of itself when it joins.
package struct FleetMember: Sendable, Equatable {
    /// Unique among the hosts that live; partitions go by it.
    package let host: String
    /// The program's version, for people.
    package let version: String
    /// The newest schema that the program knows.
    package let schema: Int32
    /// A session that was not heard of for so long is dead.
    package let lease: Duration
    /// The host's share, in proportion to those of the others: 0…1,000.
    package let weight: Double
    /// The secret of all sessions that this value joins with, one after the other: 32 random bytes.
    let secret: [UInt8]

    package init(
        host: String,
        version: String,
        schema: Int32 = FleetSchema.version,
        lease: Duration = .seconds(5),
        weight: Double = 1
    ) {
        self.host = host
        self.version = version
        self.schema = schema
        self.lease = lease
        self.weight = weight
        secret = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    }
}

/// The settings and the state of the server that has a fleet's database.
package struct FleetFacts: Sendable, Equatable {
    package let fleet: String
    package let schema: Int32
    package let oldestSchema: Int32
    /// The server's version: 150,018 for 15.18.
    package let version: Int32
    package let hasFsync: Bool
    package let hasFullPageWrites: Bool
    package let synchronousCommit: String
    /// Standbys for which a commit waits.
    package let standbys: Int32
    package let system: Int64
    package let timeline: Int32
    /// The server's clock, in milliseconds since 1970.
    package let clock: Int64
    /// The age of the oldest transaction that writes: until it ends nothing behind it is read.
    package let horizonAge: Duration
}

extension FleetFacts {
    /// The reasons for which the server may lose what it has acknowledged, each with what an operator does about it.
    package var weaknesses: [(reason: String, nextStep: String)] {
        var weaknesses: [(reason: String, nextStep: String)] = []
        if version < 150_000 {
            weaknesses.append(("the fleet's database is PostgreSQL \(version / 10_000)", "upgrade it to 15 or later"))
        }
        if !hasFsync { weaknesses.append(("the fleet's database has \"fsync\" off", "set fsync = on")) }
        if !hasFullPageWrites {
            weaknesses.append(("the fleet's database has \"full_page_writes\" off", "set full_page_writes = on"))
        }
        if standbys == 0 {
            weaknesses.append(
                (
                    "the fleet's database has no synchronous standby",
                    "start one, and name it in synchronous_standby_names"
                )
            )
        }
        return weaknesses
    }
}

extension FleetDatabase {
    private static let facts = Statement("nestbox_facts", "SELECT * FROM nestbox.facts()")
    private static let join = Statement("nestbox_join", "SELECT nestbox.join_fleet($1, $2, $3, $4, $5, $6)")
    private static let reattach = Statement("nestbox_reattach", "SELECT nestbox.reattach($1, $2)")
    private static let beat = Statement("nestbox_beat", "SELECT * FROM nestbox.beat($1, $2, $3)")
    private static let members = Statement("nestbox_members", "SELECT * FROM nestbox.members()")
    private static let holders = Statement("nestbox_holders", "SELECT * FROM nestbox.holders()")
    private static let revivals = Statement("nestbox_revivals", "SELECT * FROM nestbox.revivals()")
    private static let take = Statement("nestbox_take", "SELECT * FROM nestbox.take($1, $2, $3, $4, $5)")
    private static let release = Statement("nestbox_release", "SELECT nestbox.release($1, $2, $3)")
    private static let drain = Statement("nestbox_drain", "SELECT nestbox.drain($1, $2)")
    private static let depart = Statement("nestbox_depart", "SELECT nestbox.depart($1, $2)")

    package func facts() throws(FleetError) -> FleetFacts {
        try one(Self.facts, []) { rows, row throws(DatabaseError) in
            FleetFacts(
                fleet: try rows.text(row, 0),
                schema: try rows.int32(row, 1),
                oldestSchema: try rows.int32(row, 2),
                version: try rows.int32(row, 3),
                hasFsync: try rows.boolean(row, 4),
                hasFullPageWrites: try rows.boolean(row, 5),
                synchronousCommit: try rows.text(row, 6),
                standbys: try rows.int32(row, 7),
                system: try rows.int64(row, 8),
                timeline: try rows.int32(row, 9),
                clock: try rows.int64(row, 10),
                horizonAge: .milliseconds(try rows.int64(row, 11))
            )
        }
    }

    /// Makes this connection a new session's: it lives while the connection does and `beat` is called.
    ///
    /// The session follows all that the same member joined with before, heard of or not: what they hold is the new
    /// one's from then on, and nothing of it may be at work any more. An error that is no refusal closes the
    /// connection, which may have the lock of a session that nobody knows.
    package func join(_ member: FleetMember) throws(FleetError) -> FleetSession {
        let asked: [Parameter] = [
            .text(member.host), .bytes(member.secret), .text(member.version), .int32(member.schema),
            .int32(Int32(clamping: Int(member.lease / .milliseconds(1)))), .double(member.weight),
        ]
        do throws(FleetError) {
            let number = try one(Self.join, asked) { rows, row throws(DatabaseError) in try rows.int64(row, 0) }
            return FleetSession(number: number, secret: member.secret, timeline: timeline)
        } catch {
            if case .database(let failure) = error, !failure.isRefusal { close() }
            throw error
        }
    }

    /// Makes this connection the session's in place of one that broke; false while the server still has that one.
    package func reattach(_ session: FleetSession) throws(FleetError) -> Bool {
        try one(Self.reattach, parameters(of: session)) { rows, row throws(DatabaseError) in try rows.boolean(row, 0) }
    }

    /// Says that the session lives and what it has too much of, and returns who else lives.
    package func beat(
        _ session: FleetSession,
        pressure: Set<Pressure> = []
    ) throws(FleetError) -> [FleetSnapshot.Member] {
        try call(Self.beat, parameters(of: session) + [.texts(Pressure.said(pressure).map(\.text).sorted())]) {
            rows,
            row throws(DatabaseError) in
            FleetSnapshot.Member(
                session: try rows.int64(row, 0),
                host: try rows.text(row, 1),
                weight: try rows.double(row, 2),
                isDead: try rows.boolean(row, 3),
                isLeaving: try rows.boolean(row, 4)
            )
        }
    }

    /// Returns who is a member, for people.
    package func members() throws(FleetError) -> [FleetSnapshot.Listed] {
        try call(Self.members, []) { rows, row throws(DatabaseError) in
            FleetSnapshot.Listed(
                session: try rows.int64(row, 0),
                host: try rows.text(row, 1),
                version: try rows.text(row, 2),
                weight: try rows.double(row, 3),
                isDead: try rows.boolean(row, 4),
                isLeaving: try rows.boolean(row, 5)
            )
        }
    }

    /// Returns who holds each partition, in their order.
    package func holders() throws(FleetError) -> [FleetSnapshot.Holding] {
        try call(Self.holders, []) { rows, row throws(DatabaseError) in
            FleetSnapshot.Holding(
                part: try rows.partition(row, 0),
                holder: try rows.optionalInt64(row, 1),
                epoch: try rows.int64(row, 2),
                since: try rows.int64(row, 3)
            )
        }
    }

    /// Returns how often records of each partition were put on their way again, where that has happened.
    package func revivals() throws(FleetError) -> [Partition: Int64] {
        let rows = try call(Self.revivals, []) { rows, row throws(DatabaseError) in
            (try rows.partition(row, 0), try rows.int64(row, 1))
        }
        return Dictionary(rows) { _, last in last }
    }

    /// Takes partitions that are free, or whose holder is dead, and returns those that were as `parts` says.
    package func take(
        _ parts: [FleetSnapshot.Holding],
        from holder: Int64?,
        as session: FleetSession
    ) throws(FleetError) -> [FleetSnapshot.Holding] {
        try call(
            Self.take,
            parameters(of: session) + [
                .optional(holder), .int16s(parts.map(\.part.number)), .int64s(parts.map(\.epoch)),
            ]
        ) { rows, row throws(DatabaseError) in
            FleetSnapshot.Holding(
                part: try rows.partition(row, 0),
                holder: session.number,
                epoch: try rows.int64(row, 1),
                since: try rows.int64(row, 2)
            )
        }
    }

    /// Gives partitions back of which nothing is at work.
    package func release(_ parts: [Partition], as session: FleetSession) throws(FleetError) {
        try run(Self.release, parameters(of: session) + [.int16s(parts.map(\.number))])
    }

    /// Has the others count from now on as if the session were not there.
    package func drain(_ session: FleetSession) throws(FleetError) { try run(Self.drain, parameters(of: session)) }

    /// Ends the session; what it still holds is free.
    package func depart(_ session: FleetSession) throws(FleetError) { try run(Self.depart, parameters(of: session)) }
}

extension Rows {
    func partition(_ row: Int, _ column: Int) throws(DatabaseError) -> Partition {
        let number = try int16(row, column)
        guard let part = Partition(number) else { throw .malformed("there is no partition \(number)") }
        return part
    }
}
