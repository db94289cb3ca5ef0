// SPDX-License-Identifier: Apache-2.0

import HostLog

/// A way to make bytes fewer.
public struct compression_algorithm: RawRepresentable, Hashable, Sendable {
    /// Apple's number.
    public let rawValue: UInt32

    /// An algorithm by its number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// An algorithm by its number.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// DEFLATE without a header, RFC 1951: the one that works here.
public let COMPRESSION_ZLIB = compression_algorithm(0x205)
/// LZFSE, which is not there: calls answer 0.
public let COMPRESSION_LZFSE = compression_algorithm(0x801)
/// LZ4, which is not there: calls answer 0.
public let COMPRESSION_LZ4 = compression_algorithm(0x100)
/// LZ4 without a frame, which is not there: calls answer 0.
public let COMPRESSION_LZ4_RAW = compression_algorithm(0x101)
/// LZMA, which is not there: calls answer 0.
public let COMPRESSION_LZMA = compression_algorithm(0x306)
/// Brotli, which is not there: calls answer 0.
public let COMPRESSION_BROTLI = compression_algorithm(0xB02)

/// Bytes of working memory that the caller has to bring: none.
public func compression_encode_scratch_buffer_size(_ algorithm: compression_algorithm) -> Int { 0 }

/// Bytes of working memory that the caller has to bring: none.
public func compression_decode_scratch_buffer_size(_ algorithm: compression_algorithm) -> Int { 0 }

/// Compresses; the number of bytes written, 0 when they do not fit or the algorithm is not there.
public func compression_encode_buffer(
    _ dst_buffer: UnsafeMutablePointer<UInt8>,
    _ dst_size: Int,
    _ src_buffer: UnsafePointer<UInt8>,
    _ src_size: Int,
    _ scratch_buffer: UnsafeMutableRawPointer?,
    _ algorithm: compression_algorithm
) -> Int {
    guard isThere(algorithm), dst_size > 0, src_size >= 0 else { return 0 }
    let output = Deflater.compress(unsafe Array(UnsafeBufferPointer(start: src_buffer, count: src_size)))
    guard output.count <= dst_size else { return 0 }
    unsafe dst_buffer.update(from: output, count: output.count)
    return output.count
}

/// Decompresses; the number of bytes written, at most `dst_size` with the rest left out, 0 for bytes that are damaged.
public func compression_decode_buffer(
    _ dst_buffer: UnsafeMutablePointer<UInt8>,
    _ dst_size: Int,
    _ src_buffer: UnsafePointer<UInt8>,
    _ src_size: Int,
    _ scratch_buffer: UnsafeMutableRawPointer?,
    _ algorithm: compression_algorithm
) -> Int {
    guard isThere(algorithm), dst_size > 0, src_size >= 0 else { return 0 }
    let input = unsafe Array(UnsafeBufferPointer(start: src_buffer, count: src_size))
    guard let output = Inflater.decompress(input, limit: dst_size) else { return 0 }
    unsafe dst_buffer.update(from: output, count: output.count)
    return output.count
}

private func isThere(_ algorithm: compression_algorithm) -> Bool {
    if algorithm == COMPRESSION_ZLIB { return true }
    HostLog.warnOnce("Compression has zlib alone here: calls with another algorithm answer 0")
    return false
}
