// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB
import HostRuntime
import Locking

extension Ledger {
    /// Rows that one call forgets at most: some milliseconds.
    private static let slice: Int64 = 20_000
    /// An idle journal writes its time down as often, in milliseconds of it.
    private static let timeInterval = 10 * JournalTime.minute

    /// Retention, and after a failure a write that proves the disk; true: there is more to forget.
    func maintain(_ database: Database) throws -> Bool {
        try noticeOthers(database)
        let now = time.now
        lastMaintenance = now
        if now / JournalTime.minute > lastRefresh {
            lastRefresh = now / JournalTime.minute
            try refreshEnd(minute: lastRefresh)
        }
        let letters = try lettersToForget(at: now)
        let mustMark = lastRefresh > counts.lastMark.minute && frontier != counts.lastMark.number
        guard hasFailed || mustMark || keysEnd > counts.first || letters > 0 || now - lastTime >= Self.timeInterval
        else { return false }
        let end = keysEnd
        try transaction(database) {
            try database.execute(sql: "INSERT OR REPLACE INTO facts VALUES ('time', ?)", arguments: [now])
            try mark()
            if end > counts.first { try forget(database, keysBelow: min(end, counts.first + Self.slice)) }
            if letters > 0 { try forget(database, letters: letters) }
        }
        index.drop(below: counts.first)
        lastTime = now
        hasFailed = false
        return keysEnd > counts.first || letters == Int(Self.slice)
    }

    /// Pushes below it have had their outcome.
    var frontier: Int64 { counts.oldest?.number ?? counts.next }

    /// Once a minute: pushes below the oldest waiting one have had their outcome by now.
    func mark() throws {
        let minute = time.now / JournalTime.minute
        guard minute > counts.lastMark.minute else { return }
        statements.mark.bind(minute, at: 1)
        statements.mark.bind(frontier, at: 2)
        try statements.mark.run()
        counts.lastMark = (minute, frontier)
    }

    /// The lowest number whose keys are kept: pushes below it ended too long ago, or the keys are too many.
    private var keysEnd: Int64 {
        let excess = counts.statistics.keys - limits.keys
        guard excess > 0 else { return min(agedEnd, counts.next) }
        // A push has two keys at most.
        return min(max(agedEnd, counts.first + Int64(excess + 1) / 2), counts.next)
    }

    /// Finds the last mark that is old enough, and lets go of those before it.
    private func refreshEnd(minute: Int64) throws {
        // A mark speaks of some moment in its minute.
        let last = minute - 1 - limits.memory.milliseconds / JournalTime.minute
        statements.marked.bind(last, at: 1)
        guard let mark = try statements.marked.first({ (minute: $0.integer(0), number: $0.integer(1)) }) else { return }
        agedEnd = mark.number
        agedMinute = mark.minute
    }

    /// Forgets pushes, waiting ones too: those are run all the same, and only a repeat would not be noticed.
    private func forget(_ database: Database, keysBelow end: Int64) throws {
        let keys = try Int.fetchOne(
            database,
            sql: "SELECT total(length(keys)) / 16 FROM seen WHERE number < ?",
            arguments: [end]
        )
        try database.execute(sql: "DELETE FROM seen WHERE number < ?", arguments: [end])
        try database.execute(sql: "DELETE FROM marks WHERE minute < ?", arguments: [agedMinute])
        counts.statistics.keys -= keys ?? 0
        counts.first =
            try Int64.fetchOne(database, sql: "SELECT number FROM seen ORDER BY number LIMIT 1") ?? counts.next
    }

    // MARK: - Dead letters

    private func lettersToForget(at now: Int64) throws -> Int {
        let total = counts.statistics.sinks.values.reduce(0) { $0 + $1.dead }
        guard total > 0 else { return 0 }
        statements.aged.bind(now - limits.deadLetterAge.milliseconds, at: 1)
        statements.aged.bind(Self.slice, at: 2)
        let aged = try statements.aged.first { Int($0.integer(0)) } ?? 0
        return min(max(aged, total - limits.deadLetters), Int(Self.slice))
    }

    private func forget(_ database: Database, letters: Int) throws {
        let oldest = "FROM dead INDEXED BY deaths ORDER BY died, place LIMIT ?"
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT name, count(*) FROM (SELECT sink \(oldest)) JOIN sinks ON id = sink GROUP BY id",
            arguments: [letters]
        )
        try database.execute(
            sql: "DELETE FROM dead WHERE place IN (SELECT place \(oldest))",
            arguments: [letters]
        )
        for row in rows { counts.statistics.sinks[row[0], default: .init()].dead -= row[1] as Int }
    }

    /// Counts again what the command for dead letters may have moved.
    private func noticeOthers(_ database: Database) throws {
        let found = try statements.dataVersion.first { $0.integer(0) } ?? 0
        guard found != dataVersion else { return }
        try counts.recount(database)
        dataVersion = found
        othersWrote.raise()
    }
}
