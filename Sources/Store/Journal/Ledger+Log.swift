// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

extension Ledger {
    /// Has each commit say how long the log is now.
    func watchLog(_ database: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        // The connection is closed before this object goes.
        sqlite3_wal_hook(
            database.sqliteConnection,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<Ledger>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages)
                return SQLITE_OK
            },
            context
        )
    }

    var logByteCount: Int { logPages * (pageByteCount + 24) }

    /// Copies the log into the database, as far as no reader stands in it; the next commit begins it anew.
    func checkpoint(_ database: Database) throws {
        guard logPages > 0 else { return }
        var length: CInt = 0
        var copied: CInt = 0
        let clock = ContinuousClock()
        let start = clock.now
        let code = sqlite3_wal_checkpoint_v2(
            database.sqliteConnection,
            nil,
            SQLITE_CHECKPOINT_PASSIVE,
            &length,
            &copied
        )
        guard code == SQLITE_OK || code == SQLITE_BUSY else {
            hasFailed = true
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        logPages = Int(length - copied)
        counts.statistics.checkpoints += 1
        counts.statistics.checkpointTime += clock.now - start
    }
}
