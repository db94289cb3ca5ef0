// SPDX-License-Identifier: Apache-2.0

import Crypto
import Ingress
import NotificationPayload
import Testing

struct Base64URLTests {
    /// Source: RFC 4648, section 10, without the padding.
    static let vectors: [([UInt8], String)] = [
        ([], ""), (Array("f".utf8), "Zg"), (Array("fo".utf8), "Zm8"), (Array("foo".utf8), "Zm9v"),
        (Array("foob".utf8), "Zm9vYg"), (Array("fooba".utf8), "Zm9vYmE"), (Array("foobar".utf8), "Zm9vYmFy"),
        ([0xFB, 0xEF, 0xFF], "--__"),
    ]

    @Test(arguments: vectors) func `bytes and text are each other's`(_ bytes: [UInt8], _ text: String) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.decode(text.utf8) == bytes)
    }

    @Test func `every byte comes back`() {
        for count in 0..<64 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
            #expect(Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes)
        }
    }

    @Test(arguments: ["Z", "Zg==", "Zh", "Zm9", "Zm 8", "+/__", "Zm9v\n", "Zm9vY", "é"])
    func `any other text is none`(_ text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }

    @Test(arguments: [("Zg==", "Zg"), ("Zm8=", "Zm8"), ("++//", "--__"), ("Zm9v", "Zm9v"), ("Zg", "Zg")])
    func `leniently, padding and plain Base64 are the same`(_ text: String, _ strict: String) {
        #expect(Base64URL.decodeLeniently(text.utf8) == Base64URL.decode(strict.utf8))
    }

    @Test(arguments: ["Zg=", "Z===", "Zm9v=", "====", "Z=g="]) func `wrong padding stays wrong`(_ text: String) {
        #expect(Base64URL.decodeLeniently(text.utf8) == nil)
    }
}

struct SignedTokenTests {
    private let key = P256.Signing.PrivateKey()

    private func token(_ header: String, _ claims: String, der: Bool = false) throws -> String {
        let text = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        let signature = try key.signature(for: Array(text.utf8))
        let bytes = der ? Array(signature.derRepresentation) : Array(signature.rawRepresentation)
        return text + "." + Base64URL.encode(bytes)
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
        let header = Base64URL.encode(Array(#"{"kid":"l"}"#.utf8))
        let claims = Base64URL.encode(Array(#"{"iss":"u"}"#.utf8))
        var signature = try #require(Base64URL.decode(parts[2].utf8))
        signature[40] ^= 1
        for text in [
            "\(header).\(parts[1]).\(parts[2])", "\(parts[0]).\(claims).\(parts[2])",
            "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))", "\(parts[0]).\(parts[1]).",
            "\(parts[0]).\(parts[1]).\(Base64URL.encode([UInt8](repeating: 0, count: 64)))",
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
        #expect(SignedToken("e30.e30." + Base64URL.encode([UInt8](repeating: 1, count: 72))) != nil)
        #expect(SignedToken("e30.e30." + Base64URL.encode([UInt8](repeating: 1, count: 73))) == nil)
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
