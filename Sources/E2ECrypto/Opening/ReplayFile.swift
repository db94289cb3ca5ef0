// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The operations of a journal on each of its two files; each is one system call, which is never repeated.
package protocol ReplayFile {
    /// Appends what the file holds from `offset` on, at most `count` bytes; none at its end.
    func read(_ count: Int, at offset: Int, to bytes: inout [UInt8]) throws(ReplayFileError)
    /// Writes a part of `bytes`, at least one, and returns how many.
    func write(_ bytes: Span<UInt8>, at offset: Int) throws(ReplayFileError) -> Int
    func truncate(to byteCount: Int) throws(ReplayFileError)
    /// Returns when all that was written is on the disk.
    func sync() throws(ReplayFileError)
}

/// The errno of a call.
package struct ReplayFileError: Error, Equatable {
    package let code: CInt

    package init(code: CInt) {
        self.code = code
    }
}

/// An open file, which stays its owner's to close.
package struct DescriptorFile: ReplayFile {
    private let descriptor: CInt

    package init(_ descriptor: CInt) {
        self.descriptor = descriptor
    }

    package func read(_ count: Int, at offset: Int, to bytes: inout [UInt8]) throws(ReplayFileError) {
        var code: CInt = 0
        let part = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let got = unsafe pread(descriptor, buffer.baseAddress, count, off_t(offset))
            if got < 0 { code = errno }
            initialized = max(0, got)
        }
        guard code == 0 else { throw ReplayFileError(code: code) }
        bytes += part
    }

    package func write(_ bytes: Span<UInt8>, at offset: Int) throws(ReplayFileError) -> Int {
        let written = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        }
        guard written > 0 else { throw ReplayFileError(code: written < 0 ? errno : EIO) }
        return written
    }

    package func truncate(to byteCount: Int) throws(ReplayFileError) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw ReplayFileError(code: errno) }
    }

    package func sync() throws(ReplayFileError) {
        guard fdatasync(descriptor) == 0 else { throw ReplayFileError(code: errno) }
    }
}
