// SPDX-License-Identifier: Apache-2.0

package import GRDB
private import Glibc

/// A database file with a write-ahead log, and the ways to open it.
///
/// No automatic checkpoints, and a commit is on the disk when it returns: that `synchronous` is FULL is read back,
/// because GRDB sets NORMAL behind one's back where it is asked for a write-ahead log.
package struct WriteAheadFile: Sendable {
    /// Absolute.
    package var path: String { own.path }

    private let own: OwnDatabase
    private let pageByteCount: Int
    private let erasesDeleted: Bool
    private let label: String
    private let patience: Duration

    /// Describes a file; touches none.
    ///
    /// `pageByteCount` is of effect in a new file. With `erasesDeleted` SQLite overwrites what is deleted. `patience`
    /// is the longest wait for another connection's transaction.
    package init(
        _ own: OwnDatabase,
        pageByteCount: Int,
        erasesDeleted: Bool,
        label: String,
        patience: Duration
    ) {
        self.own = own
        self.pageByteCount = pageByteCount
        self.erasesDeleted = erasesDeleted
        self.label = label
        self.patience = patience
    }

    /// A connection that writes; `prepare` makes or finds the tables, in a transaction of its own.
    package func open(
        isDurable: Bool,
        creating: Bool = true,
        prepare: (Database) throws -> Void
    ) throws(StoreError) -> DatabaseQueue {
        try make(creating ? O_CREAT : 0)
        try own.judge()
        try own.refuseForeign()
        do {
            let database = try DatabaseQueue(path: path, configuration: configuration)
            try database.writeWithoutTransaction { database in
                try own.refuseForeign(database)
                try configure(database, isDurable: isDurable)
                try database.inTransaction(.immediate) {
                    try prepare(database)
                    return .commit
                }
            }
            return database
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// A connection that reads beside the one that writes.
    package func openForReading() throws(StoreError) -> DatabaseQueue {
        do {
            var configuration = configuration
            configuration.readonly = true
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private func configure(_ database: Database, isDurable: Bool) throws {
        try database.execute(sql: "PRAGMA page_size = \(pageByteCount)")
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw StoreError(
                .unusable,
                "\"\(path)\": the file system has no shared memory for a write-ahead log",
                hint: "name a state folder on a local disk"
            )
        }
        try database.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "OFF")")
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        try database.execute(sql: "PRAGMA secure_delete = \(erasesDeleted ? "ON" : "OFF")")
        let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
        guard !isDurable || synchronous == 2 else {
            throw StoreError(
                .notDurable,
                "\"\(path)\": synchronous reads \(synchronous ?? -1), expected 2",
                hint: "name a state folder on a local disk"
            )
        }
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience / .seconds(1))
        configuration.label = label
        return configuration
    }

    /// Makes the file if there is none: SQLite would let others read it.
    private func make(_ creating: CInt) throws(StoreError) {
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | creating, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw StoreError(
                .unusable,
                "\"\(path)\": \(reason)",
                hint: creating == 0
                    ? "name the state folder of a host" : "name a state folder that this user can write"
            )
        }
        Glibc.close(descriptor)
    }
}
