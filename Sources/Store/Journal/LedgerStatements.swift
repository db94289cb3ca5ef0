// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// All that runs for each push or each transaction.
struct LedgerStatements {
    let begin: HotStatement
    let commit: HotStatement
    let rollback: HotStatement
    let dataVersion: HotStatement
    let mark: HotStatement
    let marked: HotStatement
    let aged: HotStatement
    let topic: HotStatement
    let sink: HotStatement

    let store: HotStatement
    let note: HotStatement
    let look: HotStatement
    let size: HotStatement
    let conclude: HotStatement
    let oldest: HotStatement
    let heads: HotStatement
    let reload: HotStatement

    let post: HotStatement
    let posted: HotStatement
    let unpost: HotStatement
    let promote: HotStatement
    let postpone: HotStatement
    let bury: HotStatement

    private let all: [HotStatement]

    init(_ database: Database) throws {
        var all: [HotStatement] = []
        func statement(_ sql: String) throws -> HotStatement {
            let statement = try HotStatement(sql, on: database)
            all.append(statement)
            return statement
        }
        begin = try statement("BEGIN IMMEDIATE")
        commit = try statement("COMMIT")
        rollback = try statement("ROLLBACK")
        dataVersion = try statement("PRAGMA data_version")
        mark = try statement("INSERT OR REPLACE INTO marks VALUES (?1, ?2)")
        marked = try statement("SELECT minute, number FROM marks WHERE minute <= ?1 ORDER BY minute DESC LIMIT 1")
        aged = try statement("SELECT count(*) FROM (SELECT 1 FROM dead WHERE died < ?1 LIMIT ?2)")
        topic = try statement("INSERT INTO topics VALUES (?1, ?2)")
        sink = try statement("INSERT INTO sinks VALUES (?1, ?2)")

        store = try statement(
            """
            INSERT INTO waiting (
                number, topic, token, bytes, accepted, id, type, priority, kept, expiration, collapse, received, sender,
                owner, body
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            """
        )
        note = try statement("INSERT INTO seen VALUES (?1, ?2, ?3)")
        look = try statement("SELECT keys, id FROM seen WHERE number = ?1")
        size = try statement("SELECT bytes FROM waiting WHERE number = ?1")
        conclude = try statement("DELETE FROM waiting WHERE number = ?1")
        oldest = try statement("SELECT number, accepted FROM waiting ORDER BY number LIMIT 1")
        heads = try statement("SELECT number, topic, token, bytes FROM waiting INDEXED BY heads")
        reload = try statement(
            """
            SELECT number, id, token, type, priority, expiration, kept, collapse, received, sender, body, owner
            FROM waiting INDEXED BY heads WHERE topic = ?1 AND number > ?2 ORDER BY number LIMIT ?3
            """
        )

        // The device's oldest is due at once; others have no time of their own.
        post = try statement(
            """
            INSERT INTO outbox VALUES (
                ?1, ?2, ?3, ?4, 0, iif(EXISTS (SELECT 1 FROM outbox WHERE sink = ?2 AND token = ?4), NULL, 0), ?5, ?6
            ) ON CONFLICT DO NOTHING
            """
        )
        posted = try statement("SELECT token, bytes FROM outbox WHERE place = ?1")
        unpost = try statement("DELETE FROM outbox WHERE place = ?1")
        promote = try statement(
            """
            UPDATE outbox SET due = 0 WHERE due IS NULL AND place =
                ?1 << 40 | (SELECT number FROM outbox WHERE sink = ?1 AND token = ?2 ORDER BY number LIMIT 1)
            """
        )
        postpone = try statement(
            "UPDATE outbox SET attempts = attempts + 1, due = iif(due IS NULL, NULL, ?2) WHERE place = ?1"
        )
        bury = try statement(
            """
            INSERT OR REPLACE INTO dead
            SELECT place, sink, number, token, attempts + 1, ?2, ?3, ?4, record FROM outbox WHERE place = ?1
            """
        )
        self.all = all
    }

    func close() {
        for statement in all { statement.close() }
    }
}
