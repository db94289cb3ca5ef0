// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile
private import GRDBSQLite
private import Glibc

private import struct Foundation.Date

/// Reads a registry without starting a thread, which `RegistryFile` cannot: a host asks while it must not have any.
package enum EarlyRegistry {
    /// Returns the apps in the registry of a state folder, none if it has no registry or is no folder.
    package static func apps(inFolder folder: String) throws(StoreError) -> [RegisteredApp] {
        let path = folder + "/" + RegistryFile.name
        guard access(path, R_OK | W_OK) == 0 else {
            // That it is not there is no error; what is wrong with the folder is said when the host makes use of it.
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw StoreError(registry: path, isUnusable: errno)
        }
        try RegistryFile.database(at: path).judge()
        try RegistryFile.database(at: path).refuseForeign()
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK else {
            throw StoreError(registry: path, sqlite: connection)
        }
        sqlite3_busy_timeout(connection, 5000)
        // A file that has just been made has no tables yet.
        let hasTable = "SELECT 1 FROM sqlite_schema WHERE name = 'apps'"
        guard try !rows(of: hasTable, connection, path, { _ in true }).isEmpty else { return [] }
        return try rows(of: "SELECT topic, yaml, file, added FROM apps ORDER BY topic", connection, path) { row in
            RegisteredApp(
                topic: text(row, 0),
                yaml: text(row, 1),
                file: text(row, 2),
                added: Date(milliseconds: sqlite3_column_int64(row, 3))
            )
        }
    }

    private static func rows<Element>(
        of sql: String,
        _ connection: OpaquePointer?,
        _ path: String,
        _ element: (OpaquePointer?) -> Element
    ) throws(StoreError) -> [Element] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
            throw StoreError(registry: path, sqlite: connection)
        }
        var elements: [Element] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: elements.append(element(statement))
            case SQLITE_DONE: return elements
            case _: throw StoreError(registry: path, sqlite: connection)
            }
        }
    }

    private static func text(_ row: OpaquePointer?, _ column: Int32) -> String {
        sqlite3_column_text(row, column).map { String(cString: $0) } ?? ""
    }
}

extension StoreError {
    /// The error of a connection's last call.
    fileprivate init(registry path: String, sqlite connection: OpaquePointer?) {
        self.init(
            registry: path,
            code: sqlite3_errcode(connection) & 0xFF,
            cause: sqlite3_errmsg(connection).map { String(cString: $0) } ?? "out of memory"
        )
    }
}
