// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A JSON Web Token in its compact form, read but not believed: `isSigned(by:)` comes before its claims count.
///
/// Source: RFC 7519; RFC 7515, section 7.1.
package struct SignedToken: Sendable {
    /// Header and claims, decoded, have at most this many bytes each.
    package static let partByteCountLimit = 1024
    /// A signature in DER has at most 72 bytes.
    static let signatureByteCountLimit = 72

    package let header: JSONObject
    package let claims: JSONObject
    private let signedText: [UInt8]
    private let signature: [UInt8]

    /// Reads three parts in base64url, the first two of them JSON objects.
    ///
    /// Any other text gives `nil`, and so does a header whose `alg` is another than ES256 or that says how else the
    /// token is to be read: with `crit`, or with a `b64` other than true. A missing `alg` is none: the algorithm is
    /// never the sender's choice.
    package init?(_ text: some StringProtocol) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            parts[2].count <= Self.signatureByteCountLimit * 4 / 3,
            let signature = Base64.url.decode(parts[2])
        else { return nil }
        if let algorithm = header["alg"], algorithm != .string("ES256") { return nil }
        // RFC 7515, section 4.1.11: what is critical has to be understood, and nothing of that kind is.
        guard header["crit"] == nil else { return nil }
        // RFC 7797, section 7: the claims of a JWT are always in base64url.
        if let isEncoded = header["b64"], isEncoded != .bool(true) { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signedText = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    }

    /// True if the signature is not the 64 bytes of the standard, RFC 7518, section 3.4; it is then read as DER.
    package var hasDERSignature: Bool { signature.count != 64 }

    package func isSigned(by key: ES256PublicKey) -> Bool {
        key.verifies(signature, of: signedText)
    }

    private static func object(_ part: some Collection<UInt8>) -> JSONObject? {
        guard part.count <= (partByteCountLimit * 4 + 2) / 3, let bytes = Base64.url.decode(part) else { return nil }
        return try? JSONObject(parsing: bytes.span)
    }
}
