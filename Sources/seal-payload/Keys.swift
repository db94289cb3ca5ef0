// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

/// Reads keys as commands name them, and says what is wrong with them.
enum Keys {
    static func arena() throws(Failure) -> SecretArena {
        do { return try SecretArena() } catch { throw Failure(error) }
    }

    /// A secret given as an argument is in the process list already; it must not get into a log as well.
    static func refuseKey(inPlaceOf role: String, _ path: String) throws(Failure) {
        let beginnings = ["nse-secret-key-1", "nse-psk-1"] + SealFormat.allCases.map { "\($0):" }
        guard beginnings.contains(where: path.lowercased().hasPrefix) else { return }
        throw .refused(
            "\(role): that is a secret, not a file",
            hint: "others may have seen it; make a new one with \"seal-payload keygen -o FILE\" and name the file"
        )
    }

    static func publicKey(_ text: String, _ role: String) throws(Failure) -> PublicKey {
        do { return try PublicKey(parsing: text) } catch { throw Failure(error, role) }
    }

    static func publicKeys(inFile path: String, in arena: SecretArena) throws(Failure) -> [PublicKey] {
        try refuseKey(inPlaceOf: "recipient key", path)
        do {
            return try KeyFile.readPublicKeys(path: path, in: arena)
        } catch {
            throw Failure(error, "recipient key", path)
        }
    }

    static func ring(inFile path: String, _ role: String, in arena: SecretArena) throws(Failure) -> KeyRing {
        try refuseKey(inPlaceOf: role, path)
        do { return try KeyFile.read(path: path, into: arena) } catch { throw Failure(error, role, path) }
    }
}
