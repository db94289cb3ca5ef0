// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A source of bytes, such as a file or a pipe.
package protocol ByteSource: ~Copyable {
    /// Fills `buffer` as far as the bytes last; fewer than it holds means that they have ended.
    mutating func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(AttachmentError) -> Int
}

/// A destination of bytes, such as a file or a pipe.
package protocol ByteSink: ~Copyable {
    mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(AttachmentError)
}

/// An open file, pipe or socket, from its position on; it stays open.
struct DescriptorSource: ByteSource {
    let descriptor: Int32

    /// Bytes from here to the end; nil for what is not a regular file.
    var remainingByteCount: Int? {
        get throws(AttachmentError) {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { throw .system(.source, errno) }
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            let position = lseek(descriptor, 0, SEEK_CUR)
            guard position >= 0 else { throw .system(.source, errno) }
            return max(0, Int(status.st_size) - Int(position))
        }
    }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(AttachmentError) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
            let got = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
            guard got >= 0 || errno == EINTR else { throw .system(.source, errno) }
            if got == 0 { break }
            count += max(0, got)
        }
        return count
    }
}

/// An open file, pipe or socket, at its position; it stays open.
struct DescriptorSink: ByteSink {
    let descriptor: Int32

    func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(AttachmentError) {
        var sent = 0
        while sent < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[sent...])
            let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            guard count >= 0 || errno == EINTR else { throw .system(.target, errno) }
            sent += max(0, count)
        }
    }
}
