// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

/// On either side, once; the file is then copied to the other one by a way that nobody else can read.
func makePairedSecret(at file: String, now: Int64) throws {
    try KeyFile.create(path: file, ring: KeyRing.generatePairedSecret(in: SecretArena()), created: now)
}

/// At the sender.
func pairedSealer(to recipient: PublicKey, secret file: String) throws -> Sealer {
    try Sealer(to: recipient, from: KeyFile.read(path: file, into: SecretArena()))
}

/// At the recipient: its own keys and the secret in one ring, of one arena.
func pairedOpener(keyFile: String, secret file: String) throws -> Opener {
    let arena = try SecretArena()
    var ring = try KeyFile.read(path: keyFile, into: arena)
    ring.append(try KeyFile.read(path: file, into: arena))
    return try Opener(keys: ring, policy: OpenPolicy(requiresSender: true))
}
