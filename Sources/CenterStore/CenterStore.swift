// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile
import GRDB
import GRDBSQLite
import Locking

/// The notifications of a centre, and everything else it keeps, in SQLite: `center.sqlite` in its folder.
///
/// One connection writes and one reads beside it. `commit` does a batch of work in one transaction; `maintain` does
/// what can wait. Each change takes the owner's next number, so that the tables tell a watcher who comes back what it
/// missed: `changes`. Every call but those of the centre's own scheduler names an owner. Calls that write block, and
/// come from one thread at a time; those that read may come from any thread.
package final class CenterStore: Sendable {
    package static let name = "center.sqlite"
    /// The name of the file whose lock the one centre of a folder has.
    package static let lockName = "center.lock"

    /// The absolute path of the database.
    package let path: String
    /// The files of notifications, beside the database.
    package let files: FileShelf
    /// Texts that were sealed when the store was opened, because they came before its key.
    package let sealedCount: Int
    private let lock: FolderLock
    private let writer: DatabaseQueue
    private let reader: DatabaseQueue
    // SAFETY: reached only inside `writer`'s accesses, which it runs one at a time.
    private nonisolated(unsafe) let books: CenterBooks
    // SAFETY: reached only inside `reader`'s accesses, which it runs one at a time.
    private nonisolated(unsafe) let statements = HotStatements()
    private let hash: NameHash
    private let stored: StoredBytes
    private let published: Locked<CenterStatistics>

    /// Opens the store in a folder that is there, or makes one.
    ///
    /// Without `isDurable` nothing is synchronised to the disk. With a key, texts and files are sealed under it; what
    /// lies open is sealed before this returns. Errors: another centre has it, it is corrupt, a later version's,
    /// another program's, not writable, or sealed under another key or while none is given.
    package convenience init(
        folder: String,
        isDurable: Bool = true,
        limits: CenterLimits = CenterLimits(),
        key: StoreKey? = nil
    ) throws(StoreError) {
        try self.init(folder: folder, isDurable: isDurable, limits: limits, hashBits: 63, key: key)
    }

    /// `hashBits` is the length of the hashes of names and threads, which tests make short.
    package init(
        folder: String,
        isDurable: Bool,
        limits: CenterLimits,
        hashBits: Int,
        key: StoreKey? = nil
    ) throws(StoreError) {
        let path = "\(folder)/\(Self.name)"
        self.path = path
        let file = WriteAheadFile(
            CenterSchema.database(at: path),
            // A commit writes random leaves.
            pageByteCount: 4096,
            erasesDeleted: true,
            label: "center",
            patience: limits.patience
        )
        lock = try Self.lock(folder: folder)
        try CenterRepair.refuseInterrupted(path)
        do throws(StoreError) {
            writer = try file.open(isDurable: isDurable) { try CenterSchema.prepare($0, path: path) }
        } catch {
            throw Self.withRepair(error)
        }
        reader = try file.openForReading()
        do { files = try FileShelf(in: folder, isDurable: isDurable, seals: key != nil) } catch {
            throw StoreError(
                .unusable,
                "\"\(folder)/\(FileShelf.name)\" cannot be made or read: \(error)",
                hint: "name a folder that can be written"
            )
        }
        do {
            let shelf = files
            (books, sealedCount) = try writer.writeWithoutTransaction { database in
                let seal = try SealState(database, path: path).seal(under: key)
                let books = try CenterBooks(database, shelf: shelf, limits: limits, hashBits: hashBits, seal: seal)
                var open = OpenRows(books, shelf)
                return (books, try open.seal())
            }
        } catch {
            throw Self.withRepair(StoreError(error, path: path))
        }
        hash = books.tables.hash
        stored = books.tables.stored
        published = Locked(CenterStatistics(books))
    }

    /// A damaged database is repaired by the centre's own command.
    private static func withRepair(_ error: StoreError) -> StoreError {
        guard error.code == .corrupt, error.message.contains("malformed") else { return error }
        return StoreError(
            .corrupt,
            error.message,
            hint: "\"notification-center repair\" makes a new one of what can be read, and keeps this one"
        )
    }

    static func lock(folder: String) throws(StoreError) -> FolderLock {
        try FolderLock(
            folder: folder,
            name: lockName,
            inUse: StoreError(
                .unusable,
                "\"\(folder)\" is in use by another notification-center",
                hint: "give each centre a folder of its own"
            )
        )
    }

    /// Does all of it in one transaction, which is on the disk when this returns, or nothing.
    ///
    /// A piece of work that is refused is no error. The results are in the order of the work.
    package func commit(_ work: [CenterWork], at now: WallTime) throws(DatabaseFailure) -> [WorkResult] {
        try write { _ in try books.commit(work, at: now) }
    }

    /// Does work that can wait: retention, the copying of the log, and after a failure a write that proves the disk.
    ///
    /// Takes some tens of milliseconds at most; true means that there is more to do. To be called each second. A call
    /// that finds no commit since the last one also overwrites what was deleted and still lies in the log.
    package func maintain(at now: WallTime) throws(DatabaseFailure) -> Bool {
        try write { database in
            switch try books.maintain(at: now) {
            case .behind: return true
            case .busy, .atRest: return false
            case .cameToRest:
                // SQLite holds up to 2 MB of pages a connection, and nobody asks for them now.
                sqlite3_db_release_memory(database.sqliteConnection)
                reader.releaseMemory()
                return false
            }
        }
    }

    /// Removes files that a former process left and nothing names, and returns how many.
    ///
    /// The centre calls this once, from any thread.
    package func sweepFiles() throws(DatabaseFailure) -> Int {
        do {
            // One by one: whoever reads meanwhile waits for one of them. No row begins to name a file that none named.
            return try files.sweep { file in
                try read { reading in try FileBook.isKept(file) { try reading.statement($0) } }
            }
        } catch {
            throw DatabaseFailure(error, path: path)
        }
    }

    /// Returns what maintenance did since the last call that somebody may watch for.
    package func takeUpkeep() throws(DatabaseFailure) -> Upkeep {
        try write { _ in books.takeUpkeep() }
    }

    /// The sums at the last commit or maintenance; may be read from any thread.
    package var statistics: CenterStatistics { published.withLock { $0 } }

    /// Copies the log into the database and lets go of both; the store is of no use afterwards.
    ///
    /// A store that is not closed loses nothing: the next one reads the log.
    package func close() throws(DatabaseFailure) {
        defer {
            reader.unsafeRead { _ in statements.close() }
            try? reader.close()
            try? writer.close()
            lock.release()
        }
        try write { _ in try books.close() }
    }

    /// Returns the keyed hash of what names a stack, so that its id says nothing of a thread.
    package func stackHash(_ bytes: [UInt8]) -> UInt64 { hash.whole(bytes) }

    /// Returns a text that names a file to whoever reads it, and does not say how many files there were before it.
    package func tag(of file: Int64) -> String { String(hash.whole(Array("file \(file)".utf8)), radix: 16) }

    /// The values of pragmas of the connection that writes.
    func pragmas(_ names: [String]) throws(DatabaseFailure) -> [Int] {
        try write { database in try names.map { try Int.fetchOne(database, sql: "PRAGMA \($0)") ?? -1 } }
    }

    private func write<Result>(_ body: (Database) throws -> Result) throws(DatabaseFailure) -> Result {
        do {
            return try writer.writeWithoutTransaction { database in
                guard !books.isClosed else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "it is closed") }
                defer { published.withLock { $0 = CenterStatistics(books) } }
                return try body(database)
            }
        } catch {
            throw DatabaseFailure(error, path: path)
        }
    }

    /// Reads in one transaction: what `body` finds is of one moment.
    func read<Result>(_ body: (CenterReading) throws -> Result) throws(DatabaseFailure) -> Result {
        do {
            // GRDB's own `read` follows a null pointer once the connection is closed; our statements throw.
            return try reader.unsafeRead { database in
                try statements("BEGIN", on: database).run()
                defer { _ = try? statements("COMMIT", on: database).run() }
                return try body(CenterReading(database: database, statements: statements, hash: hash, stored: stored))
            }
        } catch {
            throw DatabaseFailure(error, path: path)
        }
    }
}
