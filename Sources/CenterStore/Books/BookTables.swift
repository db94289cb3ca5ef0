// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// The connection that writes, as all books use it: its statements, and the table of contents with their files, which
/// they share.
final class BookTables {
    let hash: NameHash
    let files: FileBook
    /// Something was deleted that nobody may find any more, and may still lie in the log.
    private(set) var mustErase = true
    /// Used inside the accesses of its queue alone.
    private let database: Database
    private let statements = HotStatements()
    private let log: WriteAheadLog
    let stored: StoredBytes

    init(_ database: Database, shelf: FileShelf, hashBits: Int, seal: StoreSeal?) throws {
        self.database = database
        files = FileBook(shelf)
        stored = StoredBytes(seal: seal)
        log = try WriteAheadLog(of: database)
        let key = try HotStatement("SELECT value FROM facts WHERE name = ?1", on: database).bind(Fact.hashKey)
            .first { $0.blob(0) }
        guard let hash = SipHash(key: key ?? []) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the key of its hashes is missing")
        }
        self.hash = NameHash(hash, bits: hashBits)
    }

    func statement(_ sql: String) throws -> HotStatement { try statements(sql, on: database) }

    /// The row that the last insertion made.
    var lastRow: Int64 { database.lastInsertedRowID }

    /// Runs `body` as one transaction.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            try statement("BEGIN IMMEDIATE").run()
            let result = try body()
            try statement("COMMIT").run()
            return result
        } catch {
            // Some errors have rolled back already.
            if database.isInsideTransaction { _ = try? statement("ROLLBACK").run() }
            throw error
        }
    }

    // MARK: - Contents

    /// Stores a content of an installation; returns its row, and its length in bytes with its files.
    func insert(
        _ content: NotificationContent,
        of installation: InstallationAccount
    ) throws -> (body: Int64, byteCount: Int64) {
        let bytes = content.stored
        let (plain, sealed) = try columns(bytes, as: .content, of: installation.id)
        try statement("INSERT INTO content VALUES (NULL, ?1, ?2, ?3)")
            .bind(sealed.map { _ in installation.id }, plain, sealed).run()
        let body = lastRow
        let kept = content.files
        if !kept.isEmpty { try files.add(kept.map(\.id), of: body) { try statement($0) } }
        return (body, kept.reduce(Int64(bytes.count)) { $0 + $1.byteCount })
    }

    /// The open and the sealed column of a text.
    func columns(
        _ bytes: [UInt8],
        as kind: Seal,
        of installation: Int64
    ) throws -> (plain: [UInt8]?, sealed: [UInt8]?) {
        try stored.columns(bytes, as: kind, of: installation) { try statement($0) }
    }

    /// The content whose columns begin at an index; `nil` means that it is damaged.
    func content(_ row: borrowing HotRow, _ index: CInt) throws -> NotificationContent? {
        try stored.content(row, index) { try statement($0) }.flatMap { NotificationContent(stored: $0) }
    }

    /// True if the content whose columns begin at an index is of this identifier.
    func isContent(_ row: borrowing HotRow, _ index: CInt, opening: [UInt8]) throws -> Bool {
        try stored.content(row, index, beginsWith: opening) { try statement($0) }
    }

    func copyContent(_ body: Int64) throws -> Int64 {
        try statement("INSERT INTO content SELECT NULL, key, plain, sealed FROM content WHERE id = ?1").bind(body).run()
        let copy = lastRow
        try files.share(body, with: copy) { try statement($0) }
        return copy
    }

    func deleteContent(_ body: Int64) throws {
        try files.release(body) { try statement($0) }
        try statement("DELETE FROM content WHERE id = ?1").bind(body).run()
    }

    // MARK: - The log

    /// Bytes of the log that are not in the database yet.
    var logByteCount: Int { log.byteCount }

    /// Has what was deleted overwritten when the store is next at rest.
    func eraseSoon() { mustErase = true }

    /// Copies a log that has grown too long, whatever else there is to do.
    func boundLog(_ limit: Int) throws {
        if log.byteCount >= limit { try log.copy(database) }
    }

    /// Copies the log, and overwrites what was deleted and still lies in it.
    func settleLog() throws {
        if mustErase {
            mustErase = try !log.empty(database)
        } else if !log.isEmpty {
            try log.copy(database)
        }
    }

    func close() throws {
        defer { statements.close() }
        try log.empty(database)
    }
}
