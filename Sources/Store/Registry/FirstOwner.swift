// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import HostRuntime

/// The first owner of an app's extension, in the registry's tables: the one who has the app's own folder and keychain.
///
/// A host settles the owner when it first runs the extension, for good: what lies in the folder stays when tokens go,
/// and so does the row.
struct FirstOwner {
    let topic: String

    /// Makes the only owner the first one, or if that owner has nothing of the app whoever has the oldest token.
    func settle(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO extensions (topic, owner) SELECT ?1, coalesce(
                    (SELECT ?2 FROM subscriptions WHERE topic = ?1 AND removed IS NULL),
                    (SELECT owner FROM tokens WHERE topic = ?1 AND removed IS NULL ORDER BY owner <> ?2, added, token),
                    ?2
                ) WHERE true ON CONFLICT DO NOTHING
                """,
            arguments: [topic, OwnedApp.onlyOwner]
        )
    }

    /// Returns the first owners of all extensions, by topic.
    static func all(_ database: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(database, sql: "SELECT topic, owner FROM extensions")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as String) })
    }
}
