// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The reason for which a socket cannot be made, connected or bound: the kernel's.
package struct SocketFailure: Error, Equatable, CustomStringConvertible {
    /// An errno.
    package let code: CInt

    package init(_ code: CInt) {
        self.code = code
    }

    package var description: String { unsafe String(cString: strerror(code)) }
}

/// The path of a socket, of 107 bytes at most.
struct SocketAddress {
    static let kind = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue)

    private let address: sockaddr_un

    init(_ path: String) throws(SocketFailure) {
        var address = sockaddr_un()
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { throw SocketFailure(ENAMETOOLONG) }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        self.address = address
    }

    static func makeSocket() throws(SocketFailure) -> CInt {
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw SocketFailure(errno) }
        return descriptor
    }

    /// Connects at once or not at all; the calls of the socket wait afterwards.
    func connect(_ descriptor: CInt) throws(SocketFailure) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else { throw SocketFailure(errno) }
        try unsafe call { unsafe Glibc.connect(descriptor, $0, $1) }
        guard fcntl(descriptor, F_SETFL, flags) == 0 else { throw SocketFailure(errno) }
    }

    func bind(_ descriptor: CInt) throws(SocketFailure) {
        try unsafe call { unsafe Glibc.bind(descriptor, $0, $1) }
    }

    private func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) throws(SocketFailure) {
        let result = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw SocketFailure(errno) }
    }
}
