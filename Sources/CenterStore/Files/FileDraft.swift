// SPDX-License-Identifier: Apache-2.0

private import Glibc

/// An open file of the shelf, which closes with its last reference.
package final class FileDraft: Sendable {
    package let id: Int64
    let descriptor: CInt

    init(id: Int64, descriptor: CInt) {
        self.id = id
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The length in bytes; 0 where the file cannot be asked.
    package var byteCount: Int64 {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    /// Writes bytes behind those that were written before; blocks.
    package func append(_ bytes: some Sequence<UInt8>) throws(FileShelf.Refusal) {
        let bytes = Array(bytes)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            }
            guard count > 0 || errno == EINTR else { throw .disk(errno) }
            written += max(0, count)
        }
    }

    /// Reads bytes from an offset on, `limit` at most: none at the end, and `nil` when the disk fails.
    ///
    /// Blocks.
    package func read(from offset: Int64, atMost limit: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        while true {
            let count = pread(descriptor, &buffer, limit, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            return Array(buffer[..<count])
        }
    }
}
