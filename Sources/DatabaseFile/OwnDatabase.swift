// SPDX-License-Identifier: Apache-2.0

package import GRDB
private import GRDBSQLite
private import Glibc

/// A database file of this program's, and what is asked of it before SQLite may write to it.
///
/// SQLite follows a link that has a database's name, and writes into whatever database it finds there. So the files are
/// judged by their names first, and a database of another program is told by a look that leaves it as it is.
package struct OwnDatabase: Sendable {
    package let path: String
    /// `application_id` of the file.
    package let applicationID: Int
    /// The tables of a file that was made before its kind had an application's id; empty where every file has one.
    package let formerTables: Set<String>
    /// Root may use another user's: SQLite gives what it makes beside a database to the database's owner.
    package let isOpenToRoot: Bool
    /// The error that is thrown for another program's database.
    package let foreign: StoreError

    package init(
        path: String,
        applicationID: Int,
        formerTables: Set<String> = [],
        isOpenToRoot: Bool = false,
        foreign: StoreError
    ) {
        self.path = path
        self.applicationID = applicationID
        self.formerTables = formerTables
        self.isOpenToRoot = isOpenToRoot
        self.foreign = foreign
    }

    /// Refuses what is no plain file of this user's alone: the database, its log, the log's index, a journal.
    ///
    /// A missing file is no error.
    package func judge() throws(StoreError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try Self.judge(path + suffix, kind: S_IFREG, allowing: 0, isOptional: true, isOpenToRoot: isOpenToRoot)
        }
    }

    /// Refuses what is there by the name and is not of the kind, another user's, or open to others beyond `passage`.
    package static func judge(
        _ path: String,
        kind: UInt32,
        allowing passage: UInt32,
        isOptional: Bool = false,
        isOpenToRoot: Bool = false
    ) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if isOptional, errno == ENOENT { return }
            throw StoreError(.unusable, "\"\(path)\" is not usable: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == kind else {
            throw StoreError(
                .unusable,
                "\"\(path)\" is not what it should be: \(kind == S_IFDIR ? "a folder" : "a file")"
            )
        }
        guard status.st_uid == geteuid() || isOpenToRoot && geteuid() == 0 else {
            throw StoreError(
                .unusable,
                "\"\(path)\" belongs to another user",
                hint: "run this as the user of the host, whose it is"
            )
        }
        guard status.st_mode & (S_IRWXG | S_IRWXO) & ~passage == 0 else {
            throw StoreError(.unusable, "\"\(path)\" is open to other users", hint: "chmod go= \(path)")
        }
    }

    /// True if there is a file of the database's name.
    package var isThere: Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Refuses a database of another program, and changes not a byte of it: not its log either.
    ///
    /// SQLite is first told that nobody changes the file, so that it takes no lock and rolls nothing back; then it
    /// reads what a log holds beside it. A file that cannot be read that way is judged when it is opened for good,
    /// which says what is wrong with it.
    package func refuseForeign() throws(StoreError) {
        try refuseForeign(asking: "immutable=1")
        if hasLog { try refuseForeign(asking: "mode=ro") }
    }

    /// Returns the first column of what a query finds, and changes nothing of the file and of its log.
    ///
    /// Throws when SQLite says anything but rows.
    package func look(_ sql: String) throws(StoreError) -> [String] {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard open(&connection, asking: hasLog ? "mode=ro" : "immutable=1"), let texts = Self.texts(of: sql, connection)
        else {
            let reason = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "no memory"
            throw StoreError(.corrupt, "\"\(path)\" cannot be read: \(reason)")
        }
        return texts
    }

    /// True if something lies in the log beside the database.
    private var hasLog: Bool {
        var status = stat()
        return lstat(path + "-wal", &status) == 0 && status.st_size > 0
    }

    private func open(_ connection: inout OpaquePointer?, asking how: String) -> Bool {
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        return sqlite3_open_v2("file:\(Self.escaped(path))?\(how)", &connection, flags, nil) == SQLITE_OK
    }

    private func refuseForeign(asking how: String) throws(StoreError) {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard open(&connection, asking: how),
            let application = Self.texts(of: "PRAGMA application_id", connection)?.first.flatMap({ Int($0) }),
            let version = Self.texts(of: "PRAGMA user_version", connection)?.first.flatMap({ Int($0) }),
            let names = Self.texts(of: Self.names, connection)
        else { return }
        guard isOwn(application: application, version: version, names: names) else { throw foreign }
    }

    /// The same question, of a connection that sees what is in the log too; before anything is written through it.
    package func refuseForeign(_ database: Database) throws {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let names = try String.fetchAll(database, sql: Self.names)
        guard isOwn(application: application, version: version, names: names) else { throw foreign }
    }

    private static let names = "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'"

    private func isOwn(application: Int, version: Int, names: [String]) -> Bool {
        if application == applicationID { return true }
        guard application == 0 else { return false }
        return names.isEmpty ? version == 0 : Set(names) == formerTables
    }

    /// Returns the rows' first column; `nil` when SQLite says anything but rows.
    private static func texts(of sql: String, _ connection: OpaquePointer?) -> [String]? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
        var texts: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
            case SQLITE_DONE: return texts
            case _: return nil
            }
        }
    }

    /// A path in a URI: every byte but letters, digits and a few others as its number.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                String(UnicodeScalar(byte))
            default:
                "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }
        }.joined()
    }
}
