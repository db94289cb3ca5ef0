// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads and writes of whole small files; nothing here is secret but the payload.
enum Files {
    /// Far over what any push carries, and small enough to hold.
    static let maximumByteCount = 1 << 20

    /// What messages call the input at `path`.
    static func name(_ path: String?) -> String {
        if let path, path != "-" { "\"\(path)\"" } else { "standard input" }
    }

    /// Reads the file at `path`; standard input when it is nil or "-".
    static func read(_ path: String?) throws(Failure) -> [UInt8] {
        let descriptor = path == nil || path == "-" ? STDIN_FILENO : open(path ?? "", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= maximumByteCount else {
                throw .tooLarge("\(name(path)) is longer than \(maximumByteCount) bytes")
            }
        }
    }

    /// Writes `text` to the file at `path`; standard output when it is nil or "-".
    static func write(_ text: String, to path: String?) throws(Failure) {
        guard let path, path != "-" else {
            guard Terminal.write(text, to: STDOUT_FILENO) else { throw .refused("standard output: \(systemMessage())") }
            return
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        let isWritten = Terminal.write(text, to: descriptor)
        guard close(descriptor) == 0, isWritten else { throw failure(path) }
    }

    private static func failure(_ path: String?) -> Failure {
        .refused("\(name(path)): \(systemMessage())")
    }

    private static func systemMessage() -> String {
        let text = String(cString: strerror(errno))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
