// SPDX-License-Identifier: Apache-2.0

package import GRDB
internal import GRDBSQLite

/// A statement that runs for each push: prepared once, its values handed to SQLite where they lie.
///
/// A body goes to SQLite without a copy, and a number without an allocation. Belongs to one connection and to whoever
/// has that connection; `close()` comes before the connection's.
package final class HotStatement {
    private let connection: OpaquePointer
    private let statement: OpaquePointer
    private var isClosed = false

    package init(_ sql: String, on database: Database) throws {
        guard let connection = database.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
        var made: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &made, nil)
        guard code == SQLITE_OK, let made else { throw DatabaseError(connection) }
        self.connection = connection
        statement = made
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        sqlite3_finalize(statement)
    }

    /// The store may not have been closed, or not have opened: the connection outlives the statement only until here.
    deinit {
        close()
    }

    package func bind(_ value: Int64, at index: CInt) {
        sqlite3_bind_int64(statement, index, value)
    }

    package func bind(_ value: Int64?, at index: CInt) {
        if let value { bind(value, at: index) } else { sqlite3_bind_null(statement, index) }
    }

    package func bind(_ value: Double?, at index: CInt) {
        if let value { sqlite3_bind_double(statement, index, value) } else { sqlite3_bind_null(statement, index) }
    }

    /// SQLite copies it.
    package func bind(_ value: String?, at index: CInt) {
        guard var value else {
            sqlite3_bind_null(statement, index)
            return
        }
        value.withUTF8 { text in
            guard let start = text.baseAddress else {
                sqlite3_bind_text(statement, index, "", 0, Self.copied)
                return
            }
            let characters = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
            sqlite3_bind_text(statement, index, characters, CInt(text.count), Self.copied)
        }
    }

    /// SQLite copies it.
    package func bind(_ value: [UInt8], at index: CInt) {
        value.withUnsafeBytes { bind($0, at: index, Self.copied) }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, at index: CInt, _ life: sqlite3_destructor_type?) {
        // An empty one has no address, which would be null.
        if let start = bytes.baseAddress, !bytes.isEmpty {
            sqlite3_bind_blob(statement, index, start, CInt(bytes.count), life)
        } else {
            sqlite3_bind_zeroblob(statement, index, 0)
        }
    }

    /// Runs it to its end, for its effect.
    ///
    /// Returns how many rows it changed.
    @discardableResult
    package func run() throws -> Int {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw DatabaseError(connection) }
        return Int(sqlite3_changes(connection))
    }

    /// The same, with a value that SQLite reads where it is.
    @discardableResult
    package func run(binding value: [UInt8], at index: CInt) throws -> Int {
        try value.withUnsafeBytes { bytes in
            bind(bytes, at: index, nil)
            defer { sqlite3_bind_null(statement, index) }
            return try run()
        }
    }

    /// Hands its first row, if it has one, to `read`.
    package func first<Result>(_ read: (borrowing HotRow) throws -> Result) throws -> Result? {
        let code = sqlite3_step(statement)
        defer { sqlite3_reset(statement) }
        switch code {
        case SQLITE_ROW: return try read(HotRow(statement))
        case SQLITE_DONE: return nil
        default: throw DatabaseError(connection)
        }
    }

    /// Hands all its rows to `read`.
    package func each(_ read: (borrowing HotRow) throws -> Void) throws {
        defer { sqlite3_reset(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try read(HotRow(statement))
            case SQLITE_DONE: return
            default: throw DatabaseError(connection)
            }
        }
    }

    /// `SQLITE_TRANSIENT`, which is a macro with a cast.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

/// The row a statement stands on.
package struct HotRow: ~Copyable {
    private let statement: OpaquePointer

    fileprivate init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    package func integer(_ index: CInt) -> Int64 { sqlite3_column_int64(statement, index) }

    package func double(_ index: CInt) -> Double { sqlite3_column_double(statement, index) }

    package func isNull(_ index: CInt) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

    package func isText(_ index: CInt) -> Bool { sqlite3_column_type(statement, index) == SQLITE_TEXT }

    package func text(_ index: CInt) -> String { bytes(index) { String(decoding: $0, as: UTF8.self) } }

    package func bytes<Result>(_ index: CInt, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_blob(statement, index)
        return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
    }
}

extension DatabaseError {
    /// The error of the connection's last call.
    fileprivate init(_ connection: OpaquePointer) {
        self.init(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection))
        )
    }
}
