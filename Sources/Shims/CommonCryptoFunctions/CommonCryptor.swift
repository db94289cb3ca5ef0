// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

/// The result code of a call of CommonCrypto.
public typealias CCCryptorStatus = Int32
/// The operation of a cipher, encryption or decryption.
public typealias CCOperation = UInt32
/// A cipher.
public typealias CCAlgorithm = UInt32
/// Padding and mode.
public typealias CCOptions = UInt32

/// Done.
public let kCCSuccess = 0
/// A parameter is out of its range.
public let kCCParamError = -4300
/// The result does not fit.
public let kCCBufferTooSmall = -4301
/// The bytes do not fill their blocks.
public let kCCAlignmentError = -4303
/// The bytes do not decrypt to what was encrypted.
public let kCCDecodeError = -4304
/// The cipher is not there.
public let kCCUnimplemented = -4305

/// Encrypt.
public let kCCEncrypt = 0
/// Decrypt.
public let kCCDecrypt = 1
/// AES.
public let kCCAlgorithmAES = 0
/// AES, by its older name.
public let kCCAlgorithmAES128 = 0
/// DES, which is not there: calls answer `kCCUnimplemented`.
public let kCCAlgorithmDES = 1
/// Triple DES, which is not there: calls answer `kCCUnimplemented`.
public let kCCAlgorithm3DES = 2
/// Bytes are added up to a whole block, as PKCS #7 says.
public let kCCOptionPKCS7Padding = 1
/// Each block by itself; without it each is chained to the one before.
public let kCCOptionECBMode = 2
/// Bytes of a block of AES.
public let kCCBlockSizeAES128 = 16
/// Bytes of a short key of AES.
public let kCCKeySizeAES128 = 16
/// Bytes of a key of AES.
public let kCCKeySizeAES192 = 24
/// Bytes of a long key of AES.
public let kCCKeySizeAES256 = 32

/// Encrypts or decrypts with AES, in blocks that are chained (CBC) or, with `kCCOptionECBMode`, each by itself.
///
/// Without an initialisation vector the chain begins with zeros, as Apple's does. `dataOutMoved` is how many bytes were
/// written, or, with `kCCBufferTooSmall`, how many there are to write. Nothing here tells whether bytes were tampered
/// with: `AES.GCM` of CryptoKit does.
public func CCCrypt(
    _ op: CCOperation,
    _ alg: CCAlgorithm,
    _ options: CCOptions,
    _ key: UnsafeRawPointer?,
    _ keyLength: Int,
    _ iv: UnsafeRawPointer?,
    _ dataIn: UnsafeRawPointer?,
    _ dataInLength: Int,
    _ dataOut: UnsafeMutableRawPointer?,
    _ dataOutAvailable: Int,
    _ dataOutMoved: UnsafeMutablePointer<Int>?
) -> CCCryptorStatus {
    guard alg == CCAlgorithm(kCCAlgorithmAES) else { return CCCryptorStatus(kCCUnimplemented) }
    guard let key, [16, 24, 32].contains(keyLength), dataInLength >= 0, dataInLength == 0 || dataIn != nil, op <= 1
    else { return CCCryptorStatus(kCCParamError) }
    let cipher = unsafe BlockCipher(
        key: SymmetricKey(data: UnsafeRawBufferPointer(start: key, count: keyLength)),
        vector: options & CCOptions(kCCOptionECBMode) != 0
            ? nil
            : iv.map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: 16)) } ?? [UInt8](repeating: 0, count: 16),
        isPadded: options & CCOptions(kCCOptionPKCS7Padding) != 0
    )
    let input = unsafe Array(UnsafeRawBufferPointer(start: dataIn, count: dataInLength))
    let output: [UInt8]
    do throws(BlockCipher.Failure) {
        output = op == CCOperation(kCCEncrypt) ? try cipher.encrypt(input) : try cipher.decrypt(input)
    } catch {
        return error.status
    }
    unsafe dataOutMoved?.pointee = output.count
    guard output.count <= dataOutAvailable, output.isEmpty || dataOut != nil else {
        return CCCryptorStatus(kCCBufferTooSmall)
    }
    for (index, byte) in output.enumerated() {
        unsafe dataOut?.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
    return CCCryptorStatus(kCCSuccess)
}

/// AES in whole blocks of 16 bytes.
private struct BlockCipher {
    enum Failure: Error {
        case alignment, decode, key

        var status: CCCryptorStatus {
            switch self {
            case .alignment: CCCryptorStatus(kCCAlignmentError)
            case .decode: CCCryptorStatus(kCCDecodeError)
            case .key: CCCryptorStatus(kCCParamError)
            }
        }
    }

    let key: SymmetricKey
    /// The bytes that the first block is chained to; nil when blocks are not chained.
    let vector: [UInt8]?
    let isPadded: Bool

    func encrypt(_ input: [UInt8]) throws(Failure) -> [UInt8] {
        var text = input
        if isPadded {
            let missing = 16 - text.count % 16
            text += [UInt8](repeating: UInt8(missing), count: missing)
        }
        guard text.count % 16 == 0 else { throw .alignment }
        var last = vector
        for start in stride(from: 0, to: text.count, by: 16) {
            if let last { for index in 0..<16 { text[start + index] ^= last[index] } }
            do { try AES.permute(&text[start..<start + 16], key: key) } catch { throw .key }
            if last != nil { last = Array(text[start..<start + 16]) }
        }
        return text
    }

    func decrypt(_ input: [UInt8]) throws(Failure) -> [UInt8] {
        guard input.count % 16 == 0 else { throw .alignment }
        var text = input
        var last = vector
        for start in stride(from: 0, to: text.count, by: 16) {
            do { try AES.inversePermute(&text[start..<start + 16], key: key) } catch { throw .key }
            if let before = last {
                for index in 0..<16 { text[start + index] ^= before[index] }
                last = Array(input[start..<start + 16])
            }
        }
        guard isPadded, !text.isEmpty else { return text }
        let padding = Int(text[text.count - 1])
        guard (1...16).contains(padding), text.suffix(padding).allSatisfy({ Int($0) == padding }) else { throw .decode }
        return Array(text.dropLast(padding))
    }
}
