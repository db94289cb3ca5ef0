// SPDX-License-Identifier: Apache-2.0

private import Crypto
private import HostRuntime
private import Ingress
private import NotificationPayload

private import struct Foundation.Data
private import struct Foundation.Date

/// The properties that hold for every `authorization` header, whoever wrote it, checked on one header.
///
/// A fuzzer cannot sign, so the check does: bytes that begin with `s` are header and claims of a token, a line each,
/// signed with a key that is known; `d` the same with a signature in DER. Other bytes are the header's text as it is.
public struct ProviderTokenCheck: Sendable {
    /// The outcome of one input.
    public enum Result: Sendable, Equatable {
        case taken
        case refused
        /// A promise did not hold: a bug.
        case broken
    }

    private static let now = Date(timeIntervalSince1970: 1_763_693_000)
    private let privateKey: P256.Signing.PrivateKey
    private let authentication: SenderAuthentication

    /// Makes the key; nil only where P-256 does not work.
    public init?() {
        let scalar = [UInt8](repeating: 7, count: 32)
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: scalar),
            let publicKey = ES256PublicKey(point: Array(key.publicKey.x963Representation))
        else { return nil }
        privateKey = key
        authentication = SenderAuthentication(keys: [.init(id: "K", team: "T", publicKey: publicKey)])
    }

    /// A token is taken only as it was signed, the same way each time, and for as long as it is current.
    public func callAsFunction(_ bytes: [UInt8]) -> Result {
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        switch bytes.first {
        case UInt8(ascii: "s"): return check(signed(text, inDER: false))
        case UInt8(ascii: "d"): return check(signed(text, inDER: true))
        default: return check(String(decoding: bytes, as: UTF8.self))
        }
    }

    private func check(_ header: String) -> Result {
        var session = ProviderSession(
            authentication: authentication,
            environment: .development,
            conformance: .lenient
        )
        let isTaken = takes(header, &session)
        guard takes(header, &session) == isTaken else { return .broken }
        guard isTaken else { return .refused }
        guard let bearer = ProviderToken.bearer(header), let token = SignedToken(bearer),
            token.header["alg"] == nil || token.header["alg"]?.string == "ES256",
            token.header["kid"]?.string == "K", token.claims["iss"]?.string == "T", isSigned(bearer),
            !isTakenOtherwise(bearer)
        else { return .broken }
        return .taken
    }

    /// The signature holds by readers that are not ours, over all that stands before it.
    private func isSigned(_ token: Substring) -> Bool {
        guard let end = token.lastIndex(of: ".") else { return false }
        let base64 = token[token.index(after: end)...].replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: base64 + padding) else { return false }
        let forms = [
            try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            try? P256.Signing.ECDSASignature(derRepresentation: bytes),
        ]
        return forms.compactMap(\.self).contains {
            privateKey.publicKey.isValidSignature($0, for: Data(token[..<end].utf8))
        }
    }

    /// One letter of what is signed is another.
    private func isTakenOtherwise(_ token: Substring) -> Bool {
        let letters = Array(token.utf8)
        let end = letters.lastIndex(of: UInt8(ascii: ".")) ?? 0
        for index in [0, end / 2, end - 1] where letters.indices.contains(index) && letters[index] != UInt8(ascii: ".")
        {
            var other = letters
            other[index] = letters[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            if ProviderToken(String(decoding: other, as: UTF8.self), authentication: authentication) != nil {
                return true
            }
        }
        return false
    }

    private func takes(_ header: String, _ session: inout ProviderSession) -> Bool {
        var request = ProviderRequest(method: "POST", path: "/3/device/00")
        request.add("authorization", header)
        return (try? session.authority(request, now: Self.now)) != nil
    }

    private func signed(_ text: String, inDER: Bool) -> String {
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let claims = parts.count == 2 ? parts[1] : ""
        let token = Base64.url.encode(Array(parts[0].utf8)) + "." + Base64.url.encode(Array(claims.utf8))
        guard let signature = try? privateKey.signature(for: Array(token.utf8)) else { return "" }
        let bytes = inDER ? Array(signature.derRepresentation) : Array(signature.rawRepresentation)
        return "bearer \(token).\(Base64.url.encode(bytes))"
    }
}
