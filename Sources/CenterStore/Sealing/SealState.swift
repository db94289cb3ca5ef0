// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import Foundation
import GRDB

/// The key that a store is opened with, held against what its tables say of one.
struct SealState {
    private let database: Database
    private let path: String

    init(_ database: Database, path: String) {
        self.database = database
        self.path = path
    }

    /// Returns the seal of a store; `nil` means that it has no key, and seals nothing.
    ///
    /// Throws where something is sealed and there is no key, or another one, and where the key of an app is damaged. A
    /// store of which nothing sealed is left does without a key from then on; one that has none yet is that key's from
    /// now on. A proof that is lost or damaged is made anew where the key of an app shows that the store key is right.
    func seal(under key: StoreKey?) throws -> StoreSeal? {
        let keys = try appKeys()
        let seal = try seal(under: key, keys)
        if let key { try keys.refuseLost(under: key, path: path) }
        return seal
    }

    /// Returns the seal of a store that is repaired, and the topics of apps whose keys are lost.
    func sealToRepair(under key: StoreKey?) throws -> (seal: StoreSeal?, lost: [String]) {
        let keys = try appKeys()
        return (try seal(under: key, keys), key.map { keys.lost(under: $0) } ?? [])
    }

    private func appKeys() throws -> AppKeys {
        try AppKeys { sql throws(any Error) in try String.fetchAll(database, sql: sql) }
    }

    private func seal(under key: StoreKey?, _ keys: AppKeys) throws -> StoreSeal? {
        guard let key else {
            guard keys.isSealed else { return nil }
            try refuseSealed()
            try database.execute(
                sql: "DELETE FROM facts WHERE name IN (?, ?)",
                arguments: [Fact.seal, Fact.allSealed]
            )
            try database.execute(sql: "UPDATE installation SET data_key = NULL")
            return nil
        }
        guard keys.fits(key) else { throw Self.otherKey(path) }
        let seal = StoreSeal(key)
        if !keys.hasProof(of: key) {
            try database.execute(
                sql: "INSERT OR REPLACE INTO facts VALUES (?, ?)",
                arguments: [Fact.seal, Data(try seal.proof())]
            )
        }
        return seal
    }

    /// Queries of which each finds a row where something of its table is sealed.
    static let sealedRows = [
        "content WHERE sealed", "response WHERE sealed_text", "silent WHERE sealed_payload",
    ].map { "SELECT 1 FROM \($0) IS NOT NULL LIMIT 1" }

    private func refuseSealed() throws {
        for query in Self.sealedRows {
            guard try Int.fetchOne(database, sql: query) == nil else { throw Self.noKey(path) }
        }
    }

    static func noKey(_ path: String) -> StoreError {
        StoreError(
            .unusable,
            "\"\(path)\" holds sealed texts, and no store key was named",
            hint: "name the key file under which they were sealed: --store-key FILE"
        )
    }

    static func otherKey(_ path: String) -> StoreError {
        StoreError(
            .unusable,
            "the store key is not the one under which \"\(path)\" was sealed",
            hint: "name the key file of this folder: without it nobody can read what is sealed"
        )
    }
}
