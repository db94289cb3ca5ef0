// SPDX-License-Identifier: Apache-2.0

private import Crypto
internal import HostRuntime

/// Seals records between the hosts of a fleet, so that the database's operator reads none of them.
///
/// A sealed record is a version, 1, the 16 bytes of the run that sealed it, a count of 8 bytes, most significant first,
/// and ChaCha20-Poly1305 with its tag of 16 bytes. The key is HKDF-SHA-256 of the fleet's key with the run's bytes as
/// salt; the nonce is the count; the push's name and the sink are authenticated. A run is random, and new in each
/// process. Which of the fleet's keys has sealed a record it does not say: each of them is tried.
struct FleetSeal {
    private static let version: UInt8 = 1
    private static let headByteCount = 1 + 16 + 8
    private static let info = Array("nestbox outbox".utf8)

    private let keys: FleetKeys
    private let run: [UInt8]
    private let key: SymmetricKey
    private var count: UInt64 = 0

    /// Makes the seal of a process.
    init(_ keys: FleetKeys) {
        self.keys = keys
        run = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        key = Self.key(keys.sealing, run)
    }

    /// Seals a record of a push for a sink.
    mutating func seal(_ record: [UInt8], of push: DeliveryName, for sink: String) -> [UInt8] {
        count += 1
        let count = Self.bytes(count)
        let context = Array("\(push) \(sink)".utf8)
        guard let nonce = try? ChaChaPoly.Nonce(data: [0, 0, 0, 0] + count),
            let box = try? ChaChaPoly.seal(record, using: key, nonce: nonce, authenticating: context)
        else { preconditionFailure("a nonce of twelve bytes is one, and sealing takes any length") }
        return [Self.version] + run + count + box.ciphertext + box.tag
    }

    /// Opens a record; nil: it was not sealed with one of the fleet's keys, for that push and that sink.
    func open(_ sealed: [UInt8], of push: DeliveryName, for sink: String) -> [UInt8]? {
        guard sealed.count >= Self.headByteCount + 16, sealed[0] == Self.version else { return nil }
        let run = Array(sealed[1..<17])
        let text = Array(sealed[Self.headByteCount..<sealed.count - 16])
        guard let nonce = try? ChaChaPoly.Nonce(data: [0, 0, 0, 0] + Array(sealed[17..<25])),
            let box = try? ChaChaPoly.SealedBox(nonce: nonce, ciphertext: text, tag: Array(sealed.suffix(16)))
        else { return nil }
        let context = Array("\(push) \(sink)".utf8)
        for secret in [keys.sealing] + keys.opening {
            let key = run == self.run ? key : Self.key(secret, run)
            if let text = try? ChaChaPoly.open(box, using: key, authenticating: context) { return Array(text) }
        }
        return nil
    }

    private static func key(_ secret: [UInt8], _ run: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            salt: run,
            info: info,
            outputByteCount: 32
        )
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }
}
