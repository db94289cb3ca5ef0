// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that a person has named on the command line.
enum NamedFile {
    /// Returns all of the file; what cannot be read is an error with the reason, and the next step that `hint` knows
    /// for an errno.
    static func contents(of path: String, hint: (Int32) -> String?) throws(CommandError) -> Data {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var code = errno
        if descriptor >= 0 {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            var status = stat()
            let isFolder = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            if !isFolder, let data = try? handle.readToEnd() ?? Data() { return data }
            code = isFolder ? EISDIR : EIO
        }
        throw CommandError("\"\(path)\" is not readable: \(String(cString: strerror(code)))", hint: hint(code))
    }
}
