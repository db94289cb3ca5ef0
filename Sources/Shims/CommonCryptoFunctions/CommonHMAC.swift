// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The number of a hash function for `CCHmac`.
public typealias CCHmacAlgorithm = UInt32

/// SHA-1.
public let kCCHmacAlgSHA1 = 0
/// MD5.
public let kCCHmacAlgMD5 = 1
/// SHA-256.
public let kCCHmacAlgSHA256 = 2
/// SHA-384.
public let kCCHmacAlgSHA384 = 3
/// SHA-512.
public let kCCHmacAlgSHA512 = 4

/// Writes the HMAC of the bytes under the key; nothing for a function that is not there.
public func CCHmac(
    _ algorithm: CCHmacAlgorithm,
    _ key: UnsafeRawPointer?,
    _ keyLength: Int,
    _ data: UnsafeRawPointer?,
    _ dataLength: Int,
    _ macOut: UnsafeMutableRawPointer?
) {
    guard let macOut else { return }
    let key = unsafe SymmetricKey(data: UnsafeRawBufferPointer(start: key, count: key == nil ? 0 : keyLength))
    let data = unsafe UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : dataLength)
    func write<Function: HashFunction>(_ function: Function.Type) {
        let code = unsafe HMAC<Function>.authenticationCode(for: data, using: key)
        for (index, byte) in code.enumerated() {
            unsafe macOut.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        }
    }
    switch Int(algorithm) {
    case kCCHmacAlgSHA1: write(Insecure.SHA1.self)
    case kCCHmacAlgMD5: write(Insecure.MD5.self)
    case kCCHmacAlgSHA256: write(SHA256.self)
    case kCCHmacAlgSHA384: write(SHA384.self)
    case kCCHmacAlgSHA512: write(SHA512.self)
    default: break
    }
}
