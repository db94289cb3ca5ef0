// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files that are this user's alone.
enum PrivateFile {
    /// Puts a file in the place of the one there is, mode 0600, on the disk before this returns; false when it fails.
    static func replace(_ path: String, with data: Data) -> Bool {
        let new = path + ".new"
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: false)
        let isWritten = (try? handle.write(contentsOf: data)) != nil && fsync(file) == 0
        close(file)
        guard isWritten, rename(new, path) == 0 else {
            unlink(new)
            return false
        }
        let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        return fsync(folder) == 0
    }
}
