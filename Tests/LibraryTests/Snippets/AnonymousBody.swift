// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

/// A push that replaces the one before it, from nobody in particular.
func anonymousBody(_ payload: [UInt8], to device: PublicKey, replacing id: String, now: Int64) throws -> [UInt8] {
    try Sealer(to: device, in: SecretArena()).sealPush(
        payload.span,
        context: PushContext(topic: "com.example.chat", collapseID: id),
        issued: now,
        padding: .maximum
    )
}
