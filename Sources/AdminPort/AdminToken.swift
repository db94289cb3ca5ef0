// SPDX-License-Identifier: Apache-2.0

private import CLinux
private import Crypto
private import Glibc
private import HostRuntime

/// The token that an operator presents to read numbers; only its hash is kept.
package struct AdminToken: Sendable {
    private let hash: [UInt8]

    /// Reads a file that only its owner, root and this process's user may: 16 to 256 printable characters, and a line
    /// feed or none.
    package init(file path: String) throws(AdminPortError) {
        let text = try Self.text(file: path)
        hash = Array(SHA256.hash(data: text))
    }

    /// The token as an Authorization header wants it, for the client.
    package static func text(file path: String) throws(AdminPortError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            throw AdminPortError("token file \"\(path)\" is not readable: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        guard let facts = FileFacts(of: file), facts.kind == .regular else {
            throw AdminPortError("token file \"\(path)\" is no regular file")
        }
        guard linux_is_private(file) else {
            throw AdminPortError("token file \"\(path)\" is open to other users", hint: "chmod 600 \(path)")
        }
        var bytes = [UInt8](repeating: 0, count: 258)
        let count = max(0, read(file, &bytes, bytes.count))
        var token = bytes.prefix(count)
        if token.last == UInt8(ascii: "\n") { token.removeLast() }
        guard (16...256).contains(token.count), token.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw AdminPortError(
                "token file \"\(path)\" does not hold 16 to 256 printable characters",
                hint: "openssl rand -hex 32 > \(path)"
            )
        }
        return Array(token)
    }

    /// Tells whether an `Authorization` header holds the token, in a time that does not show how much of it was right.
    func isGiven(in header: String?) -> Bool {
        guard let header, header.utf8.count <= 512, header.lowercased().hasPrefix("bearer ") else { return false }
        let given = header.dropFirst("bearer ".count).drop { $0 == " " }
        let difference = zip(SHA256.hash(data: Array(given.utf8)), hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        return difference == 0
    }
}
