// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

/// A record of a host that served alone, on its way into a fleet.
package struct ImportedRecord: Sendable {
    /// The end of a record that was given up.
    package struct Death: Sendable {
        package let attempts: Int32
        package let reason: String
        /// Milliseconds since 1970.
        package let at: Int64

        package init(attempts: Int32, reason: String, at: Int64) {
            self.attempts = attempts
            self.reason = reason
            self.at = at
        }
    }

    /// The device token in lower-case hex digits.
    package let token: String
    package let sink: String
    /// The push's name.
    package let name: String
    /// The record, sealed with the fleet's key.
    package let record: [UInt8]
    /// `nil` means that the record is on its way.
    package let death: Death?

    package init(token: String, sink: String, name: String, record: [UInt8], death: Death? = nil) {
        self.token = token
        self.sink = sink
        self.name = name
        self.record = record
        self.death = death
    }
}

extension FleetOperations {
    private static let importing = Statement(
        "nestbox_import",
        "SELECT nestbox.import_records($1, $2, $3, $4, $5, $6, $7, $8)"
    )

    /// Puts records into the outbox in this order, or among those that were given up.
    package func importRecords(_ records: [ImportedRecord]) throws(FleetError) {
        try database.run(
            Self.importing,
            [
                .int16s(records.map { Partition(token: $0.token).number }), .texts(records.map(\.sink)),
                .texts(records.map(\.name)), .texts(records.map(\.token)), .byteArrays(records.map(\.record)),
                .int32s(records.map { $0.death?.attempts ?? 0 }), .texts(records.map { $0.death?.reason }),
                .int64s(records.map { $0.death?.at ?? 0 }),
            ]
        )
    }
}
