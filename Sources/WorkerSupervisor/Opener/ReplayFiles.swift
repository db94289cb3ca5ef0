// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The two files in which the opener remembers what it has opened, in a folder that is the host's alone.
///
/// The host holds them open and locked, never reads them, and gives them to each opener. The lock lasts as long as any
/// process has them, so a host that follows a killed one waits until that one's opener is gone too.
package final class ReplayFiles: Sendable {
    package static let names = ["replays-a", "replays-b"]
    private static let patience = 100
    private static let pauseMicroseconds: UInt32 = 20_000

    private let first: Descriptor
    private let second: Descriptor

    /// In the order of `names`.
    var descriptors: (CInt, CInt) { (first.raw, second.raw) }

    /// Opens the files below `folder`; makes what is not there, the folder itself included.
    ///
    /// Waits 2 s at most for an opener that is on its way out.
    package convenience init(folder path: String) throws(StateFolderError) {
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw .unusable(path: path, SystemError("mkdir", errno)) }
        try self.init(existing: path, creating: O_CREAT, attempts: Self.patience)
    }

    /// Tells whether the files below `folder` could be opened, without making or changing anything.
    package static func check(folder path: String) throws(StateFolderError) {
        _ = try ReplayFiles(existing: path, creating: 0, attempts: 1)
    }

    /// Tells whether a host could start with the folder, without making or changing anything.
    ///
    /// A file that is not there yet is no error where it can be made, and neither is a lock that a running host holds.
    package static func checkStart(folder path: String) throws(StateFolderError) {
        do throws(StateFolderError) {
            try check(folder: path)
        } catch .inUse {
            return
        } catch .unusable(let missing, let cause) where cause.code == ENOENT {
            let above = missing.lastIndex(of: "/").map { missing[..<$0] } ?? "."
            guard unsafe access(above.isEmpty ? "/" : String(above), W_OK | X_OK) == 0 else {
                throw .unusable(path: missing, SystemError(missing == path ? "mkdir" : "open", errno))
            }
        }
    }

    private init(existing path: String, creating: CInt, attempts: Int) throws(StateFolderError) {
        let folder = Descriptor(unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
        guard folder.raw >= 0 else { throw .unusable(path: path, SystemError("open", errno)) }
        try Self.judge(folder, path, S_IFDIR)
        first = try Self.file(Self.names[0], in: folder, path, creating)
        second = try Self.file(Self.names[1], in: folder, path, creating)
        // New names are on the disk before anything is written under them.
        if creating != 0, fsync(folder.raw) != 0 { throw .unusable(path: path, SystemError("fsync", errno)) }
        for attempt in 1...attempts {
            if flock(first.raw, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK else { throw .unusable(path: path, SystemError("flock", errno)) }
            if attempt < attempts { usleep(Self.pauseMicroseconds) }
        }
        throw .inUse(path: path)
    }

    private static func file(
        _ name: String,
        in folder: borrowing Descriptor,
        _ path: String,
        _ creating: CInt
    ) throws(StateFolderError) -> Descriptor {
        let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | creating
        let file = Descriptor(unsafe openat(folder.raw, name, flags, 0o600))
        guard file.raw >= 0 else { throw .unusable(path: "\(path)/\(name)", SystemError("open", errno)) }
        try judge(file, "\(path)/\(name)", S_IFREG)
        return file
    }

    /// Throws unless the file is of the wanted kind and the host's own, and nobody else reads or writes it.
    private static func judge(
        _ descriptor: borrowing Descriptor,
        _ path: String,
        _ kind: mode_t
    ) throws(StateFolderError) {
        var status = stat()
        guard unsafe fstat(descriptor.raw, &status) == 0 else {
            throw .unusable(path: path, SystemError("stat", errno))
        }
        guard status.st_mode & S_IFMT == kind else { throw .wrongKind(path: path) }
        guard status.st_uid == geteuid() else { throw .foreignOwner(path: path) }
        // Others may pass through the folder: in C an app's user goes to its storage that way.
        let passage = kind == S_IFDIR ? S_IXGRP | S_IXOTH : 0
        guard status.st_mode & (S_IRWXG | S_IRWXO) & ~passage == 0 else { throw .openToOthers(path: path) }
    }
}

/// The reason for which the folder of a host's state cannot be used.
package enum StateFolderError: Error, Equatable {
    case unusable(path: String, SystemError)
    /// A folder that is none, or a file that is none.
    case wrongKind(path: String)
    case foreignOwner(path: String)
    /// Group or world have a right to it; to pass through a folder is none.
    case openToOthers(path: String)
    /// Another host has it.
    case inUse(path: String)
    /// An app's name that is no name of a folder.
    case appName(String)
    /// An owner's name that is none.
    case ownerName(String)
}
