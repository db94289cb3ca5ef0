// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The first user of the launcher's for apps; theirs are this plus their number.
let FIRST_WORKER_USER: uid_t = 61_200

/// A user that no account has, as whom a test runs a host's programs.
enum OtherUser {
    static let number: uid_t = 65_000

    /// The command that executes another one as this user.
    static func wrapper(_ user: uid_t?) -> [String] {
        guard let user else { return [] }
        return ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
    }

    /// A launcher as this user, from a copy that it can reach; the folder lives as long as it is kept.
    ///
    /// `machine` is what takes rights away before the user changes.
    static func launcher(
        _ arguments: [String],
        on machine: [String] = []
    ) throws -> (launcher: LauncherUnderTest, folder: Bundle) {
        let folder = try Bundle(["worker-launcher"])
        folder.give(to: number)
        let launcher = try LauncherUnderTest(
            arguments,
            binary: folder.path + "/worker-launcher",
            wrapper: machine + wrapper(number)
        )
        return (launcher, folder)
    }
}

/// A TCP socket on the machine's loopback interface that nobody may reach.
final class Listener {
    let port: UInt16
    private let socket: Descriptor

    init() throws {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        socket = try Descriptor(checking: Glibc.socket(AF_INET, kind, 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = socket.number
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(number, address, size) == 0 && listen(number, 8) == 0 && getsockname(number, address, &size) == 0
            }
        }
        guard isListening else { throw SystemFailure(error: errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    /// True if anybody has connected; takes one connection off the queue.
    var wasReached: Bool { accept(socket.number, nil, nil) >= 0 }
}
