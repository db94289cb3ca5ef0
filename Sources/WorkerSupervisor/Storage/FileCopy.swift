// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Copies the bytes of one open file to another; calls block.
enum FileCopy {
    /// The reason for which a copy is not whole.
    enum Fault: Error {
        /// The source has more bytes than are permitted.
        case tooLong
        /// The errno of a read.
        case read(CInt)
        /// The errno of a write.
        case write(CInt)
        /// The time for it is over.
        case outOfTime
    }

    private static let pieceByteCount = 256 << 10

    /// Copies from the position of the source to its end, and returns the number of bytes.
    ///
    /// The source may change meanwhile, and be longer than it was; `isInTime` is asked before each piece.
    static func copy(
        _ source: CInt,
        to target: CInt,
        atMost maximum: Int,
        isInTime: () -> Bool = { true }
    ) throws(Fault) -> Int {
        try copy(to: target, atMost: maximum, isInTime: isInTime) { buffer, _ in
            unsafe Glibc.read(source, &buffer, buffer.count)
        }
    }

    /// The same from the start of the source, whose position stays as it is: others may copy it at the same time.
    static func copyFromStart(
        _ source: CInt,
        to target: CInt,
        atMost maximum: Int,
        isInTime: () -> Bool = { true }
    ) throws(Fault) -> Int {
        try copy(to: target, atMost: maximum, isInTime: isInTime) { buffer, place in
            unsafe pread(source, &buffer, buffer.count, off_t(place))
        }
    }

    /// Copies what `read` puts into the buffer; its second argument is the number of bytes before.
    private static func copy(
        to target: CInt,
        atMost maximum: Int,
        isInTime: () -> Bool,
        _ read: (inout [UInt8], Int) -> Int
    ) throws(Fault) -> Int {
        var buffer = [UInt8](repeating: 0, count: pieceByteCount)
        var total = 0
        while true {
            guard isInTime() else { throw .outOfTime }
            let count = read(&buffer, total)
            if count == 0 { return total }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .read(errno) }
            total += count
            guard total <= maximum else { throw .tooLong }
            try write(buffer[..<count], to: target)
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to target: CInt) throws(Fault) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(target, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .write(errno) }
            rest = rest.dropFirst(count)
        }
    }
}
