// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A listening socket of packets at a path, which one user alone may connect to.
///
/// The socket is removed when the listener is let go.
package final class PacketListener: Sendable {
    /// Connections that wait to be accepted.
    private static let backlog: CInt = 16

    package let path: String
    package let user: SocketUser
    private let descriptor: CInt

    /// Listens at a path whose folder is there and which other users cannot change.
    ///
    /// A socket that a former process left there is replaced; one that somebody answers on is not, and any other file
    /// is not touched: `EADDRINUSE`.
    package init(path: String, user: SocketUser = .own) throws(SocketFailure) {
        self.path = path
        self.user = user
        let address = try SocketAddress(path)
        let descriptor = try SocketAddress.makeSocket()
        do throws(SocketFailure) {
            try Self.removeLeft(path, address)
            // Nobody can connect before it listens.
            try address.bind(descriptor)
            try user.take(path)
            guard listen(descriptor, Self.backlog) == 0 else { throw SocketFailure(errno) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit {
        unsafe unlink(path)
        close(descriptor)
    }

    /// Waits for the next connection; `nil` after `shutDown`.
    ///
    /// Throws when there is no descriptor left for it.
    package func accept() throws(SocketFailure) -> PacketSocket? {
        while true {
            let socket = linux_accept(descriptor)
            switch -socket {
            case ...0: return PacketSocket(owning: socket)
            // Of the connection that failed; the next one may not.
            case EINTR, ECONNABORTED: continue
            case EINVAL: return nil
            case let code: throw SocketFailure(code)
            }
        }
    }

    /// Accepts nothing more: a call that waits returns.
    package func shutDown() {
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    private static func removeLeft(_ path: String, _ address: SocketAddress) throws(SocketFailure) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return }
        guard facts.st_mode & S_IFMT == S_IFSOCK else { throw SocketFailure(EADDRINUSE) }
        let probe = try SocketAddress.makeSocket()
        defer { close(probe) }
        do throws(SocketFailure) { try address.connect(probe) } catch {
            guard error.code == ECONNREFUSED else { throw SocketFailure(EADDRINUSE) }
            unsafe unlink(path)
            return
        }
        throw SocketFailure(EADDRINUSE)
    }
}
