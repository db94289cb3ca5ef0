// SPDX-License-Identifier: Apache-2.0

import GRDB
import HostRuntime

extension Ledger {
    /// What is kept in memory, read from the tables, and the journal time at which they end; bodies stay where they are.
    ///
    /// Takes 0.2 µs a key that is known.
    static func load(_ database: Database) throws -> (Counts, SeenIndex, Int64) {
        var counts = Counts()
        var index = SeenIndex()
        counts.topics = try names(database, in: "topics")
        counts.sinks = try names(database, in: "sinks")
        for sink in counts.sinks.keys { counts.statistics.sinks[sink] = .init() }
        try read(database, "SELECT count(*), total(bytes) FROM waiting INDEXED BY heads") { row in
            counts.statistics.pushes = Int(row.integer(0))
            counts.statistics.byteCount = Int(row.integer(1))
        }
        try read(database, "SELECT number, accepted FROM waiting ORDER BY number LIMIT 1") { row in
            counts.oldest = (row.integer(0), row.integer(1))
        }
        try recount(database, &counts)

        var last: Int64 = 0
        var first: Int64?
        var now: Int64 = 0
        try read(database, "SELECT number, keys FROM seen ORDER BY number") { row in
            last = row.integer(0)
            first = first ?? last
            row.bytes(1) { keys in
                for offset in stride(from: 0, to: keys.count - 15, by: 16) {
                    index.insert(PushKey(keys, at: offset), number: last)
                }
            }
            index.begin()
        }
        try read(database, "SELECT number, accepted FROM waiting ORDER BY number DESC LIMIT 1") { row in
            last = max(last, row.integer(0))
            now = row.integer(1)
        }
        try read(database, "SELECT minute, number FROM marks ORDER BY minute DESC LIMIT 1") { row in
            counts.lastMark = (row.integer(0), row.integer(1))
            last = max(last, row.integer(1) - 1)
            now = max(now, row.integer(0) * JournalTime.minute)
        }
        try read(database, "SELECT max(died) FROM dead") { now = max(now, $0.integer(0)) }
        try read(database, "SELECT value FROM facts WHERE name = 'time'") { now = max(now, $0.integer(0)) }
        try read(database, "SELECT value FROM facts WHERE name = 'floor'") { last = max(last, $0.integer(0) - 1) }
        counts.next = last + 1
        counts.first = first ?? counts.next
        counts.statistics.keys = index.count
        return (counts, index, now)
    }

    /// Counts records and dead letters, which another process may have moved.
    static func recount(_ database: Database, _ counts: inout Counts) throws {
        var sinks = counts.statistics.sinks.mapValues { _ in JournalStatistics.Sink() }
        let names = Dictionary(uniqueKeysWithValues: counts.sinks.map { ($1, $0) })
        try read(database, "SELECT sink, count(*), total(bytes) FROM outbox INDEXED BY devices GROUP BY sink") { row in
            guard let name = names[row.integer(0)] else { return }
            sinks[name, default: .init()].waiting = Int(row.integer(1))
            sinks[name, default: .init()].waitingByteCount = Int(row.integer(2))
        }
        try read(database, "SELECT sink, count(*) FROM dead INDEXED BY deaths GROUP BY sink") { row in
            guard let name = names[row.integer(0)] else { return }
            sinks[name, default: .init()].dead = Int(row.integer(1))
        }
        counts.statistics.sinks = sinks
    }

    private static func names(_ database: Database, in table: String) throws -> [String: Int64] {
        var names: [String: Int64] = [:]
        try read(database, "SELECT id, name FROM \(table)") { names[$0.text(1)] = $0.integer(0) }
        return names
    }

    private static func read(_ database: Database, _ sql: String, _ row: (borrowing HotRow) -> Void) throws {
        let statement = try HotStatement(sql, on: database)
        defer { statement.close() }
        try statement.each(row)
    }
}
