// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

/// A run of a host in the fleet, and what proves to the database that somebody is it.
package struct FleetSession: Sendable, Equatable {
    package let number: Int64
    package let secret: [UInt8]
    /// The timeline of the server on which the session began; nil: nobody has asked.
    package let timeline: Int32?

    package init(number: Int64, secret: [UInt8], timeline: Int32? = nil) {
        self.number = number
        self.secret = secret
        self.timeline = timeline
    }
}

/// A fleet's database over one connection: each call is a function of the schema and a transaction of its own.
///
/// One thread at a time may use it, and each call blocks that thread for as long as the database takes, `patience` at
/// most. Connecting takes as long as libpq's `connect_timeout` for each address.
package final class FleetDatabase {
    private let connection: Connection
    /// Called once a call has had no answer, and the connection is of no use any more.
    var lost: @Sendable () -> Void = {}
    /// The longest that a call waits for its answer.
    package var patience: Duration
    /// The server's timeline: the number of promotions before it, and one more; nil: nobody has asked.
    var timeline: Int32?
    /// Says whether another server is known to have taken the place of this one.
    var isReplaced: @Sendable () -> Bool = { false }

    /// Connects as libpq does with that connection string.
    ///
    /// The settings on which the fence and the promise of two machines rest are made for the connection, whatever the
    /// role's are. Compiling a beat would take longer than a lease once a hundred hosts are members.
    ///
    /// Several servers are tried in their order, from `first` on.
    package init(
        _ conninfo: String,
        patience: Duration = .seconds(2),
        beginningWith first: Int = 0
    ) throws(FleetError) {
        do throws(DatabaseError) {
            connection = try Connection(conninfo, application: "nestbox", beginningWith: first)
            try connection.runScript(
                """
                SET synchronous_commit = on;
                SET client_min_messages = warning;
                SET default_transaction_isolation = 'read committed';
                SET jit = off;
                """,
                within: patience
            )
        } catch {
            throw FleetError(error)
        }
        self.patience = patience
    }

    /// False once a call had no answer, which leaves open whether it was done, or another server is the primary.
    package var isOpen: Bool { connection.isOpen && !isReplaced() }

    /// The place of the server among those that the connection string names.
    var server: Int { connection.server }

    package func close() { connection.close() }

    /// Names a session to a function.
    ///
    /// - Throws: `FleetError.fenced`: the session began on a server that this one has replaced, and may have read what
    ///   is not here.
    func parameters(of session: FleetSession) throws(FleetError) -> [Parameter] {
        guard session.timeline == timeline else { throw .fenced }
        return [.int64(session.number), .bytes(session.secret)]
    }

    /// Runs a function and reads its rows, each by `row`.
    func call<Value>(
        _ statement: Statement,
        _ parameters: [Parameter],
        _ row: (borrowing Rows, Int) throws(DatabaseError) -> Value
    ) throws(FleetError) -> [Value] {
        do throws(DatabaseError) {
            let rows = try connection.run(statement, parameters, within: patience)
            var values: [Value] = []
            values.reserveCapacity(rows.count)
            for index in 0..<rows.count { values.append(try row(rows, index)) }
            return values
        } catch {
            if !connection.isOpen { lost() }
            throw FleetError(error)
        }
    }

    /// Runs a function of which nothing is read.
    func run(_ statement: Statement, _ parameters: [Parameter]) throws(FleetError) {
        _ = try call(statement, parameters) { _, _ in }
    }

    /// Runs a function that returns one row.
    func one<Value>(
        _ statement: Statement,
        _ parameters: [Parameter],
        _ row: (borrowing Rows, Int) throws(DatabaseError) -> Value
    ) throws(FleetError) -> Value {
        guard let value = try call(statement, parameters, row).first else {
            throw .database(.malformed("no row"))
        }
        return value
    }

    // MARK: The schema

    /// Returns the name of the fleet that a database has; nil: it has none.
    package static func name(of conninfo: String) throws(FleetError) -> String? {
        do throws(DatabaseError) {
            let connection = try Connection(conninfo, application: "nestbox fleet")
            let found = try connection.run(Statement("found", "SELECT to_regclass('nestbox.fleet') IS NOT NULL"))
            guard try found.boolean(0, 0) else { return nil }
            return try connection.run(Statement("name", "SELECT name FROM nestbox.fleet")).text(0, 0)
        } catch {
            throw FleetError(error)
        }
    }

    /// Makes the schema, as a role that may, in a database that has none; returns the fleet's name.
    package static func create(_ conninfo: String) throws(FleetError) -> String {
        let name = String(UInt32.random(in: .min ... .max), radix: 16)
        let padded = String(repeating: "0", count: 8 - name.count) + name
        try script(FleetSchema.creation(name: padded), at: conninfo)
        return padded
    }

    /// Lets a role that exists call what a host calls.
    package static func grant(to role: String, _ conninfo: String) throws(FleetError) {
        try script(FleetSchema.grants(to: "\"\(role.replacing("\"", with: "\"\""))\""), at: conninfo)
    }

    /// Makes a host give back what it holds and take nothing, or take part again, as a superuser.
    ///
    /// - Throws: `FleetError.noMember`, or `lastHost` if no other would take what the host gives back.
    package static func setLeaving(_ isLeaving: Bool, host: String, _ conninfo: String) throws(FleetError) {
        do throws(DatabaseError) {
            _ = try Connection(conninfo, application: "nestbox fleet").run(
                Statement("leaving", "SELECT nestbox.set_leaving($1, $2)"),
                [.text(host), .boolean(isLeaving)]
            )
        } catch {
            throw FleetError(error)
        }
    }

    private static func script(_ sql: String, at conninfo: String) throws(FleetError) {
        do throws(DatabaseError) {
            try Connection(conninfo, application: "nestbox fleet").runScript(sql)
        } catch {
            throw FleetError(error)
        }
    }
}
