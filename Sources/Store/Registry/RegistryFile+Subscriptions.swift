// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile
package import Foundation
internal import GRDB
private import HostRuntime

extension RegistryFile {
    /// Makes a subscription active, which is the only owner's.
    package func add(_ subscription: RegisteredSubscription) throws(StoreError) {
        try write { database in
            try Self.prune(database, now: subscription.added)
            try database.execute(
                sql: "INSERT INTO subscriptions (token, topic, sender_key, added) VALUES (?, ?, ?, ?)",
                arguments: [
                    subscription.token, subscription.subscription.topic,
                    subscription.subscription.senderKey.map { Data($0) }, subscription.added.milliseconds,
                ]
            )
        }
    }

    /// Leaves a tombstone in the place of an active subscription, named by its capability's SHA-256 in hex.
    ///
    /// Returns false if there is none that is active.
    package func removeSubscription(_ token: String, at now: Date) throws(StoreError) -> Bool {
        try write { database in
            try Self.prune(database, now: now)
            try database.execute(
                sql: "UPDATE subscriptions SET removed = ? WHERE token = ? AND removed IS NULL",
                arguments: [now.milliseconds, token]
            )
            return database.changesCount > 0
        }
    }

    /// All subscriptions, or those of one app, the oldest first; removed ones as long as they are remembered.
    package func subscriptions(of topic: String? = nil, now: Date) throws(StoreError) -> [RegisteredSubscription] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT token, topic, sender_key, added, removed FROM subscriptions
                    WHERE (?1 IS NULL OR topic = ?1) AND (removed IS NULL OR removed > ?2) ORDER BY added, token
                    """,
                arguments: [topic, Self.forgottenUpTo(now)]
            ).map(RegisteredSubscription.init)
        }
    }

    /// Returns one subscription, also a removed one as long as it is remembered.
    func subscription(_ token: String, now: Date) throws(StoreError) -> RegisteredSubscription? {
        try read { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT token, topic, sender_key, added, removed FROM subscriptions
                        WHERE token = ? AND (removed IS NULL OR removed > ?)
                        """
                ),
                arguments: [token, Self.forgottenUpTo(now)]
            )
            return row.map(RegisteredSubscription.init)
        }
    }
}

extension RegisteredSubscription {
    /// Columns as they stand in the table.
    init(_ row: Row) {
        self.init(
            token: row[0],
            subscription: WebPushSubscription(topic: row[1], senderKey: (row[2] as Data?).map { [UInt8]($0) }),
            added: Date(milliseconds: row[3]),
            removed: (row[4] as Int64?).map { Date(milliseconds: $0) }
        )
    }
}
