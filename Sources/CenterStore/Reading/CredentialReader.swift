// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile

/// The credentials of a store: sessions, tokens and codes.
package struct CredentialReader {
    private let store: CenterStore

    package init(_ store: CenterStore) {
        self.store = store
    }

    /// Returns the credential of a hash that is good at an instant; `nil` means that there is none.
    package func one(
        _ kind: Credential.Kind,
        _ hash: [UInt8],
        at now: WallTime
    ) throws(DatabaseFailure) -> Credential? {
        try store.read { reading in
            try reading.statement(
                """
                SELECT hash, name, scopes, made, used, ends FROM \(kind.rawValue) JOIN owner ON owner.id = owner
                WHERE hash = ?1 AND (ends IS NULL OR ends > ?2)
                """
            ).bind(hash, now).first { Credential(kind, $0) }
        }
    }

    /// Returns the credentials of an owner that are good at an instant, the newest first.
    package func all(
        _ kind: Credential.Kind,
        of owner: OwnerName,
        at now: WallTime
    ) throws(DatabaseFailure) -> [Credential] {
        try store.read { reading in
            guard let id = try reading.id(owner) else { return [] }
            var found: [Credential] = []
            try reading.statement(
                """
                SELECT hash, name, scopes, made, used, ends FROM \(kind.rawValue) JOIN owner ON owner.id = owner
                WHERE owner = ?1 AND (ends IS NULL OR ends > ?2) ORDER BY made DESC, hash
                """
            ).bind(id, now).each { found.append(Credential(kind, $0)) }
            return found
        }
    }
}

extension Credential {
    fileprivate init(_ kind: Kind, _ row: borrowing HotRow) {
        self.init(
            kind,
            hash: row.blob(0),
            owner: OwnerName(stored: row.text(1)),
            grant: row.text(2),
            made: row.integer(3),
            ends: row.optionalInteger(5)
        )
        used = row.optionalInteger(4)
    }
}
