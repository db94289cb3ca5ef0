// SPDX-License-Identifier: Apache-2.0

import Crypto

/// A length in bytes, as CommonCrypto counts.
public typealias CC_LONG = UInt32

/// Bytes of a digest of MD5.
public let CC_MD5_DIGEST_LENGTH: Int32 = 16
/// Bytes of a block of MD5.
public let CC_MD5_BLOCK_BYTES: Int32 = 64
/// Bytes of a digest of SHA1.
public let CC_SHA1_DIGEST_LENGTH: Int32 = 20
/// Bytes of a block of SHA1.
public let CC_SHA1_BLOCK_BYTES: Int32 = 64
/// Bytes of a digest of SHA256.
public let CC_SHA256_DIGEST_LENGTH: Int32 = 32
/// Bytes of a block of SHA256.
public let CC_SHA256_BLOCK_BYTES: Int32 = 64
/// Bytes of a digest of SHA384.
public let CC_SHA384_DIGEST_LENGTH: Int32 = 48
/// Bytes of a block of SHA384.
public let CC_SHA384_BLOCK_BYTES: Int32 = 128
/// Bytes of a digest of SHA512.
public let CC_SHA512_DIGEST_LENGTH: Int32 = 64
/// Bytes of a block of SHA512.
public let CC_SHA512_BLOCK_BYTES: Int32 = 128

/// The state of a digest that is made piece by piece.
struct DigestState<Function: HashFunction> {
    private var function = Function()

    mutating func update(_ data: UnsafeRawPointer?, _ count: CC_LONG) {
        unsafe function.update(bufferPointer: UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(count)))
    }

    func write(to digest: UnsafeMutablePointer<UInt8>?) {
        guard let digest else { return }
        for (index, byte) in function.finalize().enumerated() { unsafe digest[index] = byte }
    }

    static func digest(
        _ data: UnsafeRawPointer?,
        _ count: CC_LONG,
        _ digest: UnsafeMutablePointer<UInt8>?
    ) -> UnsafeMutablePointer<UInt8>? {
        var state = DigestState()
        unsafe state.update(data, count)
        unsafe state.write(to: digest)
        return unsafe digest
    }
}

// MARK: MD5

/// A digest of MD5 that is made piece by piece.
public struct CC_MD5_CTX {
    fileprivate var state = DigestState<Insecure.MD5>()

    /// Nothing yet.
    public init() {}
}

/// Makes the digest of the bytes, and gives back where it is.
@discardableResult
public func CC_MD5(
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { unsafe DigestState<Insecure.MD5>.digest(data, len, md) }

/// Begins a digest; 1.
@discardableResult
public func CC_MD5_Init(_ c: UnsafeMutablePointer<CC_MD5_CTX>) -> Int32 {
    unsafe c.initialize(to: CC_MD5_CTX())
    return 1
}

/// Adds bytes to a digest; 1.
@discardableResult
public func CC_MD5_Update(_ c: UnsafeMutablePointer<CC_MD5_CTX>, _ data: UnsafeRawPointer?, _ len: CC_LONG) -> Int32 {
    unsafe c.pointee.state.update(data, len)
    return 1
}

/// Writes the digest; 1.
@discardableResult
public func CC_MD5_Final(_ md: UnsafeMutablePointer<UInt8>?, _ c: UnsafeMutablePointer<CC_MD5_CTX>) -> Int32 {
    unsafe c.pointee.state.write(to: md)
    return 1
}

// MARK: SHA1

/// A digest of SHA1 that is made piece by piece.
public struct CC_SHA1_CTX {
    fileprivate var state = DigestState<Insecure.SHA1>()

    /// Nothing yet.
    public init() {}
}

/// Makes the digest of the bytes, and gives back where it is.
@discardableResult
public func CC_SHA1(
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { unsafe DigestState<Insecure.SHA1>.digest(data, len, md) }

/// Begins a digest; 1.
@discardableResult
public func CC_SHA1_Init(_ c: UnsafeMutablePointer<CC_SHA1_CTX>) -> Int32 {
    unsafe c.initialize(to: CC_SHA1_CTX())
    return 1
}

/// Adds bytes to a digest; 1.
@discardableResult
public func CC_SHA1_Update(_ c: UnsafeMutablePointer<CC_SHA1_CTX>, _ data: UnsafeRawPointer?, _ len: CC_LONG) -> Int32 {
    unsafe c.pointee.state.update(data, len)
    return 1
}

/// Writes the digest; 1.
@discardableResult
public func CC_SHA1_Final(_ md: UnsafeMutablePointer<UInt8>?, _ c: UnsafeMutablePointer<CC_SHA1_CTX>) -> Int32 {
    unsafe c.pointee.state.write(to: md)
    return 1
}

// MARK: SHA256

/// A digest of SHA256 that is made piece by piece.
public struct CC_SHA256_CTX {
    fileprivate var state = DigestState<SHA256>()

    /// Nothing yet.
    public init() {}
}

/// Makes the digest of the bytes, and gives back where it is.
@discardableResult
public func CC_SHA256(
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { unsafe DigestState<SHA256>.digest(data, len, md) }

/// Begins a digest; 1.
@discardableResult
public func CC_SHA256_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>) -> Int32 {
    unsafe c.initialize(to: CC_SHA256_CTX())
    return 1
}

/// Adds bytes to a digest; 1.
@discardableResult
public func CC_SHA256_Update(
    _ c: UnsafeMutablePointer<CC_SHA256_CTX>,
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG
) -> Int32 {
    unsafe c.pointee.state.update(data, len)
    return 1
}

/// Writes the digest; 1.
@discardableResult
public func CC_SHA256_Final(_ md: UnsafeMutablePointer<UInt8>?, _ c: UnsafeMutablePointer<CC_SHA256_CTX>) -> Int32 {
    unsafe c.pointee.state.write(to: md)
    return 1
}

// MARK: SHA384

/// A digest of SHA384 that is made piece by piece.
public struct CC_SHA384_CTX {
    fileprivate var state = DigestState<SHA384>()

    /// Nothing yet.
    public init() {}
}

/// Makes the digest of the bytes, and gives back where it is.
@discardableResult
public func CC_SHA384(
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { unsafe DigestState<SHA384>.digest(data, len, md) }

/// Begins a digest; 1.
@discardableResult
public func CC_SHA384_Init(_ c: UnsafeMutablePointer<CC_SHA384_CTX>) -> Int32 {
    unsafe c.initialize(to: CC_SHA384_CTX())
    return 1
}

/// Adds bytes to a digest; 1.
@discardableResult
public func CC_SHA384_Update(
    _ c: UnsafeMutablePointer<CC_SHA384_CTX>,
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG
) -> Int32 {
    unsafe c.pointee.state.update(data, len)
    return 1
}

/// Writes the digest; 1.
@discardableResult
public func CC_SHA384_Final(_ md: UnsafeMutablePointer<UInt8>?, _ c: UnsafeMutablePointer<CC_SHA384_CTX>) -> Int32 {
    unsafe c.pointee.state.write(to: md)
    return 1
}

// MARK: SHA512

/// A digest of SHA512 that is made piece by piece.
public struct CC_SHA512_CTX {
    fileprivate var state = DigestState<SHA512>()

    /// Nothing yet.
    public init() {}
}

/// Makes the digest of the bytes, and gives back where it is.
@discardableResult
public func CC_SHA512(
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { unsafe DigestState<SHA512>.digest(data, len, md) }

/// Begins a digest; 1.
@discardableResult
public func CC_SHA512_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>) -> Int32 {
    unsafe c.initialize(to: CC_SHA512_CTX())
    return 1
}

/// Adds bytes to a digest; 1.
@discardableResult
public func CC_SHA512_Update(
    _ c: UnsafeMutablePointer<CC_SHA512_CTX>,
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG
) -> Int32 {
    unsafe c.pointee.state.update(data, len)
    return 1
}

/// Writes the digest; 1.
@discardableResult
public func CC_SHA512_Final(_ md: UnsafeMutablePointer<UInt8>?, _ c: UnsafeMutablePointer<CC_SHA512_CTX>) -> Int32 {
    unsafe c.pointee.state.write(to: md)
    return 1
}
