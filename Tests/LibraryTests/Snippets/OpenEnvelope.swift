// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

enum EnvelopeError: Error { case malformed, otherKey, unknownSender, contextMissing, notOpened, notNow }

typealias RecipientKey = Curve25519.KeyAgreement.PrivateKey
typealias SenderKey = Curve25519.KeyAgreement.PublicKey

/// Opens a v1 envelope; `psks` holds the secret of each known sender by its id, `now` is in Unix milliseconds.
func openEnvelope(
    _ text: String,
    key: RecipientKey,
    psks: [Data: SymmetricKey] = [:],
    topic: String,
    collapseID: String? = nil,
    requestID: String? = nil,
    now: Int64
) throws(EnvelopeError) -> (content: Data, isText: Bool, sender: Data?) {
    guard text.utf8.count <= 8192, text.hasPrefix("v1."), let envelope = strictBase64URL(text.dropFirst(3)),
        envelope.count >= 72, envelope[0] == 1, envelope[1] & ~7 == 0
    else { throw .malformed }
    let (hasSender, hasCollapseID, hasRequestID) = (envelope[1] & 1 != 0, envelope[1] & 2 != 0, envelope[1] & 4 != 0)
    let header = hasSender ? 18 : 10
    guard envelope.count >= header + 62 else { throw .malformed }
    guard Data(envelope[2..<10]) == keyID(key.publicKey) else { throw .otherKey }
    let sender = hasSender ? Data(envelope[10..<18]) : nil
    let psk = sender.flatMap { psks[$0] }
    guard !hasSender || psk != nil else { throw .unknownSender }

    // HPKE's info binds the envelope to its push: header, topic, and what the flags say.
    var info = Data("nse-envelope-v1\0".utf8) + envelope[..<header]
    for (part, isBound) in [(topic, true), (collapseID, hasCollapseID), (requestID, hasRequestID)] where isBound {
        guard let bytes = part?.utf8, (1...255).contains(bytes.count) else { throw .contextMissing }
        info += [UInt8(bytes.count)] + Data(bytes)
    }
    let (enc, ciphertext) = (Data(envelope[header..<header + 32]), Data(envelope[(header + 32)...]))
    let suite = HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .chaChaPoly)
    let inner: [UInt8]
    do {
        var recipient =
            if let psk, let sender {
                try HPKE.Recipient(
                    privateKey: key,
                    ciphersuite: suite,
                    info: info,
                    encapsulatedKey: enc,
                    presharedKey: psk,
                    presharedKeyIdentifier: sender
                )
            } else {
                try HPKE.Recipient(privateKey: key, ciphersuite: suite, info: info, encapsulatedKey: enc)
            }
        inner = try [UInt8](recipient.open(ciphertext))
    } catch {
        throw .notOpened
    }

    // type u8 ‖ 0 ‖ issued u48 ms ‖ ttl u32 s ‖ n u16 ‖ content[n] ‖ zeros
    func number(_ range: Range<Int>) -> Int64 { inner[range].reduce(0) { $0 << 8 | Int64($1) } }
    let end = 14 + Int(number(12..<14))
    guard (1...2).contains(inner[0]), inner[1] == 0, end <= inner.count, inner[end...].allSatisfy({ $0 == 0 }) else {
        throw .notOpened
    }
    let (issued, month, ttl) = (number(2..<8), Int64(30 * 86_400_000), number(8..<12) * 1000)
    guard issued <= now + 300_000, now <= issued + (ttl == 0 ? month : min(ttl, month)) else { throw .notNow }
    return (Data(inner[14..<end]), inner[0] == 2, sender)
}

/// Derives the secret that a sender's key pair and the recipient's have in common, and its id; once for each sender.
func psk(of sender: SenderKey, with key: RecipientKey) throws -> (id: Data, secret: SymmetricKey) {
    let info = Data("nse-sender-psk-v1\0".utf8) + sender.rawRepresentation + key.publicKey.rawRepresentation
    let secret = try key.sharedSecretFromKeyAgreement(with: sender)
        .hkdfDerivedSymmetricKey(using: SHA256.self, salt: Data(), sharedInfo: info, outputByteCount: 32)
    return (keyID(sender), secret)
}

func keyID(_ key: SenderKey) -> Data {
    Data(SHA256.hash(data: Data("nse-key-id-v1\0".utf8) + key.rawRepresentation).prefix(8))
}

/// One text for each byte string: what Foundation reads, and would write again.
func strictBase64URL(_ text: Substring) -> [UInt8]? {
    guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
    let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padded = standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: padded), data.base64EncodedString() == padded else { return nil }
    return [UInt8](data)
}
