// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile

/// A look at the database of a centre, which changes nothing and says what a start would meet.
package struct CenterInspection {
    /// The state of texts and files on the disk, as far as a key or its absence lets a centre start.
    package enum Seal: Sendable, Equatable {
        /// Texts lie open, and no key was named.
        case open
        /// Texts are sealed, and the key opens them.
        case sealed
        /// Texts lie open, and a start with the key seals them.
        case sealedByStart
    }

    /// The version of the tables; a start brings an older one to `newest`.
    package let version: Int
    package static var newest: Int { CenterSchema.version }

    private let path: String
    private let database: OwnDatabase

    /// Looks into a folder; `nil` means that there is no database yet.
    ///
    /// Throws what a start would throw: it is open to others, another program's, of a later version, or cannot be read.
    package init?(folder: String) throws(StoreError) {
        path = "\(folder)/\(CenterStore.name)"
        database = CenterSchema.database(at: path)
        guard database.isThere else { return nil }
        try CenterRepair.refuseInterrupted(path)
        try database.judge()
        try database.refuseForeign()
        guard let version = try Self.first("PRAGMA user_version", of: database).flatMap({ Int($0) }) else {
            throw StoreError(.corrupt, "\"\(path)\" says no version of its tables")
        }
        try CenterSchema.refuse(version: version, path: path)
        self.version = version
    }

    /// Holds a key, or its absence, against what is sealed; throws what a start would throw.
    package func seal(under key: StoreKey?) throws(StoreError) -> Seal {
        // A file without tables.
        guard version > 0 else { return key == nil ? .open : .sealedByStart }
        let keys = try AppKeys { sql throws(StoreError) in try database.look(sql) }
        guard keys.isSealed else { return key == nil ? .open : .sealedByStart }
        guard let key else {
            for query in SealState.sealedRows where try Self.first(query, of: database) != nil {
                throw SealState.noKey(path)
            }
            return .open
        }
        guard keys.fits(key) else { throw SealState.otherKey(path) }
        try keys.refuseLost(under: key, path: path)
        return .sealed
    }

    /// Returns the first text that a query finds.
    private static func first(_ sql: String, of database: OwnDatabase) throws(StoreError) -> String? {
        try database.look(sql).first
    }
}
