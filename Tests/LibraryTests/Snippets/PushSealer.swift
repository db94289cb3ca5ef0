// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

/// Seals in the name of one server, to any number of devices.
actor PushSealer {
    private let server: KeyRing
    private let topic: String

    init(keyFile: String, topic: String) throws {
        server = try KeyFile.read(path: keyFile, into: SecretArena())
        self.topic = topic
    }

    /// The body to post for each device; it may be opened for an hour.
    func bodies(of payload: [UInt8], to devices: [PublicKey], now: Int64) throws -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        for device in devices {
            let sealer = try Sealer(to: device, from: server)
            let body = try sealer.sealPush(
                payload.span,
                fallback: "New message",
                context: PushContext(topic: topic),
                issued: now,
                ttl: 3600
            )
            bodies.append(body)
        }
        return bodies
    }
}
