// SPDX-License-Identifier: Apache-2.0

internal import DatabaseFile
internal import GRDB
internal import HostRuntime

/// The owner of an app's extension, in the registry's tables: the first one who had a token of the app, for good.
///
/// The data of the extension are its app's, whoever its pushes are for. They stay when the tokens go, and so does the
/// row.
struct ExtensionOwner {
    let topic: String

    /// Makes the extension an owner's, unless it is another's; returns whose it is.
    func take(for owner: String, _ database: Database) throws -> String {
        // Tokens may be older than the extension.
        let owners = try owners(database)
        if let other = owners.first(where: { $0 != owner }) { return other }
        try database.execute(
            sql: "INSERT INTO extensions (topic, owner) VALUES (?, ?) ON CONFLICT DO NOTHING",
            arguments: [topic, owner]
        )
        return owner
    }

    /// Makes the extension the owner's of the tokens that there are; throws when they are of several.
    func settle(_ database: Database, _ path: String) throws {
        let owners = try owners(database)
        guard owners.count < 2 else { throw StoreError(owners: owners, ofExtensionOf: topic, path) }
        if let owner = owners.first { _ = try take(for: owner, database) }
    }

    /// The owner of the extension, and those of what may be sent to now; a subscription is the only owner's.
    private func owners(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT owner FROM extensions WHERE topic = ?1
                UNION SELECT owner FROM tokens WHERE topic = ?1 AND removed IS NULL
                UNION SELECT ?2 FROM subscriptions WHERE topic = ?1 AND removed IS NULL ORDER BY 1
                """,
            arguments: [topic, OwnedApp.onlyOwner]
        )
    }

    /// Returns the owners of all extensions, by topic.
    static func all(_ database: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(database, sql: "SELECT topic, owner FROM extensions")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as String) })
    }
}

extension StoreError {
    /// An app whose extension would get the pushes of several owners.
    init(owners: [String], ofExtensionOf topic: String, _ path: String) {
        let names = owners.map { "\"\($0)\"" }.joined(separator: " and ")
        self.init(
            .unusable,
            "\"\(topic)\" has an extension, which keeps data, and would serve the owners \(names)",
            hint:
                "an extension has one owner for good: run another host, with a state folder of its own, for the others"
        )
    }
}
