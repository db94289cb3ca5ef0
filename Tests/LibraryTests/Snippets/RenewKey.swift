// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

/// Once a month; the key that it returns goes to the senders once an opener has it.
func renewKey(in keyFile: String, now: Int64) throws -> PublicKey {
    let arena = try SecretArena()
    let deleted = try KeyFile.prune(path: keyFile, now: now, in: arena)
    if !deleted.isEmpty { print("deleted", deleted) }
    return try KeyFile.rotate(path: keyFile, now: now, in: arena)
}
