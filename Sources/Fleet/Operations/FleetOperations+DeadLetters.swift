// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

/// A record that a sink never took, as it lies in the fleet's database.
package struct DeadRecord: Sendable, Equatable {
    package let place: PushPlace
    package let sink: String
    /// The push's name.
    package let name: String
    package let attempts: Int32
    /// The reason for which the last attempt failed.
    package let reason: String
    /// The time at which the record was given up, in milliseconds since 1970.
    package let died: Int64
    /// The record, sealed with the fleet's key.
    package let record: [UInt8]
}

extension FleetOperations {
    private static let list = Statement(
        "nestbox_dead_letters",
        "SELECT * FROM nestbox.dead_letters($1, $2, $3, $4, $5, $6)"
    )
    private static let count = Statement("nestbox_count_dead", "SELECT * FROM nestbox.count_dead()")
    private static let revive = Statement("nestbox_revive", "SELECT nestbox.revive($1, $2, $3)")
    private static let drop = Statement("nestbox_drop_dead", "SELECT nestbox.drop_dead($1, $2, $3, $4)")

    /// Returns records that were given up, of a sink and a push or of all, behind one of a former call; 500 at most.
    package func deadRecords(
        of sink: String?,
        named name: String?,
        after last: DeadRecord? = nil,
        limit: Int32 = 500
    ) throws(FleetError) -> [DeadRecord] {
        try database.call(
            Self.list,
            [
                .optional(sink), .optional(name), .int16(last?.place.part.number ?? -1), .text(last?.sink ?? ""),
                .int64(last?.place.number ?? 0), .int32(limit),
            ]
        ) { rows, row throws(DatabaseError) in
            DeadRecord(
                place: PushPlace(try rows.partition(row, 0), try rows.int64(row, 2)),
                sink: try rows.text(row, 1),
                name: try rows.text(row, 3),
                attempts: try rows.int32(row, 4),
                reason: try rows.text(row, 5),
                died: try rows.int64(row, 6),
                record: try rows.bytes(row, 7)
            )
        }
    }

    /// Returns the number of records that were given up, by the name of the sink.
    package func deadCounts() throws(FleetError) -> [String: Int] {
        let rows = try database.call(Self.count, []) { rows, row throws(DatabaseError) in
            (try rows.text(row, 0), Int(try rows.int64(row, 1)))
        }
        return Dictionary(rows) { $0 + $1 }
    }

    /// Puts records that were given up on their way again; returns how many, `limit` at most.
    package func reviveDead(of sink: String?, named name: String?, limit: Int32) throws(FleetError) -> Int {
        try database.one(
            Self.revive,
            [.optional(sink), .optional(name), .int32(limit)]
        ) { rows, row throws(DatabaseError) in
            Int(try rows.int32(row, 0))
        }
    }

    /// Forgets records that were given up; returns how many, `limit` at most.
    package func dropDead(
        of sink: String?,
        named name: String?,
        olderThan age: Duration? = nil,
        limit: Int32
    ) throws(FleetError) -> Int {
        let seconds = age.map { $0.components.seconds }
        return try database.one(
            Self.drop,
            [.optional(sink), .optional(name), .optional(seconds), .int32(limit)]
        ) { rows, row throws(DatabaseError) in Int(try rows.int32(row, 0)) }
    }
}
