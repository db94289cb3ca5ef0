// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A socket whose listener starts a program when somebody connects, as a socket unit of systemd does.
package enum StartSocket {
    /// Connects and closes, without waiting: the connection itself is the message.
    ///
    /// A listener with more connections than it takes has a start under way, which is as good.
    package static func knock(at path: String) throws(SocketFailure) {
        let address = try SocketAddress(path)
        let flags = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, flags, 0)
        guard descriptor >= 0 else { throw SocketFailure(errno) }
        defer { close(descriptor) }
        do throws(SocketFailure) { try address.connect(descriptor) } catch {
            guard error.code == EAGAIN else { throw error }
        }
    }
}
