// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// The rows by which somebody is known as an owner.
extension CenterBooks {
    /// Adds one; over the limit of its kind the owner's oldest go.
    func add(_ credential: Credential) throws -> WorkResult {
        guard let owner = accounts.owner(credential.owner) else { return .refused(.unknownOwner) }
        let table = credential.kind.rawValue
        try tables.statement("INSERT OR REPLACE INTO \(table) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
            .bind(credential.hash, owner.id, credential.grant, credential.made, credential.used, credential.ends).run()
        try tables.statement(
            """
            DELETE FROM \(table) WHERE owner = ?1 AND hash <> ?3 AND hash NOT IN (
                SELECT hash FROM \(table) WHERE owner = ?1 AND hash <> ?3 ORDER BY made DESC, hash LIMIT ?2
            )
            """
        ).bind(owner.id, limits.credentials - 1, credential.hash).run()
        return .done
    }

    /// Takes a code away and adds what it was for; one that is not there, or has ended, adds nothing.
    func exchange(code hash: [UInt8], for credential: Credential, at now: WallTime) throws -> WorkResult {
        let isThere = try tables.statement("SELECT 1 FROM code WHERE hash = ?1 AND (ends IS NULL OR ends > ?2)")
            .bind(hash, now).first { _ in true }
        try tables.statement("DELETE FROM code WHERE hash = ?1").bind(hash).run()
        guard isThere != nil else { return .refused(.noCredential) }
        return try add(credential)
    }

    /// Notes that one was used, and until when it is good from now on; one that has ended stays so.
    func use(_ kind: Credential.Kind, _ hash: [UInt8], until end: WallTime?, at now: WallTime) throws -> WorkResult {
        let changed = try tables.statement(
            "UPDATE \(kind.rawValue) SET used = ?2, ends = ?3 WHERE hash = ?1 AND (ends IS NULL OR ends > ?2)"
        ).bind(hash, now, end).run()
        return changed == 0 ? .refused(.noCredential) : .done
    }

    func remove(_ kind: Credential.Kind, _ hash: [UInt8]) throws -> WorkResult {
        let removed = try tables.statement("DELETE FROM \(kind.rawValue) WHERE hash = ?1").bind(hash).run()
        return removed == 0 ? .refused(.noCredential) : .done
    }
}
