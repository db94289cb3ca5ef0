// SPDX-License-Identifier: Apache-2.0

private import Glibc
private import HostRuntime

/// A file that grows by whole lines, used by one thread at a time.
// SAFETY: `descriptor` and `endsTorn` are touched by `init`'s caller and then only on the sink's queue.
final class LineFile: @unchecked Sendable {
    struct Failure: Error {
        let errno: Int32
    }

    private let path: String
    private let synchronises: Bool
    private var descriptor: Int32 = -1
    /// True if the file's content does not end with a line feed.
    private var endsTorn = false

    init(path: String, synchronises: Bool) {
        self.path = path
        self.synchronises = synchronises
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func open() throws(Failure) {
        let file = Glibc.open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw Failure(errno: errno) }
        guard let facts = FileFacts(of: file), facts.kind == .regular else {
            close(file)
            throw Failure(errno: EINVAL)
        }
        var last = UInt8(ascii: "\n")
        if facts.byteCount > 0 { pread(file, &last, 1, facts.byteCount - 1) }
        endsTorn = last != UInt8(ascii: "\n")
        if descriptor >= 0 { close(descriptor) }
        descriptor = file
    }

    /// All of `lines` is in the file when this returns, on the disk if wanted; with an error none of them is.
    func append(_ lines: [UInt8]) throws(Failure) {
        if !isAtItsPath { try open() }
        let start = lseek(descriptor, 0, SEEK_END)
        guard start >= 0 else { throw Failure(errno: errno) }
        do throws(Failure) {
            if endsTorn { try write([UInt8(ascii: "\n")]) }
            try write(lines)
            // An error here says that what the kernel took may not reach the disk.
            if synchronises, fdatasync(descriptor) != 0 { throw Failure(errno: errno) }
        } catch {
            // The lines will be written again; if this fails too, they may be there twice.
            if ftruncate(descriptor, start) != 0 { endsTorn = true }
            throw error
        }
        endsTorn = false
    }

    /// False once it was renamed or removed.
    private var isAtItsPath: Bool {
        guard let here = FileFacts(of: descriptor), let there = FileFacts(at: path, followsLinks: false) else {
            return false
        }
        return here.isSameFile(as: there)
    }

    private func write(_ bytes: [UInt8]) throws(Failure) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { offset += count; continue }
            let code = errno
            if count < 0, code == EINTR { continue }
            throw Failure(errno: count == 0 ? ENOSPC : code)
        }
    }
}
