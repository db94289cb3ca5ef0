// SPDX-License-Identifier: Apache-2.0

internal import DatabaseFile
internal import GRDB
private import HostRuntime

internal import struct Foundation.Date

extension RegistryFile {
    /// Brings the registry in line with what a host runs from now on.
    ///
    /// Tokens of the configuration are active. Tombstones take the place of tokens that stood there when a host last
    /// started and do no more, and of everything that belongs to an app that is neither run nor registered. Returns how
    /// many. Every app with an extension has a first owner then.
    func host(_ apps: [HostedTokens], at now: Date) throws(StoreError) -> Int {
        try write { database in
            try Self.prune(database, now: now)
            let known = try Self.activeTokens(database)
            var configured: Set<String> = []
            for app in apps {
                for token in app.tokens where configured.insert(token).inserted {
                    let row = known[token]
                    let isAsConfigured =
                        row?.topic == app.registration.topic && row?.environment == app.registration.environment
                        && row?.owner == app.registration.owner
                    guard row == nil || !isAsConfigured else { continue }
                    try Self.insert(
                        RegisteredToken(
                            token: token,
                            topic: app.registration.topic,
                            environment: app.registration.environment,
                            origin: .configured,
                            added: now
                        ),
                        into: database
                    )
                }
            }
            var count = 0
            for token in known.values where token.origin == .configured && !configured.contains(token.token) {
                try database.execute(
                    sql: "UPDATE tokens SET removed = ? WHERE token = ?",
                    arguments: [now.milliseconds, token.token]
                )
                count += 1
            }
            for topic in try Self.ownerlessTopics(database).subtracting(apps.map(\.registration.topic)) {
                count += try Self.bury(["topic": topic, "now": now.milliseconds], where: "topic = :topic", database)
            }
            for app in apps where app.hasExtension {
                try FirstOwner(topic: app.registration.topic).settle(database)
            }
            return count
        }
    }

    private static func activeTokens(_ database: Database) throws -> [String: RegisteredToken] {
        try RegisteredToken.fetch(
            database,
            sql: "SELECT token, topic, environment, origin, added, removed, owner FROM tokens WHERE removed IS NULL",
            []
        ).reduce(into: [:]) { $0[$1.token] = $1 }
    }

    /// Returns the topics of active tokens and subscriptions that have no app in the registry.
    private static func ownerlessTopics(_ database: Database) throws -> Set<String> {
        Set(
            try String.fetchAll(
                database,
                sql: """
                    SELECT topic FROM (
                        SELECT topic FROM tokens WHERE removed IS NULL
                        UNION SELECT topic FROM subscriptions WHERE removed IS NULL
                    ) EXCEPT SELECT topic FROM apps
                    """
            )
        )
    }
}
