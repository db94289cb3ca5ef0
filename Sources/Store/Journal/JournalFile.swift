// SPDX-License-Identifier: Apache-2.0

import GRDB
import Glibc

/// `journal.sqlite` in the state folder, and the ways to open it.
///
/// A write-ahead log, no automatic checkpoints, and a commit is on the disk when it returns: that `synchronous` is FULL
/// is read back, because GRDB sets NORMAL behind one's back where it is asked for a write-ahead log.
package struct JournalFile: Sendable {
    package static let name = "journal.sqlite"

    /// Absolute.
    package let path: String

    /// The longest wait for another connection's transaction.
    private let patience: Duration

    init(folder: String, patience: Duration = JournalLimits().patience) {
        path = "\(folder)/\(Self.name)"
        self.patience = patience
    }

    /// A connection that writes.
    func open(isDurable: Bool, creating: Bool = true) throws(StoreError) -> DatabaseQueue {
        try make(creating ? O_CREAT : 0)
        let own = JournalSchema.database(at: path)
        try own.judge()
        try own.refuseForeign()
        do {
            let database = try DatabaseQueue(path: path, configuration: configuration)
            try database.writeWithoutTransaction { database in
                try own.refuseForeign(database)
                // Three bodies of 2 KB, where 4 KB have room for one: fewer bytes to write. Of effect in a new file.
                try database.execute(sql: "PRAGMA page_size = 8192")
                guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
                    throw StoreError(
                        .unusable,
                        "\"\(path)\": the file system has no shared memory for a write-ahead log",
                        hint: "name a state folder on a local disk"
                    )
                }
                try database.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "OFF")")
                try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
                try database.execute(sql: "PRAGMA secure_delete = OFF")
                let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
                guard !isDurable || synchronous == 2 else {
                    throw StoreError(
                        .notDurable,
                        "\"\(path)\": synchronous reads \(synchronous ?? -1), expected 2",
                        hint: "name a state folder on a local disk"
                    )
                }
                try database.inTransaction(.immediate) {
                    try JournalSchema.prepare(database, path: path)
                    return .commit
                }
            }
            return database
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// A connection that reads beside the one that writes.
    func openForReading() throws(StoreError) -> DatabaseQueue {
        do {
            var configuration = configuration
            configuration.readonly = true
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(patience.milliseconds) / 1000)
        configuration.label = "journal"
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

/// Keeps a second host from the same journal; the command for dead letters needs none.
///
/// A lock on a file beside it, held as long as this exists: SQLite's own would keep the command out too.
final class JournalLock: Sendable {
    private let descriptor: CInt

    init(folder: String) throws(StoreError) {
        let path = "\(folder)/journal.lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw StoreError(
                .unusable,
                "\"\(path)\": \(reason)",
                hint: "name a state folder that this user can write"
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StoreError(
                .unusable,
                "\"\(folder)\" is in use by another extension-host",
                hint: "give each host a state folder of its own"
            )
        }
    }

    func release() {
        flock(descriptor, LOCK_UN)
    }

    deinit {
        close(descriptor)
    }
}
