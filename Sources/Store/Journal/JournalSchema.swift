// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// The tables of the journal, and which version of them a file has.
///
/// Times called journal time are milliseconds of running since the journal was made; the others are wall time, seconds
/// since 1970, and decide nothing but a push's own expiration.
enum JournalSchema {
    /// `user_version` of the file.
    static let version = 3
    /// `application_id` of the file: "Nest".
    static let applicationID = 0x4E65_7374

    static let tables = """
        CREATE TABLE facts (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE topics (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE sinks (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

        -- Accepted and without an outcome. Accepted: journal time; sender: as JSON; owner: null for the only one.
        CREATE TABLE waiting (
            number INTEGER PRIMARY KEY,
            topic INTEGER NOT NULL, token TEXT NOT NULL, bytes INTEGER NOT NULL, accepted INTEGER NOT NULL,
            id TEXT NOT NULL, type TEXT NOT NULL, priority INTEGER NOT NULL, kept INTEGER NOT NULL,
            expiration REAL, collapse TEXT, received REAL NOT NULL, sender TEXT,
            owner TEXT, body BLOB NOT NULL
        ) STRICT;
        -- All that is asked of a push whose body stays where it is.
        CREATE INDEX heads ON waiting (topic, number, token, bytes);

        -- What each push was known by: PushKeys, and its id, as 16 bytes or as text.
        CREATE TABLE seen (number INTEGER PRIMARY KEY, keys BLOB NOT NULL, id ANY NOT NULL) STRICT;
        -- At that minute of journal time all pushes below `number` had their outcome.
        CREATE TABLE marks (minute INTEGER PRIMARY KEY, number INTEGER NOT NULL) STRICT;

        -- Place: sink * 2^40 + number. Due: journal time, of each device's oldest; null behind it.
        CREATE TABLE outbox (
            place INTEGER PRIMARY KEY,
            sink INTEGER NOT NULL, number INTEGER NOT NULL, token TEXT NOT NULL,
            attempts INTEGER NOT NULL, due INTEGER, bytes INTEGER NOT NULL, record BLOB NOT NULL
        ) STRICT;
        CREATE INDEX devices ON outbox (sink, token, number, bytes);
        CREATE INDEX due ON outbox (sink, number, due) WHERE due IS NOT NULL;

        -- Given up. Died: journal time; date: wall time.
        CREATE TABLE dead (
            place INTEGER PRIMARY KEY,
            sink INTEGER NOT NULL, number INTEGER NOT NULL, token TEXT NOT NULL,
            attempts INTEGER NOT NULL, reason TEXT NOT NULL, died INTEGER NOT NULL, date REAL NOT NULL,
            record BLOB NOT NULL
        ) STRICT;
        CREATE INDEX deaths ON dead (died, place, sink);
        """

    /// Returns the row of a record that waits: one sink's records are beside each other, in the order of their pushes.
    static func place(sink: Int64, number: Int64) -> Int64 { sink << 40 | number }

    /// Describes the database that a journal's file must be.
    static func database(at path: String) -> OwnDatabase {
        OwnDatabase(
            path: path,
            applicationID: applicationID,
            formerTables: [],
            isOpenToRoot: true,
            foreign: StoreError(
                .corrupt,
                "\"\(path)\" is a database, but no journal",
                hint: "name another state folder"
            )
        )
    }

    /// Makes the tables in an empty file; finds them in any other.
    static func prepare(_ database: Database, path: String) throws {
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if tables == 0, found == 0 {
            try database.execute(
                sql: "\(Self.tables); PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)"
            )
            return
        }
        guard found <= version else {
            throw StoreError(
                .tooNew,
                "\"\(path)\" has version \(found), and this program knows versions up to \(version)",
                hint: "start the version that wrote it, or name another state folder"
            )
        }
        if found < 2 {
            try database.execute(sql: "ALTER TABLE waiting ADD COLUMN sender TEXT; PRAGMA user_version = 2")
        }
        if found < 3 {
            try database.execute(sql: "ALTER TABLE waiting ADD COLUMN owner TEXT; PRAGMA user_version = 3")
        }
    }
}
