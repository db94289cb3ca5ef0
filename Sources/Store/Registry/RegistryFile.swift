// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile
internal import GRDB
private import Glibc

/// The file `registry.sqlite` in the folder of a host's state: device tokens, subscriptions and apps.
///
/// The methods are the transactions: each is on the disk when it returns, or did nothing. A host reads the file while
/// commands write it, so it has a write-ahead log: nobody who reads waits for one who writes.
package final class RegistryFile: Sendable {
    package static let name = "registry.sqlite"
    /// Raised with each change of the tables.
    private static let schemaVersion = 4
    /// The registry's `application_id`, "Nesr"; files of former versions have none.
    private static let applicationID = 0x4E65_7372
    /// The longest wait for another process that writes, in seconds.
    private static let patience = 5.0

    package let path: String
    /// The identity of the open file, whatever file has its name later.
    let identity: FileIdentity
    private let queue: DatabaseQueue

    /// Opens the registry in a state folder; makes what is not there, the folder itself included.
    ///
    /// - Throws: `unusable`: the folder or the file is another user's, open to others, or cannot be opened; `corrupt`;
    ///   `tooNew`; `notDurable`.
    package init(folder: String) throws(StoreError) {
        path = folder + "/" + Self.name
        try Self.prepare(folder: folder, file: path)
        var configuration = Configuration()
        configuration.label = "registry"
        configuration.busyMode = .timeout(Self.patience)
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            identity = try FileIdentity(path: path)
            try queue.writeWithoutTransaction { database in
                try Self.database(at: path).refuseForeign(database)
                try Self.makeDurable(database, path)
                try Self.makeTables(database, path)
            }
        } catch {
            throw StoreError(registry: path, error)
        }
    }

    /// Reads in one transaction.
    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do { return try queue.read(body) } catch { throw StoreError(registry: path, error) }
    }

    /// Writes in one transaction.
    func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do { return try queue.write(body) } catch { throw StoreError(registry: path, error) }
    }

    /// From now on no call waits for another process.
    func loseAllPatience() throws(StoreError) {
        do {
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
        } catch {
            throw StoreError(registry: path, error)
        }
    }

    /// Another number whenever anybody but this connection has changed the file.
    func dataVersion() throws(StoreError) -> Int {
        try read { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }
}

// MARK: Opening

extension RegistryFile {
    /// Both are this user's own; other users may at most pass through the folder.
    private static func prepare(folder: String, file: String) throws(StoreError) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw unusable(folder) }
        try OwnDatabase.judge(folder, kind: S_IFDIR, allowing: S_IXGRP | S_IXOTH)
        // SQLite gives its log the mode of the file, but makes the file as the process's mask says. A file that is
        // there is never opened here: to close it would give up the locks that connections of this process have on it.
        let made = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 { close(made) } else if errno != EEXIST { throw unusable(file) }
        try database(at: file).judge()
        guard access(file, R_OK | W_OK) == 0 else { throw StoreError(registry: file, isUnusable: errno) }
        try database(at: file).refuseForeign()
    }

    /// Describes the database that a registry's file must be.
    static func database(at path: String) -> OwnDatabase {
        OwnDatabase(
            path: path,
            applicationID: applicationID,
            formerTables: ["tokens", "subscriptions", "apps"],
            foreign: StoreError(
                .unusable,
                "\"\(path)\" is a database, but no registry",
                hint: "move it away, or name another state folder"
            )
        )
    }

    private static func unusable(_ path: String) -> StoreError {
        StoreError(.unusable, "\"\(path)\" is not usable: \(String(cString: strerror(errno)))")
    }

    /// A minted token that was printed must not be forgotten, nor a removal undone.
    private static func makeDurable(_ database: Database, _ path: String) throws {
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        try database.execute(sql: "PRAGMA synchronous = FULL")
        let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
        guard mode == "wal", synchronous == 2 else {
            throw StoreError(.notDurable, "registry \"\(path)\" keeps no log on this file system")
        }
    }

    private static func makeTables(_ database: Database, _ path: String) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        if found == schemaVersion, application == applicationID { return }
        guard found <= schemaVersion else {
            throw StoreError(
                .tooNew,
                "registry \"\(path)\" was written by a later version",
                hint: "run that version, or start with another state folder"
            )
        }
        try database.inTransaction(.immediate) {
            // Somebody else may have made them meanwhile.
            try database.execute(sql: tables)
            if try !database.columns(in: "tokens").contains(where: { $0.name == "owner" }) {
                try database.execute(sql: ownerColumn)
            }
            try database.execute(sql: ownerGates)
            try database.execute(
                sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(schemaVersion)"
            )
            return .commit
        }
    }

    private static let tables = """
        CREATE TABLE IF NOT EXISTS tokens (
            token TEXT PRIMARY KEY NOT NULL,
            topic TEXT NOT NULL,
            environment TEXT NOT NULL,
            origin INTEGER NOT NULL,
            added INTEGER NOT NULL,
            removed INTEGER,
            owner TEXT NOT NULL DEFAULT 'me'
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS subscriptions (
            token TEXT PRIMARY KEY NOT NULL,
            topic TEXT NOT NULL,
            sender_key BLOB,
            added INTEGER NOT NULL,
            removed INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS apps (
            topic TEXT PRIMARY KEY NOT NULL,
            yaml TEXT NOT NULL,
            file TEXT NOT NULL,
            added INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        -- Since version 2: the tokens that apps asked for themselves.
        CREATE TABLE IF NOT EXISTS registrations (
            token TEXT PRIMARY KEY NOT NULL,
            owner TEXT NOT NULL,
            topic TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS registered ON registrations (owner, topic);
        -- Version 3 had it; since version 4 it is empty, and owner_gates has them.
        CREATE TABLE IF NOT EXISTS gates (
            reader TEXT NOT NULL,
            topic TEXT NOT NULL,
            PRIMARY KEY (reader, topic)
        ) STRICT, WITHOUT ROWID;
        -- Since version 4: the apps whose alerts a reader of the records has off.
        CREATE TABLE IF NOT EXISTS owner_gates (
            reader TEXT NOT NULL,
            owner TEXT NOT NULL,
            topic TEXT NOT NULL,
            PRIMARY KEY (reader, owner, topic)
        ) STRICT, WITHOUT ROWID;
        -- Since version 4: the owners who have the own folders and keychains of apps with an extension.
        CREATE TABLE IF NOT EXISTS extensions (
            topic TEXT PRIMARY KEY NOT NULL,
            owner TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Since version 4 a token has an owner.
    private static let ownerColumn = """
        ALTER TABLE tokens ADD COLUMN owner TEXT NOT NULL DEFAULT 'me';
        UPDATE tokens SET owner = (SELECT owner FROM registrations WHERE registrations.token = tokens.token)
            WHERE token IN (SELECT token FROM registrations);
        INSERT OR IGNORE INTO extensions (topic, owner) SELECT DISTINCT topic, 'me' FROM subscriptions;
        INSERT OR IGNORE INTO extensions (topic, owner) SELECT topic, owner FROM tokens ORDER BY owner <> 'me', added;
        """

    private static let ownerGates = """
        INSERT OR IGNORE INTO owner_gates (reader, owner, topic) SELECT reader, 'me', topic FROM gates;
        DELETE FROM gates;
        """
}

/// Tells one file from another that took its name.
struct FileIdentity: Equatable {
    private let device: UInt
    private let number: UInt

    init(path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw StoreError(.unusable, "registry \"\(path)\" is not usable: \(String(cString: strerror(errno)))")
        }
        device = UInt(status.st_dev)
        number = UInt(status.st_ino)
    }
}
