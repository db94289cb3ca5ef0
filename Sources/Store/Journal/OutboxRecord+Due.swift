// SPDX-License-Identifier: Apache-2.0

import GRDB
import HostRuntime

extension OutboxRecord {
    /// Each device's oldest whose time has come.
    static func due(
        _ database: Database,
        for sink: String,
        at now: Int64,
        limit: Int,
        named name: (Int64) -> DeliveryName
    ) throws -> [OutboxRecord] {
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
                delivery: name(row[0]),
                deviceToken: row[1],
                record: row.bytes(2),
                attempts: row[3]
            )
        }
    }

    /// The least number of a push whose record the sink is still to get, in one statement and so of one moment.
    static func leastOpen(_ database: Database, for sink: String) throws -> Int64? {
        // A sink that is unheard of has no row yet, and gets the records of what has no outcome.
        let id = try Int64.fetchOne(database, sql: "SELECT id FROM sinks WHERE name = ?", arguments: [sink]) ?? -1
        let (first, end) = (JournalSchema.place(sink: id, number: 0), JournalSchema.place(sink: id + 1, number: 0))
        return try Int64.fetchOne(
            database,
            sql: """
                SELECT min(number) FROM (
                    SELECT min(number) AS number FROM waiting
                    UNION ALL SELECT number FROM (SELECT number FROM outbox NOT INDEXED
                        WHERE place >= ?1 AND place < ?2 ORDER BY place LIMIT 1)
                )
                """,
            arguments: [first, end]
        )
    }

    /// Records of a sink in the order of their pushes' numbers, but those of `except`.
    static func waiting(
        _ database: Database,
        for sink: String,
        except: Set<Int64>,
        limit: Int,
        byteCount: Int,
        named name: (Int64) -> DeliveryName
    ) throws -> [OutboxRecord] {
        guard let id = try Int64.fetchOne(database, sql: "SELECT id FROM sinks WHERE name = ?", arguments: [sink])
        else {
            return []
        }
        // SQLite reads a record's bytes only when they are asked for: what the reader has costs no more than its
        // number.
        let statement = try database.cachedStatement(
            sql: """
                SELECT number, bytes, token, attempts, record FROM outbox NOT INDEXED
                WHERE place >= ? AND place < ? ORDER BY place LIMIT ?
                """
        )
        let (first, end) = (JournalSchema.place(sink: id, number: 0), JournalSchema.place(sink: id + 1, number: 0))
        let rows = try Row.fetchCursor(statement, arguments: [first, end, except.count + limit])
        var records: [OutboxRecord] = []
        var room = byteCount
        while records.count < limit, let row = try rows.next() {
            let number: Int64 = row[0]
            let length: Int = row[1]
            guard !except.contains(number) else { continue }
            guard length <= room || (except.isEmpty && records.isEmpty) else { break }
            room -= length
            records.append(
                OutboxRecord(
                    sink: sink,
                    number: number,
                    delivery: name(number),
                    deviceToken: row[2],
                    record: row.bytes(4),
                    attempts: row[3]
                )
            )
        }
        return records
    }
}
