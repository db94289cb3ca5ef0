// SPDX-License-Identifier: Apache-2.0

internal import Crypto
import DatabaseFile
import GRDB
import Locking

/// The keys of a store's installations, each of which lies in its installation's row, sealed under the store key.
///
/// A key is made with the first text of its installation, and goes with the installation: whatever a removed one left
/// in a file opens for nobody. The connections that write and read share what is unsealed.
final class StoreSeal: Sendable {
    /// A question to the connection of whoever asks.
    typealias Statements = (String) throws -> HotStatement

    /// Keys beyond this number are let go of between two transactions.
    private static let keysAtMost = 10_000

    private struct Keys {
        var known: [Int64: SymmetricKey] = [:]
        /// Keys that the open transaction made.
        var new: Set<Int64> = []
    }

    private let secret: SymmetricKey
    private let keys = Locked(Keys())

    init(_ key: StoreKey) {
        secret = key.secret
    }

    // MARK: - The proof

    /// A value that tells this store key from every other one.
    func proof() throws -> [UInt8] { try Seal.proof.seal([], of: 0, under: secret) }

    func proves(_ proof: [UInt8]) -> Bool { Seal.proof.open(proof, of: 0, under: secret) != nil }

    // MARK: - Keys

    /// The key of an installation, which is unsealed if it is not known; `nil` means that it has none, or a damaged
    /// one.
    func key(of installation: Int64, _ sealed: () throws -> [UInt8]?) rethrows -> SymmetricKey? {
        if let known = keys.withLock({ $0.known[installation] }) { return known }
        guard let sealed = try sealed(), let bytes = Seal.key.open(sealed, of: installation, under: secret),
            bytes.count == StoreKey.byteCount
        else { return nil }
        let key = SymmetricKey(data: bytes)
        keys.withLock { $0.known[installation] = key }
        return key
    }

    private func sealedKey(of installation: Int64, _ statement: Statements) throws -> [UInt8]? {
        try statement("SELECT data_key FROM installation WHERE id = ?1").bind(installation)
            .first { $0.isNull(0) ? nil : $0.blob(0) } ?? nil
    }

    /// The key of an installation that has one from now on.
    private func keyToSeal(_ installation: Int64, _ statement: Statements) throws -> SymmetricKey {
        var isSealed = false
        let known = try key(of: installation) {
            let sealed = try sealedKey(of: installation, statement)
            isSealed = sealed != nil
            return sealed
        }
        if let known { return known }
        guard !isSealed else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the key of an app's notifications is malformed")
        }
        let key = SymmetricKey(size: .bits256)
        let bytes = try key.withUnsafeBytes { try Seal.key.seal(Array($0), of: installation, under: secret) }
        try statement("UPDATE installation SET data_key = ?2 WHERE id = ?1").bind(installation, bytes).run()
        keys.withLock { keys in
            keys.known[installation] = key
            keys.new.insert(installation)
        }
        return key
    }

    /// The installation is removed, and its key with it.
    func forget(_ installation: Int64) { keys.withLock { $0.known[installation] = nil } }

    /// The transaction is on the disk.
    func committed() {
        keys.withLock { keys in
            keys.new = []
            if keys.known.count > Self.keysAtMost { keys.known = [:] }
        }
    }

    /// The transaction has not happened: the keys that it made are in no row.
    func rolledBack() {
        keys.withLock { keys in
            for installation in keys.new { keys.known[installation] = nil }
            keys.new = []
        }
    }

    // MARK: - Texts

    /// Seals bytes of an installation, in the transaction that is open.
    func seal(_ bytes: [UInt8], as kind: Seal, of installation: Int64, _ statement: Statements) throws -> [UInt8] {
        try kind.seal(bytes, of: installation, under: try keyToSeal(installation, statement))
    }

    /// Opens bytes of an installation; `nil` means that they or its key are damaged.
    func open(_ sealed: [UInt8], as kind: Seal, of installation: Int64, _ statement: Statements) throws -> [UInt8]? {
        let key = try key(of: installation) { try sealedKey(of: installation, statement) }
        return key.flatMap { kind.open(sealed, of: installation, under: $0) }
    }
}
