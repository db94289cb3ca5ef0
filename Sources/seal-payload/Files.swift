// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads whole small files; nothing here is secret but the payload.
enum Files {
    /// Far over what any push carries, and small enough to hold.
    static let maximumByteCount = 1 << 20

    /// Returns the name of the input at `path` in messages.
    static func name(_ path: String?) -> String {
        if let path, path != "-" { "\"\(path)\"" } else { "standard input" }
    }

    /// A descriptor to read the file at `path`; standard input when it is nil or "-".
    static func open(_ path: String?) throws(Failure) -> Int32 {
        guard let path, path != "-" else { return STDIN_FILENO }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(name(path)) }
        return descriptor
    }

    static func close(_ descriptor: Int32) {
        if descriptor != STDIN_FILENO { Glibc.close(descriptor) }
    }

    /// Reads the file at `path`; standard input when it is nil or "-".
    static func read(_ path: String?) throws(Failure) -> [UInt8] {
        let descriptor = try open(path)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(name(path)) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= maximumByteCount else {
                throw .tooLarge("\(name(path)) is longer than \(maximumByteCount) bytes")
            }
        }
    }

    /// Writes `text` to the file at `path`, which is replaced as a whole; standard output when it is nil or "-".
    static func write(_ text: String, to path: String? = nil) throws(Failure) {
        try Output.write(Array(text.utf8), to: path)
    }

    /// Returns the failure of the file `name`, with the reason that errno gives.
    static func failure(_ name: String) -> Failure {
        let text = String(cString: strerror(errno))
        return .refused("\(name): \(text.prefix(1).lowercased() + text.dropFirst())")
    }
}
