// SPDX-License-Identifier: Apache-2.0

private import Crypto
private import Foundation

/// The cipher of one file of a sealed store: pieces of 16 KiB, each with a tag of 16 bytes behind it.
///
/// The key is the file's own and lies in the contents that have the file, which are sealed themselves. The nonce of a
/// piece is its number and whether it is the last: pieces cannot change their places, and a file cannot lose its end.
struct FileSeal: Sendable {
    static let pieceByteCount = 16 << 10
    static let sealedByteCount = pieceByteCount + tagByteCount
    private static let tagByteCount = 16

    private let key: SymmetricKey

    init(_ key: FileKey) {
        self.key = SymmetricKey(data: key.bytes)
    }

    func seal(_ piece: ArraySlice<UInt8>, number: Int64, isLast: Bool) throws -> [UInt8] {
        let box = try AES.GCM.seal(piece, using: key, nonce: Self.nonce(number, isLast: isLast))
        return Array(box.ciphertext) + box.tag
    }

    /// Returns the bytes of a piece; `nil` means that they are not those that were sealed as this one.
    func open(_ piece: ArraySlice<UInt8>, number: Int64, isLast: Bool) -> [UInt8]? {
        guard piece.count >= Self.tagByteCount, let nonce = try? Self.nonce(number, isLast: isLast),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce,
                ciphertext: piece.dropLast(Self.tagByteCount),
                tag: piece.suffix(Self.tagByteCount)
            ),
            let bytes = try? AES.GCM.open(box, using: key)
        else { return nil }
        return Array(bytes)
    }

    private static func nonce(_ number: Int64, isLast: Bool) throws -> AES.GCM.Nonce {
        let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) } + [0, 0, 0, isLast ? 1 : 0]
        return try AES.GCM.Nonce(data: bytes)
    }

    /// The bytes that a sealed file of a length has.
    static func byteCount(ofSealed length: Int64) -> Int64 {
        let (pieces, rest) = length.quotientAndRemainder(dividingBy: Int64(sealedByteCount))
        return pieces * Int64(pieceByteCount) + max(0, rest - Int64(tagByteCount))
    }
}

/// The key of one file: 32 random bytes.
package struct FileKey: Sendable, Hashable {
    let bytes: [UInt8]

    /// Takes 32 bytes; `nil` means another number of bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == StoreKey.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A new key.
    init() {
        bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    }
}
