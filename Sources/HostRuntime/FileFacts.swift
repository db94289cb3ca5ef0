// SPDX-License-Identifier: Apache-2.0

private import Glibc

/// The kernel's metadata of a file, from `stat`.
///
/// Read here for all modules: whose `struct stat` the compiler takes depends on what else a module imports, and with
/// C modules that bring their own it changes from build to build.
package struct FileFacts: Sendable {
    package enum Kind: Sendable, Equatable {
        case regular, folder, link, socket, pipe, other
    }

    package let kind: Kind
    /// A user id.
    package let owner: UInt32
    /// A group id.
    package let group: UInt32
    /// `rwxrwxrwx`, and above it the set-id and sticky bits.
    package let permissions: UInt32
    package let byteCount: Int
    /// Nanoseconds since 1970.
    package let modified: Int
    /// The node of the file, which another file on the same disk does not have.
    package let number: UInt64
    private let device: UInt64

    /// Returns `nil` with the reason in `errno` when the file cannot be asked.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Returns `nil` with the reason in `errno` when the file cannot be asked.
    package init?(at path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFSOCK: .socket
            case S_IFIFO: .pipe
            default: .other
            }
        owner = status.st_uid
        group = status.st_gid
        permissions = status.st_mode & 0o7777
        byteCount = status.st_size
        modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }

    /// Two looks at one file.
    package func isSameFile(as other: FileFacts) -> Bool {
        device == other.device && number == other.number
    }
}
