// SPDX-License-Identifier: Apache-2.0

private import CLinux
internal import Crypto
private import Glibc
private import HostRuntime
internal import NotificationPayload

/// The secret that signs a webhook's requests: 16 to 1024 bytes, wiped when the last copy goes.
package struct WebhookSecret: Sendable {
    package enum Refusal: Error, Equatable {
        case unreadable(errno: Int32)
        case notAFile
        /// The file's mode or access list lets others than the owner, root and this process's user touch it.
        case openToOthers
        case foreignOwner
        /// The length of the secret is not 16 to 1024 bytes.
        case wrongSize(Int)
    }

    private static let sizes = 16...1024

    private let key: SymmetricKey

    /// Reads a file of the process's own user or of root that nobody else may read; one line feed at its end does not
    /// belong to the secret.
    package init(file path: String) throws(Refusal) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            let code = errno
            throw code == ELOOP ? .notAFile : .unreadable(errno: code)
        }
        defer { close(file) }
        guard let facts = FileFacts(of: file) else { throw .unreadable(errno: errno) }
        guard facts.kind == .regular else { throw .notAFile }
        guard facts.owner == geteuid() || facts.owner == 0 else { throw .foreignOwner }
        guard linux_is_private(file) else { throw .openToOthers }
        key = try Self.read(file)
    }

    private static func read(_ file: Int32) throws(Refusal) -> SymmetricKey {
        let start = UnsafeMutableRawPointer.allocate(byteCount: sizes.upperBound + 2, alignment: 1)
        let buffer = UnsafeMutableRawBufferPointer(start: start, count: sizes.upperBound + 2)
        defer {
            explicit_bzero(start, buffer.count)
            start.deallocate()
        }
        var count = 0
        while count < buffer.count {
            let more = Glibc.read(file, start + count, buffer.count - count)
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw .unreadable(errno: errno) }
            guard more > 0 else { break }
            count += more
        }
        if count > 0, buffer[count - 1] == UInt8(ascii: "\n") { count -= 1 }
        guard sizes.contains(count) else { throw .wrongSize(count) }
        return SymmetricKey(data: UnsafeRawBufferPointer(buffer)[..<count])
    }

    /// `v1=` and 64 hex digits: HMAC-SHA-256 of the time, a full stop, and the body.
    func signature(of body: [UInt8], at timestamp: String) -> String {
        var code = HMAC<SHA256>(key: key)
        code.update(data: Array(timestamp.utf8))
        code.update(data: [UInt8(ascii: ".")])
        code.update(data: body)
        return "v1=" + Hexadecimal.encode(code.finalize())
    }
}
