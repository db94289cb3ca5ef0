// SPDX-License-Identifier: Apache-2.0

import CSodium
import NotificationPayload

/// An X25519 public key: 32 bytes, written `nse1…`.
///
/// Source: FORMAT.md, "Keys".
public struct PublicKey: Hashable, Sendable {
    static let byteCount = 32
    static let prefix = "nse"

    /// 32 bytes.
    public let bytes: [UInt8]
    /// The id by which envelopes name the key.
    public let id: KeyID

    /// Throws `wrongByteCount` unless there are 32 bytes.
    public init(bytes: [UInt8]) throws(KeyTextError) {
        guard bytes.count == Self.byteCount else { throw .wrongByteCount(got: bytes.count) }
        self.init(unchecked: bytes)
    }

    package init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
        id = KeyID(reading: sha256(Array("nse-key-id-v1\0".utf8) + bytes).span, at: 0)
    }

    /// The public half of 32 secret bytes.
    init(ofSecret secret: UnsafePointer<UInt8>) {
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        _ = unsafe crypto_scalarmult_base(&bytes, secret)
        self.init(unchecked: bytes)
    }

    /// Six groups of five digits for two people to compare, read aloud in ten seconds.
    public var fingerprint: String {
        let digest = sha256(Array("nse-fingerprint-v1\0".utf8) + bytes)
        return (0..<6).map { group in
            let number = digest[5 * group..<5 * group + 5].reduce(0) { $0 << 8 | UInt64($1) } % 100_000
            let digits = String(number)
            return String(repeating: "0", count: 5 - digits.count) + digits
        }.joined(separator: " ")
    }
}

extension PublicKey: CustomStringConvertible {
    /// The key as `nse1…`.
    public var description: String {
        Bech32.encode(bytes, prefix: Self.prefix)
    }
}

extension PublicKey {
    /// Reads `nse1…`; 64 hexadecimal digits; or 32 bytes in base64, either alphabet, padded or not.
    ///
    /// White space around the key is ignored. Throws `secretKey` for the other half.
    public init(parsing text: String) throws(KeyTextError) {
        let characters = text.utf8.trimmingWhiteSpace
        guard !characters.isEmpty else { throw .empty }
        let lowercased = characters.map { $0 | ((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? 0x20 : 0) }
        if lowercased.starts(with: "nse-secret-key-1".utf8) { throw .secretKey }
        if lowercased.starts(with: "nse-psk-1".utf8) { throw .pairedSecret }
        if lowercased.starts(with: "nse1".utf8) {
            self = try PublicKey(bytes: Bech32.decode(characters, prefix: Self.prefix))
        } else if let bytes = Self.hexadecimal(characters) {
            self.init(unchecked: bytes)
        } else {
            self = try PublicKey(bytes: Self.base64(characters))
        }
    }

    private static func hexadecimal(_ characters: [UInt8]) -> [UInt8]? {
        characters.count == 2 * byteCount ? Hexadecimal.decode(characters) : nil
    }

    private static func base64(_ characters: [UInt8]) throws(KeyTextError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: characters.count)
        do {
            let byteCount = try unsafe Base64.ofSealedBox.decode(characters.span, into: &bytes)
            return Array(bytes.prefix(byteCount))
        } catch {
            throw .unexpectedCharacter(offset: error.offset)
        }
    }
}

extension String.UTF8View {
    fileprivate var trimmingWhiteSpace: [UInt8] {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return Array(Array(drop(while: isSpace)).reversed().drop(while: isSpace).reversed())
    }
}
