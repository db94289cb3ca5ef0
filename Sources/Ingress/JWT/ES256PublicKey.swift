// SPDX-License-Identifier: Apache-2.0

private import Crypto

/// A public key of ES256: a point of the curve P-256.
///
/// Source: RFC 7518, section 3.4.
package struct ES256PublicKey: Sendable, Equatable {
    package enum PEMError: Error, Equatable {
        /// Whoever has it can send in its owner's name: it is not for a host to keep.
        case privateKey
        case certificate
        /// No PEM, or the key of another algorithm.
        case unusable
    }

    private let key: P256.Signing.PublicKey

    /// Takes an uncompressed point: 65 bytes, the first of them 4.
    ///
    /// Other lengths and points beside the curve give `nil`.
    package init?(point: [UInt8]) {
        guard point.count == 65, let key = try? P256.Signing.PublicKey(x963Representation: point) else { return nil }
        self.key = key
    }

    /// Reads the text of a file in PEM: `-----BEGIN PUBLIC KEY-----`.
    package init(pem: String) throws(PEMError) {
        if pem.contains("PRIVATE KEY-----") { throw .privateKey }
        do {
            key = try P256.Signing.PublicKey(pemRepresentation: pem)
        } catch {
            throw pem.contains("-----BEGIN CERTIFICATE-----") ? .certificate : .unusable
        }
    }

    /// 65 bytes: 4, then both coordinates.
    package var point: [UInt8] { Array(key.x963Representation) }

    /// Tells whether `signature` was made over `text` with this key's private half.
    ///
    /// 64 bytes are r‖s, as the standard has it; other lengths are read as DER, which the tools of some senders make.
    package func verifies(_ signature: [UInt8], of text: [UInt8]) -> Bool {
        let parsed =
            signature.count == 64
            ? try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            : try? P256.Signing.ECDSASignature(derRepresentation: signature)
        guard let parsed else { return false }
        return key.isValidSignature(parsed, for: text)
    }

    package static func == (left: ES256PublicKey, right: ES256PublicKey) -> Bool {
        left.key.rawRepresentation == right.key.rawRepresentation
    }
}
