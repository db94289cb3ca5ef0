// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A listening Unix socket that the service manager has made and handed over, for one user of the system.
///
/// Source: sd_listen_fds(3), systemd.socket(5).
package struct HandedSocket: Sendable, Equatable {
    package enum Kind: Sendable {
        /// `ListenSequentialPacket=`
        case packets
        /// `ListenStream=`
        case stream
    }

    /// The word of its unit, `FileDescriptorName=`.
    package let name: String
    package let path: String
    /// The user to whom the socket belongs, `SocketUser=`, who alone may connect beside this process.
    package let user: SocketUser
    package let kind: Kind
    /// For whoever serves it to close; the socket and its path stay with the service manager.
    package let descriptor: Int32

    /// The reason for which what was handed over cannot be served.
    package enum Fault: Error, Equatable, CustomStringConvertible {
        case variables
        case notListening(name: String)
        case openToOthers(path: String)

        package var description: String {
            switch self {
            case .variables: "LISTEN_FDS and LISTEN_FDNAMES name no sockets"
            case .notListening(let name): "\"\(name)\" is no Unix socket that listens at a path"
            case .openToOthers(let path): "\"\(path)\" is open to other users"
            }
        }

        package var hint: String {
            switch self {
            case .variables: "start the program by its socket units"
            case .notListening: "its unit needs ListenStream= or ListenSequentialPacket= with an absolute path"
            case .openToOthers: "its unit needs SocketMode=0600, and SocketUser= for whom it is"
            }
        }
    }

    /// Reads what the variables say was handed over to a process, from the descriptor `first` on; none when they speak
    /// of another process.
    package static func list(
        _ environment: [String: String],
        process: Int32 = getpid(),
        first: Int32 = 3
    ) throws(Fault) -> [HandedSocket] {
        guard let text = environment["LISTEN_PID"], Int32(text) == process else { return [] }
        guard let count = environment["LISTEN_FDS"].flatMap(CInt.init), (1...1024).contains(count) else {
            throw .variables
        }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        guard names.count == count else { throw .variables }
        var sockets: [HandedSocket] = []
        for (place, name) in names.enumerated() {
            sockets.append(try HandedSocket(first + CInt(place), name: String(name)))
        }
        return sockets
    }

    private init(_ descriptor: CInt, name: String) throws(Fault) {
        // A process below this one is handed nothing.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        guard Self.option(SO_ACCEPTCONN, of: descriptor) == 1, let path = Self.path(of: descriptor) else {
            throw .notListening(name: name)
        }
        switch Self.option(SO_TYPE, of: descriptor) {
        case CInt(SOCK_SEQPACKET.rawValue): kind = .packets
        case CInt(SOCK_STREAM.rawValue): kind = .stream
        default: throw .notListening(name: name)
        }
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK else {
            throw .notListening(name: name)
        }
        guard facts.st_mode & 0o077 == 0 else { throw .openToOthers(path: path) }
        self.name = name
        self.path = path
        self.descriptor = descriptor
        user = SocketUser(id: facts.st_uid)
    }

    private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    /// The absolute path at which a socket listens; `nil` for one that is none of a path's.
    private static func path(of descriptor: CInt) -> String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &size)
            }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let bytes = unsafe withUnsafeBytes(of: address.sun_path) { unsafe Array($0.prefix { $0 != 0 }) }
        return bytes.first == UInt8(ascii: "/") ? String(validating: bytes, as: UTF8.self) : nil
    }
}
