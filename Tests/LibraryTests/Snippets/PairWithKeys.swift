// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

/// At the sender, once: the key is no secret, and its fingerprint is read to whoever installs the recipient.
func makeSenderKey(at keyFile: String, now: Int64) throws -> (key: String, fingerprint: String) {
    let ring = try KeyRing.generate(in: SecretArena())
    try KeyFile.create(path: keyFile, ring: ring, created: now)
    return ("\(ring.publicKeys[0])", ring.publicKeys[0].fingerprint)
}

/// At the recipient: from now on it opens this sender's payloads, and nothing anonymous.
func policy(for sender: String, fingerprint: String) throws -> OpenPolicy? {
    let key = try PublicKey(parsing: sender)
    guard key.fingerprint == fingerprint else { return nil }
    return OpenPolicy(senders: [.init(publicKey: key, name: "chat server")], requiresSender: true)
}
