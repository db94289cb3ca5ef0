// SPDX-License-Identifier: Apache-2.0

import CLinux
import Crypto
import Foundation
import NotificationPayload

/// The key of a fleet: 32 bytes, in a file of 64 hex digits that its user alone may read.
struct FleetKey {
    static let byteCount = 32
    let bytes: [UInt8]

    /// Reads a file: call it before the host is confined.
    init(file path: String) throws(CommandError) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw CommandError("fleet key \"\(path)\" is no regular file")
        }
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else {
            throw CommandError(
                "fleet key \"\(path)\" belongs to another user",
                hint: "chown it to the user of the host"
            )
        }
        guard linux_is_private(descriptor) else {
            throw CommandError("fleet key \"\(path)\" is open to other users", hint: "chmod 600 \(path)")
        }
        let text = String(decoding: (try? file.read(upToCount: 4 * Self.byteCount)) ?? Data(), as: UTF8.self)
        guard let bytes = Hexadecimal.decode(text.trimmingCharacters(in: .whitespacesAndNewlines)),
            bytes.count == Self.byteCount
        else {
            throw CommandError(
                "fleet key \"\(path)\" has not 64 hex digits",
                hint: "copy the file that the fleet's other hosts have"
            )
        }
        self.bytes = bytes
    }

    private static func unreadable(_ path: String, _ code: Int32) -> CommandError {
        let hint =
            switch code {
            case ENOENT: "copy it from another host; \"\(Terminal.program) fleet keygen\" makes that of a new fleet"
            case ELOOP: "name the file itself, not a link to it"
            default: "let the host's user read it, and search the folders on the way to it"
            }
        return CommandError(
            "fleet key \"\(path)\" is not readable: \(String(cString: strerror(code)).lowercased())",
            hint: hint
        )
    }

    /// Makes a key in a new file, mode 0600; nothing is replaced.
    static func make(file path: String) throws(CommandError) {
        let key = SymmetricKey(size: .bits256).withUnsafeBytes { Hexadecimal.encode($0) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            throw CommandError(
                "fleet key \"\(path)\" cannot be made: \(String(cString: strerror(code)).lowercased())",
                hint: code == EEXIST ? "a key is never overwritten: move it away, if no fleet uses it" : nil
            )
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data((key + "\n").utf8))
            try file.synchronize()
        } catch {
            unlink(path)
            throw CommandError("fleet key \"\(path)\" cannot be written: \(error.localizedDescription)")
        }
    }
}
