// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

@testable import CenterStore

extension CenterFolder {
    /// The database as another program reads it.
    func rows(of table: String) throws -> Int {
        try DatabaseQueue(path: database).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    /// The database as another program changes it.
    func change(_ sql: String) throws {
        try DatabaseQueue(path: database).writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// Rows of `content` that nothing refers to, and references to rows that are not there.
    func strays() throws -> [String] {
        let attachments = "json_each(CAST(opened(content.plain, content.key, content.sealed) AS TEXT), '$.attachments')"
        let fileBytes = "(SELECT total(json_extract(value, '$.size')) FROM \(attachments))"
        return try DatabaseQueue(path: database).read { database in
            database.add(function: try opened(in: database))
            let used = ["head", "history", "waiting", "pending", "response"].map { "SELECT body FROM \($0)" }
                .joined(separator: " UNION ")
            let unused = "SELECT 'unused ' || id FROM content WHERE id NOT IN (\(used))"
            let missing = "SELECT 'missing ' || body FROM (\(used)) WHERE body NOT IN (SELECT id FROM content)"
            let sums = """
                SELECT 'sums of ' || name FROM owner WHERE
                    stored <> (SELECT count(*) FROM head WHERE owner = owner.id)
                    OR past <> (SELECT count(*) FROM history WHERE owner = owner.id)
                    OR tombstones <> (SELECT count(*) FROM gone WHERE owner = owner.id)
                    OR bytes <> (SELECT total(length(opened(content.plain, content.key, content.sealed)) + \(fileBytes)) FROM content WHERE id IN
                        (SELECT body FROM head WHERE owner = owner.id
                        UNION SELECT body FROM history WHERE owner = owner.id))
                """
            let apps = """
                SELECT 'sums of installation ' || id FROM installation WHERE
                    stored <> (SELECT count(*) FROM head WHERE installation = installation.id)
                    OR bytes <> (SELECT total(bytes) FROM head WHERE installation = installation.id)
                """
            let files = """
                SELECT 'files of no content ' || content FROM file WHERE content NOT IN (SELECT id FROM content)
                UNION ALL SELECT 'file without a row, of content ' || content.id FROM content, \(attachments)
                    WHERE json_extract(value, '$.file') > 0
                        AND json_extract(value, '$.file') NOT IN (SELECT name FROM file WHERE content = content.id)
                """
            let regions = "SELECT 'region ' || pending FROM region WHERE pending NOT IN (SELECT id FROM pending)"
            return try [unused, missing, sums, apps, files, regions].flatMap { try String.fetchAll(database, sql: $0) }
        }
    }

    /// A function of SQL that gives the bytes of a content's columns.
    private func opened(in database: Database) throws -> DatabaseFunction {
        let seal = key.map { StoreSeal($0) }
        let keys = try Row.fetchAll(database, sql: "SELECT id, data_key FROM installation WHERE data_key IS NOT NULL")
        let sealedKeys = Dictionary(uniqueKeysWithValues: keys.map { ($0["id"] as Int64, $0["data_key"] as Data) })
        return DatabaseFunction("opened", argumentCount: 3, pure: true) { values in
            if let plain = Data.fromDatabaseValue(values[0]) { return plain }
            guard let seal, let installation = Int64.fromDatabaseValue(values[1]),
                let sealed = Data.fromDatabaseValue(values[2]),
                let key = seal.key(of: installation, { sealedKeys[installation].map { [UInt8]($0) } })
            else { return nil }
            return Seal.content.open([UInt8](sealed), of: installation, under: key).map { Data($0) }
        }
    }
}
