// SPDX-License-Identifier: Apache-2.0

private import Locking

/// A connection that is made when it is wanted, and anew after one that had no answer.
///
/// Calls block, and wait for one another.
final class FleetLine: Sendable {
    // SAFETY: reached only under the lock of `place`.
    @safe private final class Place: @unchecked Sendable {
        var database: FleetDatabase?
    }

    private let connect: @Sendable () throws(FleetError) -> FleetDatabase
    // The lock is held while the database works: whoever waits for it would wait for the connection anyway.
    private let place = Locked(Place())

    init(_ connect: @escaping @Sendable () throws(FleetError) -> FleetDatabase) {
        self.connect = connect
    }

    func call<Value>(_ body: (FleetDatabase) throws(FleetError) -> Value) throws(FleetError) -> Value {
        try place.withLock { place throws(FleetError) in
            if let database = place.database, database.isOpen { return try body(database) }
            let database = try connect()
            place.database = database
            return try body(database)
        }
    }

    func close() {
        place.withLock { place in
            place.database?.close()
            place.database = nil
        }
    }
}
