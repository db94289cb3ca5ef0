// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB
import HostRuntime
import Locking

/// The writing connection's side of the journal: its statements, and what is kept in memory of the tables.
///
/// The ledger serves one thread at a time; the connection's queue sees to it.
final class Ledger {
    let statements: LedgerStatements
    let time: JournalTime
    let limits: JournalLimits
    var counts: LedgerCounts
    var index: SeenIndex
    var recent = RecentIdentifiers()
    /// The last transaction failed: only a write tells whether the next will.
    var hasFailed = false
    var isClosed = false
    var rest = JournalRest()
    /// The journal time that was last written down.
    var lastTime: Int64
    var lastMaintenance: Int64 = 0
    /// The minute for which `agedEnd` was looked up.
    var lastRefresh: Int64 = -1
    /// The last mark that is old enough: what is below it may be forgotten.
    var agedEnd: Int64 = 0
    var agedMinute: Int64 = -1
    let log: WriteAheadLog
    /// `PRAGMA data_version`: another process has written if it changes.
    var dataVersion: Int64 = 0
    /// Raised then.
    let othersWrote = Signal()

    init(_ database: Database, folder: String, clock: HostClock, limits: JournalLimits) throws {
        self.limits = limits
        let contents = try LedgerContents(database, folder: folder)
        (counts, index, lastTime) = (contents.counts, contents.index, contents.time)
        time = JournalTime(clock, continuingAt: lastTime)
        statements = try LedgerStatements(database)
        log = try WriteAheadLog(of: database)
        counts.statistics.synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? 0
        dataVersion = try statements.dataVersion.first { $0.integer(0) } ?? 0
    }

    var snapshot: JournalStatistics {
        var statistics = counts.statistics
        statistics.oldest = counts.oldest.map { .milliseconds($0.accepted) }
        statistics.keyMemoryByteCount = index.byteCount
        statistics.keyFileByteCount = index.fileByteCount
        return statistics
    }

    /// Runs `body` as one transaction, and takes back in memory what it did there if the disk refuses.
    func transaction<Result>(_ database: Database, _ body: () throws -> Result) throws -> Result {
        let before = counts
        index.begin()
        recent.begin()
        do {
            try statements.begin.run()
            let result = try body()
            try statements.commit.run()
            return result
        } catch {
            hasFailed = true
            // Some errors have rolled back already.
            if database.isInsideTransaction { _ = try? statements.rollback.run() }
            index.undo()
            recent.undo()
            counts = before
            throw error
        }
    }

    /// The number of a name in `topics` or `sinks`, given to it now if it has none.
    func number(
        of name: String,
        in known: WritableKeyPath<LedgerCounts, [String: Int64]>,
        _ insert: HotStatement
    ) throws -> Int64 {
        if let number = counts[keyPath: known][name] { return number }
        let number = Int64(counts[keyPath: known].count) + 1
        insert.bind(number, at: 1)
        insert.bind(name, at: 2)
        try insert.run()
        counts[keyPath: known][name] = number
        return number
    }
}

/// Ids of late with what came under them, to notice one that comes with another body: 256 KiB, newest wins its place.
struct RecentIdentifiers {
    static let count = 1 << 14

    private struct Entry {
        var name = 0
        var identity: UInt64 = 0
    }

    private var entries = [Entry](repeating: Entry(), count: count)
    /// The entries that were overwritten since `begin()`, with their places.
    private var former: [(place: Int, entry: Entry)] = []

    /// Forgets how to undo what was noted until now.
    mutating func begin() {
        former.removeAll(keepingCapacity: true)
    }

    /// Takes back what was noted since `begin()`.
    mutating func undo() {
        for (place, entry) in former.reversed() { entries[place] = entry }
        former.removeAll(keepingCapacity: true)
    }

    /// True if the id came lately with another body.
    func has(_ push: IncomingPush, otherThan identity: PushKey) -> Bool {
        let name = Self.name(push)
        let entry = entries[name & (Self.count - 1)]
        return entry.name == name && entry.identity != identity.high
    }

    mutating func note(_ push: IncomingPush, _ identity: PushKey) {
        let name = Self.name(push)
        let place = name & (Self.count - 1)
        former.append((place, entries[place]))
        entries[place] = Entry(name: name, identity: identity.high)
    }

    private static func name(_ push: IncomingPush) -> Int {
        var hasher = Hasher()
        hasher.combine(push.deviceToken)
        hasher.combine(push.topic)
        hasher.combine(push.id)
        return hasher.finalize()
    }
}
