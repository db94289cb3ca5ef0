// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB
import HostRuntime

/// The sums and names of a journal that are kept in memory; a rollback takes their changes back.
struct LedgerCounts {
    /// The number of the next push.
    var next: Int64 = 1
    var topics: [String: Int64] = [:]
    var sinks: [String: Int64] = [:]
    /// The oldest push without an outcome, and the instant at which it was accepted.
    var oldest: (number: Int64, accepted: Int64)?
    /// The lowest number in `seen`; `next` if it is empty.
    var first: Int64 = 1
    var lastMark: (minute: Int64, number: Int64) = (-1, 0)
    var statistics = JournalStatistics()
}

/// The part of a journal's tables that is kept in memory; bodies stay where they are.
struct LedgerContents {
    private(set) var counts = LedgerCounts()
    private(set) var index: SeenIndex
    /// The journal time at which the tables end.
    let time: Int64

    /// Reads the tables, in 0.2 µs a known key; full parts of the index go to a file in `folder`.
    init(_ database: Database, folder: String) throws {
        var counts = LedgerCounts()
        var index = SeenIndex(folder: folder)
        counts.topics = try database.names(in: "topics")
        counts.sinks = try database.names(in: "sinks")
        for sink in counts.sinks.keys { counts.statistics.sinks[sink] = .init() }
        try database.read("SELECT count(*), total(bytes) FROM waiting INDEXED BY heads") { row in
            counts.statistics.pushes = Int(row.integer(0))
            counts.statistics.byteCount = Int(row.integer(1))
        }
        try database.read("SELECT number, accepted FROM waiting ORDER BY number LIMIT 1") { row in
            counts.oldest = (row.integer(0), row.integer(1))
        }
        try counts.recount(database)

        var last: Int64 = 0
        var first: Int64?
        var now: Int64 = 0
        try database.read("SELECT number, keys FROM seen ORDER BY number") { row in
            last = row.integer(0)
            first = first ?? last
            row.bytes(1) { keys in
                for offset in stride(from: 0, to: keys.count - 15, by: 16) {
                    index.insert(PushKey(keys, at: offset), number: last)
                }
            }
            index.begin()
        }
        try database.read("SELECT number, accepted FROM waiting ORDER BY number DESC LIMIT 1") { row in
            last = max(last, row.integer(0))
            now = row.integer(1)
        }
        try database.read("SELECT minute, number FROM marks ORDER BY minute DESC LIMIT 1") { row in
            counts.lastMark = (row.integer(0), row.integer(1))
            last = max(last, row.integer(1) - 1)
            now = max(now, row.integer(0) * JournalTime.minute)
        }
        try database.read("SELECT max(died) FROM dead") { now = max(now, $0.integer(0)) }
        try database.read("SELECT value FROM facts WHERE name = 'time'") { now = max(now, $0.integer(0)) }
        try database.read("SELECT value FROM facts WHERE name = 'floor'") { last = max(last, $0.integer(0) - 1) }
        counts.next = last + 1
        counts.first = first ?? counts.next
        counts.statistics.keys = index.count
        (self.counts, self.index, time) = (counts, index, now)
    }
}

extension LedgerCounts {
    /// Counts records and dead letters, which another process may have moved.
    mutating func recount(_ database: Database) throws {
        var sinks = statistics.sinks.mapValues { _ in JournalStatistics.Sink() }
        let names = Dictionary(uniqueKeysWithValues: self.sinks.map { ($1, $0) })
        try database.read("SELECT sink, count(*), total(bytes) FROM outbox INDEXED BY devices GROUP BY sink") { row in
            guard let name = names[row.integer(0)] else { return }
            sinks[name, default: .init()].waiting = Int(row.integer(1))
            sinks[name, default: .init()].waitingByteCount = Int(row.integer(2))
        }
        try database.read("SELECT sink, count(*) FROM dead INDEXED BY deaths GROUP BY sink") { row in
            guard let name = names[row.integer(0)] else { return }
            sinks[name, default: .init()].dead = Int(row.integer(1))
        }
        statistics.sinks = sinks
    }
}

extension Database {
    fileprivate func names(in table: String) throws -> [String: Int64] {
        var names: [String: Int64] = [:]
        try read("SELECT id, name FROM \(table)") { names[$0.text(1)] = $0.integer(0) }
        return names
    }

    fileprivate func read(_ sql: String, _ row: (borrowing HotRow) -> Void) throws {
        let statement = try HotStatement(sql, on: self)
        defer { statement.close() }
        try statement.each(row)
    }
}
