// SPDX-License-Identifier: Apache-2.0

/// The numbers of a sealed attachment: what stands where, and how long everything is.
///
/// Source: FORMAT.md, "Attachments".
package enum AttachmentLayout {
    /// "NSEA", version 1, chunks of 2^16 bytes, two zero bytes; the additional data of the first chunk.
    package static let preamble: [UInt8] = Array("NSEA".utf8) + [0x01, 0x10, 0x00, 0x00]
    package static let headerByteCount = 24
    package static let prefixByteCount = preamble.count + headerByteCount
    /// Plaintext of every chunk but the last, which has what is left.
    package static let chunkByteCount = 1 << 16
    /// The bytes that sealing adds to a chunk: an encrypted tag byte and 16 bytes of authentication.
    package static let chunkOverhead = 17
    package static let keyByteCount = 32
    package static let digestByteCount = 32

    /// The length by Padmé: `byteCount` with its low bits rounded up, so that at most 12 % are added and only some
    /// log log bits of the length show.
    ///
    /// Source: Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and Communication with PURBs", 2019,
    /// Algorithm 1.
    package static func paddedByteCount(of byteCount: Int) -> Int {
        guard byteCount > 1 else { return byteCount }
        let exponent = logarithm(byteCount)
        let bits = logarithm(exponent) + 1
        let mask = 1 << (exponent - bits) - 1
        return (byteCount + mask) & ~mask
    }

    /// The whole sealed file of a plaintext of `byteCount` bytes.
    static func sealedByteCount(of byteCount: Int) -> Int {
        let padded = paddedByteCount(of: byteCount)
        let chunks = max(1, (padded + chunkByteCount - 1) / chunkByteCount)
        return prefixByteCount + padded + chunks * chunkOverhead
    }

    /// Rounded down; `number` is positive.
    private static func logarithm(_ number: Int) -> Int {
        Int.bitWidth - 1 - number.leadingZeroBitCount
    }
}
