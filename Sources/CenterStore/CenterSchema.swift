// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// The tables of `center.sqlite`, and the ways from each version of them to the next.
///
/// Times are milliseconds since 1970; `pending.due` counts on the clock of its row. Source: center.md §6.
struct CenterSchema {
    /// `user_version` of the file.
    static let version = migrations.count
    /// `application_id` of the file: "Nesc".
    static let applicationID = 0x4E65_7363

    /// The function at index n leads from version n to version n + 1; a file without tables has version 0.
    private static let migrations: [@Sendable (Database) throws -> Void] = [
        makeTables, makeFiles, addWords, addSealedTexts,
    ]

    /// Describes the database that a centre's file must be.
    static func database(at path: String) -> OwnDatabase {
        OwnDatabase(
            path: path,
            applicationID: applicationID,
            foreign: StoreError(
                .corrupt,
                "\"\(path)\" is a database, but none of a notification centre",
                hint: "name another folder"
            )
        )
    }

    /// Brings the tables to this program's version, in the transaction that the caller has open.
    static func prepare(_ database: Database, path: String) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        try refuse(version: found, path: path)
        guard found < version else { return }
        for migrate in migrations[found...] { try migrate(database) }
        try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }

    /// Refuses tables that a later program has written.
    static func refuse(version found: Int, path: String) throws(StoreError) {
        guard (0...version).contains(found) else {
            throw StoreError(
                .tooNew,
                "\"\(path)\" has version \(found), and this program knows versions up to \(version)",
                hint: "start the version that wrote it, or name another folder"
            )
        }
    }
}

/// The names of facts in the table of that name.
enum Fact {
    /// 16 bytes, made with the file: the key of the hashes of names and threads.
    static let hashKey = "store.hash"
    /// A proof that the store key alone opens; absent while nothing is sealed.
    static let seal = "store.seal"
    /// Nothing is left open from the time before the store had its key.
    static let allSealed = "store.sealed"
    /// Written to find out if the disk takes a write.
    static let proof = "store.proof"
    /// The names of registrations that a host has to end begin with it.
    static let withdrawal = "withdraw."

    /// The name of the fact that a host has to end the registration of an app.
    static func withdrawal(of key: InstallationKey) -> String { "\(withdrawal)\(key.owner.text)/\(key.app)" }

    /// The name of a fact that the centre keeps and the store does not read.
    static func others(_ name: String) -> String { "centre." + name }
}

// MARK: Version 4

extension CenterSchema {
    /// Texts of responses and silent pushes, sealed; those of contents had a column from the beginning.
    private static func addSealedTexts(_ database: Database) throws {
        try database.execute(
            sql: "ALTER TABLE response ADD COLUMN sealed_text BLOB; ALTER TABLE silent ADD COLUMN sealed_payload BLOB"
        )
    }
}

// MARK: Version 3

extension CenterSchema {
    /// The rows of one step: all contents of a centre at once would not fit in memory.
    private static let step = 1000

    /// Puts the words of summaries beside the heads, so that a list of stacks reads no content but what it shows.
    private static func addWords(_ database: Database) throws {
        for table in ["head", "history"] {
            for column in ["category", "argument"] {
                try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column) TEXT")
            }
            try fillWords(of: table, in: database)
        }
    }

    private static func fillWords(of table: String, in database: Database) throws {
        let contents = try HotStatement(
            """
            SELECT owner, number, plain FROM \(table) NOT INDEXED CROSS JOIN content ON id = body
            WHERE (owner, number) > (?1, ?2) ORDER BY owner, number LIMIT ?3
            """,
            on: database
        )
        let update = try HotStatement(
            "UPDATE \(table) SET category = ?3, argument = ?4 WHERE owner = ?1 AND number = ?2",
            on: database
        )
        defer {
            contents.close()
            update.close()
        }
        var (owner, number, count) = (Int64(0), Int64(0), step)
        while count == step {
            count = 0
            var found: [(owner: Int64, number: Int64, words: SummaryWords)] = []
            try contents.bind(owner, number, step).each { row in
                (owner, number, count) = (row.integer(0), row.integer(1), count + 1)
                let words = NotificationContent(stored: row.blob(2))?.words ?? SummaryWords()
                if !words.isEmpty { found.append((owner, number, words)) }
            }
            for row in found {
                try update.bind(row.owner, row.number, row.words.category, row.words.argument).run()
            }
        }
    }
}

// MARK: Version 2

extension CenterSchema {
    /// Name: the number of a file of the shelf, which several contents may have.
    private static func makeFiles(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE file (
                    content INTEGER NOT NULL, name INTEGER NOT NULL, PRIMARY KEY (content, name)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX kept ON file (name);
                """
        )
    }
}

// MARK: Version 1

extension CenterSchema {
    private static func makeTables(_ database: Database) throws {
        try database.execute(sql: people)
        try database.execute(sql: notifications)
        try database.execute(sql: requests)
        try database.execute(sql: credentials)
        try database.execute(
            sql: "INSERT INTO facts VALUES (?, randomblob(16))",
            arguments: [Fact.hashKey]
        )
    }

    private static let people = """
        CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;

        -- Next: the owner's next number. Floor: tombstones up to it are forgotten. Seen: the read mark.
        -- Stored, past, tombstones: rows in head, history, gone. Bytes: contents of head and history.
        CREATE TABLE owner (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
            next INTEGER NOT NULL, floor INTEGER NOT NULL, seen INTEGER NOT NULL,
            language TEXT, zone TEXT, focus BLOB, summary BLOB, changed INTEGER NOT NULL,
            stored INTEGER NOT NULL, past INTEGER NOT NULL, tombstones INTEGER NOT NULL, bytes INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE app (id INTEGER PRIMARY KEY, topic TEXT NOT NULL UNIQUE) STRICT;
        -- A number that was given to an installation is never given to another one.
        CREATE TABLE installation (
            id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL, app INTEGER NOT NULL,
            status INTEGER NOT NULL, options INTEGER NOT NULL, settings BLOB NOT NULL, badge INTEGER NOT NULL,
            token TEXT, data_key BLOB, changed INTEGER NOT NULL, stored INTEGER NOT NULL, bytes INTEGER NOT NULL,
            UNIQUE (owner, app)
        ) STRICT;
        CREATE INDEX changed ON installation (owner, changed);
        -- Apart from the installation, whose row is written with each notification.
        CREATE TABLE categories (installation INTEGER PRIMARY KEY, value BLOB NOT NULL) STRICT;
        """

    private static let notifications = """
        -- Name and thread are keyed hashes. Bytes: of the content.
        CREATE TABLE head (
            owner INTEGER NOT NULL, number INTEGER NOT NULL, installation INTEGER NOT NULL,
            name INTEGER NOT NULL, thread INTEGER, date INTEGER NOT NULL, until INTEGER,
            flags INTEGER NOT NULL, level INTEGER NOT NULL, count INTEGER NOT NULL,
            body INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (owner, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX named ON head (installation, name);
        CREATE TABLE content (id INTEGER PRIMARY KEY, key INTEGER, plain BLOB, sealed BLOB) STRICT;
        -- What a person dismissed or answered.
        CREATE TABLE history (
            owner INTEGER NOT NULL, number INTEGER NOT NULL, installation INTEGER NOT NULL,
            name INTEGER NOT NULL, thread INTEGER, date INTEGER NOT NULL, until INTEGER,
            flags INTEGER NOT NULL, level INTEGER NOT NULL, count INTEGER NOT NULL,
            body INTEGER NOT NULL, bytes INTEGER NOT NULL, closed INTEGER NOT NULL, PRIMARY KEY (owner, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX closed ON history (closed);
        -- Target: the number that was removed; of an app that was removed, its number in the table of apps below 0.
        CREATE TABLE gone (
            owner INTEGER NOT NULL, number INTEGER NOT NULL, target INTEGER NOT NULL, by INTEGER NOT NULL,
            date INTEGER NOT NULL, PRIMARY KEY (owner, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX target ON gone (owner, target);
        CREATE TABLE taken (journal INTEGER, number INTEGER, PRIMARY KEY (journal, number)) STRICT, WITHOUT ROWID;
        """

    private static let requests = """
        CREATE TABLE waiting (
            id INTEGER PRIMARY KEY AUTOINCREMENT, installation INTEGER NOT NULL, body INTEGER NOT NULL,
            stored INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE pending (
            id INTEGER PRIMARY KEY AUTOINCREMENT, installation INTEGER NOT NULL, name INTEGER NOT NULL, due INTEGER,
            clock INTEGER NOT NULL, repeats INTEGER NOT NULL, anchor BLOB NOT NULL, rule BLOB NOT NULL,
            body INTEGER NOT NULL
        ) STRICT;
        -- Not unique: two identifiers may have one hash.
        CREATE INDEX requested ON pending (installation, name);
        CREATE INDEX due ON pending (clock, due) WHERE due IS NOT NULL;
        CREATE TABLE region (
            pending INTEGER PRIMARY KEY, owner INTEGER NOT NULL, box BLOB NOT NULL, state INTEGER NOT NULL
        ) STRICT;
        -- Body: the content of the notification, shared with the history as long as that has it.
        CREATE TABLE response (
            id INTEGER PRIMARY KEY AUTOINCREMENT, installation INTEGER NOT NULL, number INTEGER NOT NULL,
            action TEXT NOT NULL, text TEXT, body INTEGER NOT NULL, state INTEGER NOT NULL, tries INTEGER NOT NULL,
            stored INTEGER NOT NULL, UNIQUE (installation, number)
        ) STRICT;
        CREATE INDEX answered ON response (stored);
        CREATE TABLE silent (installation INTEGER PRIMARY KEY, payload BLOB NOT NULL, stored INTEGER NOT NULL) STRICT;
        CREATE INDEX silenced ON silent (stored);
        """

    private static let credentials = ["session", "token", "code"].map { table in
        """
        CREATE TABLE \(table) (
            hash BLOB PRIMARY KEY, owner INTEGER NOT NULL, scopes TEXT NOT NULL, made INTEGER NOT NULL,
            used INTEGER, ends INTEGER
        ) STRICT, WITHOUT ROWID;

        """
    }.joined()
}
