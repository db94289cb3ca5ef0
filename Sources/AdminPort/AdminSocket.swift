// SPDX-License-Identifier: Apache-2.0

private import Glibc
private import HostRuntime
internal import NIOCore

/// The rules for the admin port's Unix socket.
enum AdminSocket {
    /// Nobody but the host's user may come near: between its making and its mode the folder alone protects it.
    static func prepare(_ path: String) throws(AdminPortError) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard path.utf8.count < 108 else { throw AdminPortError("admin socket \"\(path)\" has more than 107 bytes") }
        guard let facts = FileFacts(at: folder.isEmpty ? "/" : folder) else {
            throw AdminPortError("the folder of admin socket \"\(path)\" is not there")
        }
        guard facts.owner == geteuid(), facts.permissions & 0o077 == 0 else {
            throw AdminPortError(
                "the folder of admin socket \"\(path)\" is open to other users",
                hint: "chmod 700 \(folder)"
            )
        }
        guard !isAnswered(path) else { throw AdminPortError("admin socket \"\(path)\" is in use by another host") }
    }

    static func close(_ path: String) {
        chmod(path, 0o600)
    }

    static func reason(of error: any Error) -> String {
        guard let error = error as? IOError else { return "\(error)" }
        return String(cString: strerror(error.errnoCode))
    }

    private static func isAnswered(_ path: String) -> Bool {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard client >= 0 else { return false }
        defer { Glibc.close(client) }
        return connect(client, to: path)
    }

    /// Leaves errno when it does not succeed.
    static func connect(_ client: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return false
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
