// SPDX-License-Identifier: Apache-2.0

/// The calls of a fleet's database that need no session: device tokens, dead letters, and what a host brings with it.
///
/// Commands and hosts make them alike, over a connection as `FleetDatabase` says.
package struct FleetOperations {
    let database: FleetDatabase
}

extension FleetDatabase {
    /// The calls that need no session, over this connection.
    package var operations: FleetOperations { FleetOperations(database: self) }
}
