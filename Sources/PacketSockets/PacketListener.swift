// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Synchronization

/// A listening socket of packets at a path, which one user alone may connect to.
///
/// A socket that was made here is removed by `shutDown`, or else when the listener is let go; one that was handed over
/// stays.
package final class PacketListener: Sendable {
    /// Connections that wait to be accepted.
    private static let backlog: CInt = 16

    package let path: String
    package let user: SocketUser
    private let descriptor: CInt
    /// An eventfd that is readable from `shutDown` on.
    private let end: CInt
    private let isHanded: Bool
    /// True once the path may be another listener's.
    private let isRemoved = Atomic(false)

    /// Listens at a path whose folder is there and which other users cannot change.
    ///
    /// A socket that a former process left there is replaced; one that somebody answers on is not, and any other file
    /// is not touched: `EADDRINUSE`.
    package init(path: String, user: SocketUser = .own) throws(SocketFailure) {
        self.path = path
        self.user = user
        let address = try SocketAddress(path)
        let end = try Self.makeEnd()
        let descriptor: CInt
        do throws(SocketFailure) { descriptor = try SocketAddress.makeSocket() } catch {
            close(end)
            throw error
        }
        do throws(SocketFailure) {
            try Self.removeLeft(path, address)
            // Nobody can connect before it listens.
            try address.bind(descriptor)
            try user.take(path)
            guard listen(descriptor, Self.backlog) == 0 else { throw SocketFailure(errno) }
        } catch {
            close(descriptor)
            close(end)
            throw error
        }
        self.descriptor = descriptor
        self.end = end
        isHanded = false
    }

    /// Takes a socket that was handed over, whose connections wait there while nobody serves it.
    package init(_ socket: HandedSocket) throws(SocketFailure) {
        end = try Self.makeEnd()
        descriptor = socket.descriptor
        path = socket.path
        user = socket.user
        isHanded = true
    }

    deinit {
        remove()
        close(descriptor)
        close(end)
    }

    /// Waits for the next connection; `nil` after `shutDown`.
    ///
    /// Throws when there is no descriptor left for it.
    package func accept() throws(SocketFailure) -> PacketSocket? {
        while true {
            var states = [descriptor, end].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&states, 2, -1) > 0 else { continue }
            guard states[1].revents == 0 else { return nil }
            let socket = linux_accept(descriptor)
            switch -socket {
            case ...0: return PacketSocket(owning: socket)
            // Of the connection that failed; the next one may not.
            case EINTR, ECONNABORTED, EAGAIN: continue
            case EINVAL: return nil
            case let code: throw SocketFailure(code)
            }
        }
    }

    /// Accepts nothing more: a call that waits returns.
    package func shutDown() {
        eventfd_write(end, 1)
        // A socket that was handed over is its maker's too, and listens on.
        if !isHanded { shutdown(descriptor, CInt(SHUT_RDWR)) }
        // Now: a thread that waits for a connection holds the listener for longer, when the next one may have the path.
        remove()
    }

    private func remove() {
        guard !isHanded, !isRemoved.exchange(true, ordering: .relaxed) else { return }
        unsafe unlink(path)
    }

    private static func makeEnd() throws(SocketFailure) -> CInt {
        let end = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard end >= 0 else { throw SocketFailure(errno) }
        return end
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
