// SPDX-License-Identifier: Apache-2.0

package import GRDB
private import GRDBSQLite

/// The write-ahead log of a connection that writes: its length, and the ways to copy it into the database.
///
/// The connection is closed before this object goes, because SQLite tells it the length after each commit.
package final class WriteAheadLog {
    /// Pages of the log that are not in the database yet.
    private var pages = 0
    private let pageByteCount: Int

    package init(of database: Database) throws {
        pageByteCount = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            database.sqliteConnection,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
                return SQLITE_OK
            },
            context
        )
    }

    package var isEmpty: Bool { pages == 0 }
    package var byteCount: Int { pages * (pageByteCount + 24) }

    /// Copies the log into the database, as far as no reader stands in it; the next commit begins it anew.
    package func copy(_ database: Database) throws {
        var length: CInt = 0
        var copied: CInt = 0
        let code = sqlite3_wal_checkpoint_v2(
            database.sqliteConnection,
            nil,
            SQLITE_CHECKPOINT_PASSIVE,
            &length,
            &copied
        )
        guard code == SQLITE_OK || code == SQLITE_BUSY else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        pages = Int(length - copied)
    }

    /// Copies all of the log into the database and cuts its file to nothing.
    ///
    /// Returns false, and has copied what it could, if a reader stands in the log.
    @discardableResult
    package func empty(_ database: Database) throws -> Bool {
        let code = sqlite3_wal_checkpoint_v2(database.sqliteConnection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK || code == SQLITE_BUSY else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        guard code == SQLITE_OK else { return false }
        pages = 0
        return true
    }
}
