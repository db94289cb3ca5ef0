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
    /// Throws where something is sealed and there is no key, or another one. A store of which nothing sealed is left does
    /// without a key from then on; one that has none yet is that key's from now on.
    func seal(under key: StoreKey?) throws -> StoreSeal? {
        let proof = try Data.fetchOne(database, sql: "SELECT value FROM facts WHERE name = ?", arguments: [Fact.seal])
        // Where the proof is lost, a key of an installation tells as much.
        let (installation, wrapped) = try anyKey() ?? (0, nil)
        guard let key else {
            guard proof != nil || wrapped != nil else { return nil }
            try refuseSealed()
            try database.execute(
                sql: "DELETE FROM facts WHERE name IN (?, ?)",
                arguments: [Fact.seal, Fact.allSealed]
            )
            try database.execute(sql: "UPDATE installation SET data_key = NULL")
            return nil
        }
        let seal = StoreSeal(key)
        if let proof {
            guard seal.proves([UInt8](proof)) else { throw Self.otherKey(path) }
        } else {
            if let wrapped, seal.key(of: installation, { [UInt8](wrapped) }) == nil { throw Self.otherKey(path) }
            try database.execute(
                sql: "INSERT INTO facts VALUES (?, ?)",
                arguments: [Fact.seal, Data(try seal.proof())]
            )
        }
        return seal
    }

    private func anyKey() throws -> (Int64, Data?)? {
        try Row.fetchOne(database, sql: "SELECT id, data_key FROM installation WHERE data_key IS NOT NULL LIMIT 1")
            .map { ($0["id"], $0["data_key"]) }
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
