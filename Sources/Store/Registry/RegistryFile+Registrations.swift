// SPDX-License-Identifier: Apache-2.0

internal import DatabaseFile
internal import GRDB
internal import HostRuntime

internal import struct Foundation.Date

extension RegistryFile {
    /// Returns the active token that an app registered for an owner, or makes `token` it.
    func register(_ token: RegisteredToken, for owner: String) throws(StoreError) -> String {
        try write { database in
            try Self.prune(database, now: token.added)
            let known = try String.fetchOne(
                database,
                sql: """
                    SELECT token FROM registrations JOIN tokens USING (token)
                    WHERE owner = ? AND registrations.topic = ? AND removed IS NULL
                    """,
                arguments: [owner, token.topic]
            )
            if let known { return known }
            try Self.insert(token, into: database)
            try database.execute(
                sql: "INSERT OR REPLACE INTO registrations (owner, topic, token) VALUES (?, ?, ?)",
                arguments: [owner, token.topic, token.token]
            )
            return token.token
        }
    }

    /// Leaves a tombstone in the place of the token that an app registered for an owner; without one does nothing.
    func withdraw(_ topic: String, of owner: String, at now: Date) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE tokens SET removed = ? WHERE removed IS NULL
                    AND token = (SELECT token FROM registrations WHERE owner = ? AND topic = ?)
                    """,
                arguments: [now.milliseconds, owner, topic]
            )
            try database.execute(
                sql: "DELETE FROM registrations WHERE owner = ? AND topic = ?",
                arguments: [owner, topic]
            )
        }
    }
}
