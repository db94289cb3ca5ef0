// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

/// Reads keys as commands name them, and says what is wrong with them.
enum Keys {
    static func arena() throws(Failure) -> SecretArena {
        do { return try SecretArena() } catch { throw Failure(error) }
    }

    static func publicKey(_ text: String, _ role: String) throws(Failure) -> PublicKey {
        do { return try PublicKey(parsing: text) } catch { throw Failure(error, role) }
    }

    static func publicKeys(inFile path: String, in arena: SecretArena) throws(Failure) -> [PublicKey] {
        do {
            return try KeyFile.readPublicKeys(path: path, in: arena)
        } catch {
            throw Failure(error, "recipient key", path)
        }
    }

    static func ring(inFile path: String, _ role: String, in arena: SecretArena) throws(Failure) -> KeyRing {
        do { return try KeyFile.read(path: path, into: arena) } catch { throw Failure(error, role, path) }
    }
}
