// SPDX-License-Identifier: Apache-2.0

import GRDB
import HostRuntime

extension OutboxRecord {
    /// Each device's oldest whose time has come.
    static func due(_ database: Database, for sink: String, at now: Int64, limit: Int) throws -> [OutboxRecord] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT number, token, record, attempts FROM outbox INDEXED BY due
                WHERE sink = (SELECT id FROM sinks WHERE name = ?) AND due <= ? ORDER BY number LIMIT ?
                """
        )
        return try Row.fetchAll(statement, arguments: [sink, now, limit]).map { row in
            OutboxRecord(
                sink: sink,
                number: row[0],
                deviceToken: row[1],
                record: row.bytes(2),
                attempts: row[3]
            )
        }
    }
}
