// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

extension Ledger {
    var logByteCount: Int { log.byteCount }

    /// Copies the log into the database, as far as no reader stands in it; the next commit begins it anew.
    func checkpoint(_ database: Database) throws {
        guard !log.isEmpty else { return }
        let clock = ContinuousClock()
        let start = clock.now
        do {
            try log.copy(database)
        } catch {
            hasFailed = true
            throw error
        }
        counts.statistics.checkpoints += 1
        counts.statistics.checkpointTime += clock.now - start
    }
}
