// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile
import GRDB
import GRDBSQLite
import Glibc
package import HostRuntime
package import Locking

/// The journal in SQLite: `journal.sqlite` in the host's state folder.
///
/// One connection writes and one reads beside it. A push costs two rows, one with its body until the outcome, one of
/// some 75 bytes for a day; commits, retention and the copying of the write-ahead log are `Ledger`'s. A body that no
/// longer is what was accepted, by its key or by its form, does not stop the others: the push comes back with an empty
/// payload, so that it has its outcome and its record, and counts as damaged.
package final class Journal: PushJournal {
    package let name: String
    package let file: JournalFile
    /// Raised by `maintain` after a command has moved dead letters: some may be on their way again.
    package let othersWrote: Signal
    /// Raised by `maintain` some ten seconds after the last of many pushes, once for each such pause.
    package let cameToRest = Signal()
    private let lock: FolderLock
    private let writer: DatabaseQueue
    private let reader: DatabaseQueue
    // SAFETY: reached only inside `writer`'s accesses, which it runs one at a time.
    private nonisolated(unsafe) let ledger: Ledger
    private let time: JournalTime
    private let published: Locked<JournalStatistics>

    /// Opens the journal in a folder that is there, or makes one.
    ///
    /// Without `isDurable` nothing is synchronised to the disk: for a folder that ends with the process. Takes 0.2 µs
    /// for each key that is known. Errors: another host has it, it is corrupt, a later version's, or not writable.
    package init(
        folder: String,
        isDurable: Bool,
        clock: HostClock,
        limits: JournalLimits = JournalLimits()
    ) throws(StoreError) {
        file = JournalFile(folder: folder, patience: limits.patience)
        lock = try JournalFile.lock(folder: folder)
        writer = try file.open(isDurable: isDurable)
        reader = try file.openForReading()
        do {
            (name, ledger) = try writer.writeWithoutTransaction { database in
                let ledger = try Ledger(database, folder: folder, clock: clock, limits: limits)
                return (try ledger.name(database), ledger)
            }
        } catch {
            throw StoreError(error, path: file.path)
        }
        othersWrote = ledger.othersWrote
        time = ledger.time
        published = Locked(ledger.snapshot)
    }

    package func commit(
        _ work: JournalWork,
        admit: (IncomingPush) -> Bool
    ) throws(JournalError) -> [Arrival] {
        try write { database in
            let arrivals = try ledger.commit(database, work, admit: admit)
            ledger.rest.committed()
            // What follows cannot undo it any more; a disk that fails shows in the next commit or maintenance.
            if ledger.isMaintenanceDue { _ = try? ledger.maintain(database) }
            if ledger.logByteCount >= ledger.limits.log { try? ledger.checkpoint(database) }
            return arrivals
        }
    }

    package func delivery(of number: Int64) -> DeliveryName? { named(number) }

    private func named(_ number: Int64) -> DeliveryName { DeliveryName(store: name, count: number) }

    package func unfinished() throws(JournalError) -> [UnfinishedPush] {
        try write { database in try ledger.unfinished() }
    }

    package func pushes(of topic: String, after number: Int64, limit: Int) throws(JournalError) -> [IncomingPush] {
        var pushes = try write { database in try ledger.pushes(of: topic, after: number, limit: limit) }
        for place in pushes.indices { pushes[place].delivery = pushes[place].number.map(named) }
        return pushes
    }

    package func raise(to number: Int64) throws(JournalError) {
        try write { database in try ledger.raise(database, to: number) }
    }

    package func maintain() throws(JournalError) -> Bool {
        try write { database in
            let now = time.now
            let isQuiet = ledger.rest.isQuiet(at: now)
            if try ledger.maintain(database) { return true }
            // While pushes come, the log may grow; a copy would hold them up.
            if isQuiet {
                try ledger.checkpoint(database)
                if ledger.rest.begins(at: now) { rest(database) }
            }
            return false
        }
    }

    /// Gives back the pages that SQLite holds, up to 2 MB a connection: nobody asks for them now.
    private func rest(_ database: Database) {
        sqlite3_db_release_memory(database.sqliteConnection)
        reader.releaseMemory()
        cameToRest.raise()
    }

    package func due(for sink: String, limit: Int) throws(JournalError) -> [OutboxRecord] {
        do {
            return try reader.unsafeRead { database in
                try OutboxRecord.due(database, for: sink, at: time.now, limit: limit, named: named)
            }
        } catch {
            throw JournalError(error, path: file.path)
        }
    }

    package func waiting(
        for sink: String,
        except: Set<Int64>,
        limit: Int,
        byteCount: Int
    ) throws(JournalError) -> [OutboxRecord] {
        do {
            return try reader.unsafeRead { database in
                try OutboxRecord.waiting(
                    database,
                    for: sink,
                    except: except,
                    limit: limit,
                    byteCount: byteCount,
                    named: named
                )
            }
        } catch {
            throw JournalError(error, path: file.path)
        }
    }

    package func leastOpen(for sink: String) throws(JournalError) -> Int64? {
        do {
            return try reader.unsafeRead { try OutboxRecord.leastOpen($0, for: sink) }
        } catch {
            throw JournalError(error, path: file.path)
        }
    }

    package func fullSinks(records: Int, byteCount: Int) -> Set<String> {
        published.withLock { statistics in
            let full = statistics.sinks.filter { $0.value.waiting >= records || $0.value.waitingByteCount >= byteCount }
            return Set(full.keys)
        }
    }

    /// The counts at the last commit or maintenance; may be read from any thread.
    package var statistics: JournalStatistics {
        var statistics = published.withLock { $0 }
        statistics.now = .milliseconds(time.now)
        statistics.fileByteCount = Self.byteCount(of: file.path)
        statistics.logByteCount = Self.byteCount(of: "\(file.path)-wal")
        return statistics
    }

    /// Copies the log into the database and lets go of both; the journal is of no use afterwards.
    ///
    /// A journal that is not closed loses nothing: the next one reads the log.
    package func close() throws(JournalError) {
        defer {
            try? reader.close()
            try? writer.close()
            lock.release()
        }
        try write { database in
            try ledger.close(database)
        }
    }

    private func write<Result>(_ body: (Database) throws -> Result) throws(JournalError) -> Result {
        do {
            return try writer.writeWithoutTransaction { database in
                guard !ledger.isClosed else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "it is closed") }
                defer { published.withLock { $0 = ledger.snapshot } }
                return try body(database)
            }
        } catch {
            throw JournalError(error, path: file.path)
        }
    }

    private static func byteCount(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_size : 0
    }
}
