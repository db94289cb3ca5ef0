// SPDX-License-Identifier: Apache-2.0

import Crypto
import Ingress
import NotificationPayload
import Testing

struct SignedTokenTests {
    private let key = P256.Signing.PrivateKey()

    private func token(_ header: String, _ claims: String, der: Bool = false) throws -> String {
        let text = Base64.url.encode(Array(header.utf8)) + "." + Base64.url.encode(Array(claims.utf8))
        let signature = try key.signature(for: Array(text.utf8))
        let bytes = der ? Array(signature.derRepresentation) : Array(signature.rawRepresentation)
        return text + "." + Base64.url.encode(bytes)
    }

    private func publicKey() throws -> ES256PublicKey {
        try #require(ES256PublicKey(point: Array(key.publicKey.x963Representation)))
    }

    @Test(arguments: [false, true]) func `a signature is taken as two numbers and as DER`(_ der: Bool) throws {
        let token = try #require(SignedToken(try token(#"{"alg":"ES256","kid":"k"}"#, #"{"iss":"t"}"#, der: der)))
        #expect(token.header["kid"] == .string("k"))
        #expect(token.claims["iss"] == .string("t"))
        #expect(token.isSigned(by: try publicKey()))
        let other = P256.Signing.PrivateKey().publicKey
        #expect(!token.isSigned(by: try #require(ES256PublicKey(point: Array(other.x963Representation)))))
    }

    @Test func `one changed byte of header, claims or signature is not signed`() throws {
        let parts = try token(#"{"kid":"k"}"#, #"{"iss":"t"}"#).split(separator: ".")
        let header = Base64.url.encode(Array(#"{"kid":"l"}"#.utf8))
        let claims = Base64.url.encode(Array(#"{"iss":"u"}"#.utf8))
        var signature = try #require(Base64.url.decode(parts[2].utf8))
        signature[40] ^= 1
        for text in [
            "\(header).\(parts[1]).\(parts[2])", "\(parts[0]).\(claims).\(parts[2])",
            "\(parts[0]).\(parts[1]).\(Base64.url.encode(signature))", "\(parts[0]).\(parts[1]).",
            "\(parts[0]).\(parts[1]).\(Base64.url.encode([UInt8](repeating: 0, count: 64)))",
        ] {
            let token = try #require(SignedToken(text))
            #expect(!token.isSigned(by: try publicKey()))
        }
    }

    @Test func `a header without alg is read, one with another alg is not`() throws {
        #expect(SignedToken(try token(#"{"kid":"k"}"#, "{}")) != nil)
        for algorithm in [#""none""#, #""HS256""#, #""es256""#, "null", "1"] {
            #expect(SignedToken(try token(#"{"alg":\#(algorithm)}"#, "{}")) == nil)
        }
    }

    /// Source: RFC 7515, section 4.1.11; RFC 7797, section 7.
    @Test(arguments: [
        #"{"alg":"ES256","crit":["exp"],"exp":1}"#, #"{"alg":"ES256","crit":["b64"],"b64":true}"#,
        #"{"alg":"ES256","crit":[]}"#, #"{"alg":"ES256","crit":null}"#, #"{"crit":["kid"],"kid":"k"}"#,
        #"{"alg":"ES256","b64":false}"#, #"{"alg":"ES256","b64":"true"}"#,
        // Which of two members counts is nobody's to guess.
        #"{"alg":"ES256","alg":"none"}"#, #"{"kid":"k","kid":"l"}"#,
    ])
    func `a token that says how else it is to be read is none`(_ header: String) throws {
        #expect(SignedToken(try token(header, "{}")) == nil)
    }

    @Test(arguments: [
        #"{"alg":"ES256","typ":"JWT"}"#, #"{"alg":"ES256","typ":"at+jwt","cty":"x"}"#, #"{"alg":"ES256","b64":true}"#,
        #"{"alg":"ES256","jku":"https://example.com","jwk":{},"x5u":"x"}"#,
    ])
    func `other members of a header are passed over`(_ header: String) throws {
        #expect(SignedToken(try token(header, "{}")) != nil)
    }

    @Test(arguments: [
        "", ".", "..", "e30.e30", "e30.e30.e30.e30", "e30..", "W10.e30.", "e30=.e30.", "e30.e30.!", "a.b.c",
    ])
    func `anything else is no token`(_ text: String) {
        #expect(SignedToken(text) == nil)
    }

    @Test func `parts have their limits`() throws {
        func padded(_ byteCount: Int) -> String { #"{"a":"\#(String(repeating: "a", count: byteCount - 8))"}"# }
        #expect(SignedToken(try token(padded(1024), padded(1024))) != nil)
        #expect(SignedToken(try token(padded(1025), "{}")) == nil)
        #expect(SignedToken(try token("{}", padded(1025))) == nil)
        #expect(SignedToken("e30.e30." + Base64.url.encode([UInt8](repeating: 1, count: 72))) != nil)
        #expect(SignedToken("e30.e30." + Base64.url.encode([UInt8](repeating: 1, count: 73))) == nil)
    }

    @Test func `a key comes as a point or as PEM, and never as a private one`() throws {
        let point = Array(key.publicKey.x963Representation)
        let fromPoint = try #require(ES256PublicKey(point: point))
        #expect(try ES256PublicKey(pem: key.publicKey.pemRepresentation) == fromPoint)
        #expect(fromPoint.point == point)
        #expect(ES256PublicKey(point: Array(point.dropLast())) == nil)
        #expect(ES256PublicKey(point: [4] + [UInt8](repeating: 1, count: 64)) == nil)
        #expect(throws: ES256PublicKey.PEMError.privateKey) { try ES256PublicKey(pem: key.pemRepresentation) }
        #expect(throws: ES256PublicKey.PEMError.unusable) { try ES256PublicKey(pem: "hello") }
        #expect(throws: ES256PublicKey.PEMError.unusable) {
            try ES256PublicKey(pem: P384.Signing.PrivateKey().publicKey.pemRepresentation)
        }
    }
}
