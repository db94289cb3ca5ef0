// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// One transaction of the reading connection, and the questions that more than one reader asks.
struct CenterReading {
    let database: Database
    let statements: HotStatements
    let hash: NameHash
    let stored: StoredBytes

    func statement(_ sql: String) throws -> HotStatement { try statements(sql, on: database) }

    /// The number of an owner in the tables; `nil` means that there is no such owner.
    func id(_ owner: OwnerName) throws -> Int64? {
        try statement("SELECT id FROM owner WHERE name = ?1").bind(owner.text).first { $0.integer(0) }
    }

    /// The number of an installation; `nil` means that there is none.
    func id(_ key: InstallationKey) throws -> Int64? {
        try statement(
            """
            SELECT installation.id FROM installation JOIN owner ON owner.id = owner JOIN app ON app.id = app
            WHERE name = ?1 AND topic = ?2
            """
        ).bind(key.owner.text, key.app).first { $0.integer(0) }
    }

    func owner(_ name: OwnerName) throws -> OwnerRecord? {
        try statement("SELECT \(OwnerRecord.columns) FROM owner WHERE name = ?1").bind(name.text)
            .first { OwnerRecord($0) }
    }

    func installations(
        _ condition: String,
        _ first: Int64,
        _ second: Int64 = 0,
        of owner: OwnerName
    ) throws -> [Installation] {
        var installations: [Installation] = []
        try statement(
            """
            SELECT \(Installation.columns) FROM installation JOIN app ON app.id = app WHERE \(condition)
            """
        ).bind(first, second).each { installations.append(Installation($0, of: owner)) }
        return installations
    }

    /// Returns installations of all owners, in the order of their numbers.
    func installations(after number: Int64, limit: Int) throws -> [Installation] {
        var installations: [Installation] = []
        try statement(
            """
            SELECT \(Installation.columns), name
            FROM installation JOIN app ON app.id = app JOIN owner ON owner.id = owner
            WHERE installation.id > ?1 ORDER BY installation.id LIMIT ?2
            """
        ).bind(number, Int64(limit)).each { row in
            installations.append(Installation(row, of: OwnerName(stored: row.text(Installation.columnCount))))
        }
        return installations
    }

    /// The end of a question for heads whose words follow: a sealed store has them in its contents alone.
    var wordColumns: String {
        stored.seal == nil
            ? " FROM head NOT INDEXED" : ", \(StoredBytes.names) FROM head NOT INDEXED CROSS JOIN content ON id = body"
    }

    /// The words of a head, which begin at `index`, or are in the content whose columns begin at `content`.
    func words(_ row: borrowing HotRow, _ index: CInt, content: CInt) throws -> SummaryWords {
        guard stored.seal != nil else { return SummaryWords(row, from: index) }
        return try self.content(row, content)?.words ?? SummaryWords()
    }

    /// The content whose columns begin at an index; `nil` means that it is damaged.
    func content(_ row: borrowing HotRow, _ index: CInt) throws -> NotificationContent? {
        try stored.content(row, index) { try statement($0) }.flatMap { NotificationContent(stored: $0) }
    }
}

extension OwnerRecord {
    /// The columns that `init` reads.
    static let columns = "name, next, floor, seen, language, zone, focus, summary, changed"

    init(_ row: borrowing HotRow) {
        self.init(
            name: OwnerName(stored: row.text(0)),
            position: row.integer(1) - 1,
            floor: row.integer(2),
            seen: row.integer(3),
            preferences: OwnerPreferences(row, from: 4),
            changed: row.integer(8)
        )
    }
}

extension Installation {
    /// The columns that `init` reads.
    static let columns = """
        installation.id, topic, status, options, settings, badge, token,
        installation.changed, installation.stored, installation.bytes
        """
    static let columnCount: CInt = 10

    init(_ row: borrowing HotRow, of owner: OwnerName) {
        let key = InstallationKey(owner: owner, stored: row.text(1))
        self.init(number: row.integer(0), key: key, values: .init(row, from: 2))
    }

    init(number: Int64, key: InstallationKey, values: InstallationValues) {
        self.init(
            number: number,
            key: key,
            permission: values.permission,
            badge: values.badge,
            changed: values.changed,
            stored: Int(values.stored)
        )
    }
}
