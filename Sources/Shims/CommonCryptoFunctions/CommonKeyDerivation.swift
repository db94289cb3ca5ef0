// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation

/// The number of a function that makes keys of passwords.
public typealias CCPBKDFAlgorithm = UInt32
/// The number of a hash function for it.
public typealias CCPseudoRandomAlgorithm = UInt32

/// PBKDF2, RFC 8018.
public let kCCPBKDF2 = 2
/// HMAC with SHA-1.
public let kCCPRFHmacAlgSHA1 = 1
/// HMAC with SHA-256.
public let kCCPRFHmacAlgSHA256 = 3
/// HMAC with SHA-384.
public let kCCPRFHmacAlgSHA384 = 4
/// HMAC with SHA-512.
public let kCCPRFHmacAlgSHA512 = 5

/// Makes a key of a password; `kCCParamError` for what is out of range.
public func CCKeyDerivationPBKDF(
    _ algorithm: CCPBKDFAlgorithm,
    _ password: UnsafePointer<CChar>?,
    _ passwordLen: Int,
    _ salt: UnsafePointer<UInt8>?,
    _ saltLen: Int,
    _ prf: CCPseudoRandomAlgorithm,
    _ rounds: UInt32,
    _ derivedKey: UnsafeMutablePointer<UInt8>?,
    _ derivedKeyLen: Int
) -> Int32 {
    let functions: [Int: KDF.Insecure.PBKDF2.HashFunction] = [
        kCCPRFHmacAlgSHA1: .insecureSHA1, kCCPRFHmacAlgSHA256: .sha256, kCCPRFHmacAlgSHA384: .sha384,
        kCCPRFHmacAlgSHA512: .sha512,
    ]
    guard algorithm == CCPBKDFAlgorithm(kCCPBKDF2), let function = functions[Int(prf)], rounds > 0, let derivedKey,
        derivedKeyLen > 0, passwordLen == 0 || password != nil, saltLen == 0 || salt != nil,
        let key = unsafe try? KDF.Insecure.PBKDF2.deriveKey(
            from: Data(UnsafeRawBufferPointer(start: password, count: passwordLen)),
            salt: Data(UnsafeRawBufferPointer(start: salt, count: saltLen)),
            using: function,
            outputByteCount: derivedKeyLen,
            unsafeUncheckedRounds: Int(rounds)
        )
    else { return Int32(kCCParamError) }
    unsafe key.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(start: derivedKey, count: derivedKeyLen).copyMemory(from: bytes)
    }
    return Int32(kCCSuccess)
}

/// Fills the bytes with random ones.
public func CCRandomGenerateBytes(_ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
    guard let bytes, count >= 0 else { return Int32(kCCParamError) }
    var generator = SystemRandomNumberGenerator()
    for index in 0..<count {
        unsafe bytes.storeBytes(
            of: UInt8.random(in: .min ... .max, using: &generator),
            toByteOffset: index,
            as: UInt8.self
        )
    }
    return Int32(kCCSuccess)
}
