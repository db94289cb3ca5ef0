// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A key file that nobody else changes meanwhile, and its successor beside it.
///
/// The successor gets owner and mode of the file and takes its place in one step, so that a crash leaves the one or
/// the other, whole. What an earlier crash left is removed.
struct LockedKeyFile: ~Copyable {
    let descriptor: Int32
    private let path: String
    private let status: stat
    private var successor: Int32?

    /// Opens the file as for reading; throws `busy` when another process is about to change it, or just has.
    init(path: String) throws(KeyFileError) {
        let descriptor = try KeyFile.openFile(path, requirePrivate: true)
        var status = stat()
        var now = stat()
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw KeyFileError(code == EWOULDBLOCK ? .busy : .system(code))
        }
        // Who had the lock until now may have put another file into the place of this one.
        let isKnown = unsafe fstat(descriptor, &status) == 0 && lstat(path, &now) == 0
        guard isKnown, status.st_ino == now.st_ino, status.st_dev == now.st_dev else {
            close(descriptor)
            throw KeyFileError(.busy)
        }
        self.descriptor = descriptor
        self.path = path
        self.status = status
    }

    deinit {
        if let successor {
            close(successor)
            unsafe unlink(successorPath)
        }
        // A process that is being started has a copy of the descriptor for a moment, which would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// A name that no user's file has; one name, so that what a crash leaves is found again.
    private var successorPath: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ".\(path).successor" }
        let name = path.index(after: slash)
        return "\(path[..<name]).\(path[name...]).successor"
    }

    private var folderPath: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return String(path[...slash])
    }

    /// Writes the successor and returns a descriptor to read it back; it is gone unless `replace` follows.
    mutating func write(_ text: borrowing KeyText) throws(KeyFileError) -> Int32 {
        unsafe unlink(successorPath)
        let new = unsafe open(successorPath, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard new >= 0 else { throw KeyFileError(.system(errno)) }
        successor = new
        let isOurs = status.st_uid == geteuid() && status.st_gid == getegid()
        guard isOurs || fchown(new, status.st_uid, status.st_gid) == 0, fchmod(new, status.st_mode & 0o700) == 0,
            text.write(to: new), fsync(new) == 0
        else { throw KeyFileError(.system(errno)) }
        return new
    }

    /// Puts the successor into the file's place; it is there to stay when this returns.
    mutating func replace() throws(KeyFileError) {
        guard let new = successor else { return }
        guard unsafe rename(successorPath, path) == 0 else { throw KeyFileError(.system(errno)) }
        successor = nil
        close(new)
        let folder = unsafe open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw KeyFileError(.system(errno)) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw KeyFileError(.system(errno)) }
    }
}
