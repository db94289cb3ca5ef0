// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

func sealedBody(_ payload: String, from keyFile: String, to device: String, now: Int64) throws -> [UInt8] {
    let server = try KeyFile.read(path: keyFile, into: SecretArena())
    let sealer = try Sealer(to: PublicKey(parsing: device), from: server)
    return try sealer.sealPush(payload.utf8.span, context: PushContext(topic: "com.example.chat"), issued: now)
}
