// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile

/// The list of an owner, its apps and what it preferred, all of one moment.
package struct Front: Sendable, Equatable {
    package let owner: OwnerRecord
    /// The elements stand in the order of their numbers.
    package let installations: [Installation]
    /// The newest first.
    package let heads: [Head]
}

extension CenterStore {
    /// Returns the first picture of an owner; `nil` means that there is no such owner.
    ///
    /// `limit` is the greatest number of heads: the newest.
    package func front(of name: OwnerName, limit: Int = .max) throws(DatabaseFailure) -> Front? {
        try read { reading in
            guard let owner = try reading.owner(name), let id = try reading.id(name) else { return nil }
            var heads: [Head] = []
            try reading.statement("SELECT \(Head.columns) FROM head WHERE owner = ?1 ORDER BY number DESC LIMIT ?2")
                .bind(id, limit).each { heads.append(Head($0)) }
            let installations = try reading.installations("owner = ?1 ORDER BY installation.id", id, of: name)
            return Front(owner: owner, installations: installations, heads: heads)
        }
    }

    /// Runs `body` with one transaction for an owner; `nil` means that there is no such owner.
    ///
    /// Others who read wait meanwhile, and `body` may not ask the store itself.
    package func look<Result>(
        at name: OwnerName,
        _ body: (borrowing OwnerReading) throws -> Result
    ) throws(DatabaseFailure) -> Result? {
        try read { reading in
            guard let owner = try reading.owner(name), let id = try reading.id(name) else { return nil }
            return try body(OwnerReading(reading, owner, id: id))
        }
    }

    package func owners() throws(DatabaseFailure) -> [OwnerRecord] {
        try read { reading in
            var owners: [OwnerRecord] = []
            try reading.statement("SELECT \(OwnerRecord.columns) FROM owner ORDER BY name").each {
                owners.append(.init($0))
            }
            return owners
        }
    }

    /// Returns an owner; `nil` means that there is none of that name.
    package func owner(_ name: OwnerName) throws(DatabaseFailure) -> OwnerRecord? {
        try read { try $0.owner(name) }
    }

    /// Returns an installation; `nil` means that the owner does not have the app.
    package func installation(_ key: InstallationKey) throws(DatabaseFailure) -> Installation? {
        try read { reading in
            guard let id = try reading.id(key) else { return nil }
            return try reading.installations("installation.id = ?1", id, of: key.owner).first
        }
    }

    /// Returns the installations of an owner, in the order of their numbers; none of an unknown owner.
    package func installations(of owner: OwnerName) throws(DatabaseFailure) -> [Installation] {
        try read { reading in
            guard let id = try reading.id(owner) else { return [] }
            return try reading.installations("owner = ?1 ORDER BY installation.id", id, of: owner)
        }
    }

    /// Returns installations of all owners in the order of their numbers, from the one after `number`.
    package func installations(after number: Int64, limit: Int) throws(DatabaseFailure) -> [Installation] {
        try read { try $0.installations(after: number, limit: limit) }
    }

    /// Returns the topics of an owner's apps, by the numbers of their installations.
    package func topics(of owner: OwnerName) throws(DatabaseFailure) -> [Int64: String] {
        let installations = try installations(of: owner)
        return Dictionary(installations.map { ($0.number, $0.key.app) }) { first, _ in first }
    }

    /// Returns the apps of an owner of which notifications in the list have all of these flags.
    package func topics(of owner: OwnerName, having flags: HeadFlags) throws(DatabaseFailure) -> [String] {
        try read { reading in
            guard let id = try reading.id(owner) else { return [] }
            var topics: [String] = []
            try reading.statement(
                """
                SELECT topic FROM installation JOIN app ON app.id = app WHERE installation.id IN
                    (SELECT installation FROM head NOT INDEXED WHERE owner = ?1 AND flags & ?2 = ?2)
                ORDER BY installation.id
                """
            ).bind(id, flags.rawValue).each { topics.append($0.text(0)) }
            return topics
        }
    }

    /// Returns the categories of an app as they were set; `nil` means that it never set any.
    package func categories(of key: InstallationKey) throws(DatabaseFailure) -> [UInt8]? {
        try read { reading in
            guard let id = try reading.id(key) else { return nil }
            return try reading.statement("SELECT value FROM categories WHERE installation = ?1").bind(id)
                .first { $0.blob(0) }
        }
    }

    /// Returns the apps that were removed and whose registrations no host has ended yet.
    package func withdrawals() throws(DatabaseFailure) -> [InstallationKey] {
        try read { reading in
            var keys: [InstallationKey] = []
            // The character behind the point, so that the names are those that begin with all before it.
            try reading.statement("SELECT name FROM facts WHERE name >= ?1 AND name < 'withdraw/' ORDER BY name")
                .bind(Fact.withdrawal).each { row in
                    let parts = row.text(0).dropFirst(Fact.withdrawal.count).split(separator: "/", maxSplits: 1)
                    guard parts.count == 2, let owner = OwnerName(String(parts[0])) else { return }
                    InstallationKey(owner: owner, app: String(parts[1])).map { keys.append($0) }
                }
            return keys
        }
    }

    /// True if the app was removed and no host has ended its registration yet.
    package func owesWithdrawal(of key: InstallationKey) throws(DatabaseFailure) -> Bool {
        try read { reading in
            try reading.statement("SELECT 1 FROM facts WHERE name = ?1").bind(Fact.withdrawal(of: key))
                .first { _ in true } ?? false
        }
    }

    /// Returns a fact that the centre set; `nil` means that it never set it.
    package func fact(_ name: String) throws(DatabaseFailure) -> [UInt8]? {
        try read { reading in
            try reading.statement("SELECT value FROM facts WHERE name = ?1").bind(Fact.others(name)).first {
                $0.blob(0)
            }
        }
    }
}
