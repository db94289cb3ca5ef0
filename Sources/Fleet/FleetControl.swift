// SPDX-License-Identifier: Apache-2.0

private import Locking
private import PostgreSQL

/// The control connection of a session, on a thread of its own: its lock says that the session's process is there.
///
/// A connection that had no answer is closed and made anew with the next call; the session's lock goes with it.
final class FleetControl: Sendable {
    // SAFETY: reached only inside jobs of `thread`, which runs them one at a time.
    @safe private final class Place: @unchecked Sendable {
        var database: FleetDatabase?
        var session: FleetSession?
    }

    private let connect: @Sendable () throws(FleetError) -> FleetDatabase
    private let place = Place()
    private let thread = SerialWork(name: "fleet")

    init(_ connect: @escaping @Sendable () throws(FleetError) -> FleetDatabase) {
        self.connect = connect
    }

    /// Begins a session of its own, on a new connection.
    func join(_ member: FleetMember) async -> Result<FleetSession, FleetError> {
        await thread.result { [place, connect] in
            Result { () throws(FleetError) in
                place.database?.close()
                place.session = nil
                let database = try connect()
                place.database = database
                let session = try database.join(member)
                place.session = session
                return session
            }
        }
    }

    /// Asks the database on the session's connection.
    ///
    /// A new one in place of one that broke has the session's lock first; while the server still has the old one, the
    /// call fails as one without an answer does.
    func ask<Value: Sendable>(
        _ body: @escaping @Sendable (FleetDatabase) throws(FleetError) -> Value
    ) async -> Result<Value, FleetError> {
        await thread.result { [place, connect] in
            Result { () throws(FleetError) in
                if let database = place.database, database.isOpen { return try body(database) }
                let database = try connect()
                if let session = place.session, try !database.reattach(session) {
                    throw .database(.unreachable("the server still has the session's former connection"))
                }
                place.database = database
                return try body(database)
            }
        }
    }

    /// Closes the connection: the session's lock is free.
    func close() async {
        _ = await thread.result { [place] in
            place.database?.close()
            place.database = nil
            place.session = nil
        }
    }
}
