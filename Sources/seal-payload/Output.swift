// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The destination of a result: standard output, or a file that gets its new content whole or keeps its old.
struct Output: ~Copyable {
    private let descriptor: Int32
    private let name: String
    /// The temporary file that is written, and its path at the end; `nil` for standard output, devices and pipes.
    private var replacement: (temporary: String, path: String)?

    /// Standard output when `path` is nil or "-"; a device or a pipe is written to as it is.
    init(_ path: String?) throws(Failure) {
        guard let path, path != "-" else {
            descriptor = STDOUT_FILENO
            name = "standard output"
            return
        }
        name = "\"\(path)\""
        var status = stat()
        let isThere = stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG {
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Files.failure(name) }
            return
        }
        let target = isThere ? Self.resolved(path) : path
        var template = Array("\(target).XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Files.failure(name) }
        let mask = umask(0)
        umask(mask)
        fchmod(descriptor, isThere ? status.st_mode & 0o777 : 0o666 & ~mask)
        replacement = (String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self), target)
    }

    /// A link stays a link; what it leads to is replaced.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        guard Terminal.write(bytes, to: descriptor) else { throw Files.failure(name) }
    }

    /// Puts the file into its place; without this it keeps its old content.
    mutating func finish() throws(Failure) {
        guard let (temporary, path) = replacement else { return }
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw Files.failure(name) }
        replacement = nil
    }

    deinit {
        if let replacement { unlink(replacement.temporary) }
        if descriptor != STDOUT_FILENO { close(descriptor) }
    }
}

extension Output {
    /// Writes all of a result.
    static func write(_ bytes: [UInt8], to path: String? = nil) throws(Failure) {
        var output = try Output(path)
        try output.write(bytes)
        try output.finish()
    }
}
