// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file that gets its name once it is whole, and never the name of another.
///
/// An unfinished file has no name (`O_TMPFILE`), so that even a killed process leaves nothing. Where that cannot be
/// had, it has a hidden name in the target's folder, which goes with this value; a process killed there leaves the
/// hidden file. Mode 0600.
struct TargetFile: ~Copyable {
    let descriptor: Int32
    private let path: String
    /// The hidden name, where one is needed.
    private let temporaryPath: String?

    /// Throws `exists` at once when there is something at `path`: no work is done for nothing.
    ///
    /// `named` asks for a hidden name even where none is needed.
    init(path: String, named: Bool = false) throws(AttachmentError) {
        let (descriptor, temporaryPath) = try Self.create(in: try Self.folder(ofNew: path), named: named)
        self.path = path
        self.descriptor = descriptor
        self.temporaryPath = temporaryPath
    }

    deinit {
        close(descriptor)
        if let temporaryPath { unsafe unlink(temporaryPath) }
    }

    /// Gives the file its name, once its bytes are on the disk: a name never stands for half a file, not even after
    /// a loss of power.
    ///
    /// Throws `exists` when somebody else took the name meanwhile.
    func publish() throws(AttachmentError) {
        guard fsync(descriptor) == 0 else { throw .system(.target, errno) }
        let current = temporaryPath ?? "/proc/self/fd/\(descriptor)"
        let flags = temporaryPath == nil ? AT_SYMLINK_FOLLOW : 0
        guard unsafe linkat(AT_FDCWD, current, AT_FDCWD, path, flags) == 0 else {
            throw errno == EEXIST ? .exists : .system(.target, errno)
        }
    }

    /// The folder of a file that is not there yet.
    private static func folder(ofNew path: String) throws(AttachmentError) -> String {
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else { throw .exists }
        guard errno == ENOENT, !path.isEmpty else { throw .system(.target, errno) }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        guard slash != path.utf8.index(before: path.endIndex) else { throw .system(.target, EISDIR) }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func create(in folder: String, named: Bool) throws(AttachmentError) -> (Int32, String?) {
        // A file without a name gets one through /proc.
        if !named, unsafe access("/proc/self/fd", X_OK) == 0 {
            let descriptor = unsafe open(folder, __O_TMPFILE | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
            if descriptor >= 0 { return (descriptor, nil) }
            // EISDIR: a kernel or file system that sees only the O_DIRECTORY in the flag.
            guard errno == EOPNOTSUPP || errno == EISDIR else { throw .system(.target, errno) }
        }
        let path = "\(folder)/.nsea-\(String(UInt64.random(in: .min ... .max), radix: 16))"
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(.target, errno) }
        return (descriptor, path)
    }
}
