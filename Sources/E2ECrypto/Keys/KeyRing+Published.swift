// SPDX-License-Identifier: Apache-2.0

/// Keys that are no secret, for vectors and self-tests.
extension KeyRing {
    /// Makes a ring of one known key of 32 bytes; nil for another length and for a full arena.
    package static func published(_ bytes: [UInt8], in arena: SecretArena) -> KeyRing? {
        guard bytes.count == PublicKey.byteCount, let secret = arena.reserve(bytes.count) else { return nil }
        unsafe arena.pointer(to: secret).update(from: bytes, count: bytes.count)
        var ring = KeyRing(in: arena)
        ring.append(secret)
        return ring
    }

    /// Adds the secret of a line as a key file has it.
    package mutating func appendPublished(_ line: String) throws(KeyFileError) {
        let bytes = Array(line.utf8)
        let result = unsafe bytes.withUnsafeBufferPointer { bytes -> KeyFileError? in
            do throws(KeyFileError) {
                try unsafe SecretLine.read(bytes, number: 1, into: &self)
                return nil
            } catch {
                return error
            }
        }
        if let result { throw result }
    }
}
