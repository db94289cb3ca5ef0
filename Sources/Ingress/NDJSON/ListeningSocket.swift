// SPDX-License-Identifier: Apache-2.0

private import Glibc
private import HostRuntime

/// A Unix socket that listens: made before the process gives up the right to make one.
///
/// The socket lies in a folder of its user's own, which is made if it is not there. The kernel is asked besides who
/// connects.
package struct ListeningSocket: Sendable {
    package let path: String
    /// User ids that may send.
    package internal(set) var users: Set<UInt32>
    let descriptor: Int32

    /// `users` are further ids beside this process's own; with any, others may pass through the folder and connect.
    ///
    /// A socket that a killed host left behind is replaced. The mask of the process, which all its threads share, stays
    /// as it is.
    ///
    /// - Throws: `addressUnusable`: the folder, or what has the name; `addressInUse`: another host listens there.
    package init(path: String, users: Set<UInt32> = []) throws(IngressError) {
        self.path = path
        self.users = users.union([geteuid()])
        guard var address = Self.address(path) else {
            throw IngressError(
                .addressUnusable,
                "cannot listen on \"\(path)\": the path is too long",
                hint: "a socket's path has 107 bytes at most"
            )
        }
        try Self.prepareFolder(of: path, isShared: !users.isEmpty)
        try Self.removeLeftover(path, &address)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Self.unusable(path) }
        // The name gets the mode that the socket has when it is bound, less the mask, so that it is closed from its
        // first moment; it is opened to others before anybody can connect.
        guard fchmod(descriptor, 0o600) == 0,
            Self.with(&address, { bind(descriptor, $0, $1) }) == 0,
            users.isEmpty || chmod(path, 0o666) == 0,
            listen(descriptor, 128) == 0
        else {
            let error = Self.unusable(path)
            close(descriptor)
            throw error
        }
    }

    /// Nobody can connect any more; the name goes, where that is still allowed.
    package func remove() {
        close(descriptor)
        unlink(path)
    }

    // MARK: The place

    private static func prepareFolder(of path: String, isShared: Bool) throws(IngressError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        if mkdir(folder, 0o700) == 0, isShared { _ = chmod(folder, 0o711) }
        guard let facts = FileFacts(at: folder, followsLinks: false) else { throw unusable(path) }
        guard facts.kind == .folder, facts.owner == geteuid() else {
            throw IngressError(
                .addressUnusable,
                "cannot listen on \"\(path)\": \"\(folder)\" is not this user's own folder",
                hint: "choose a folder that only the host uses"
            )
        }
        // To pass through is no right to list, and the socket says for itself who may connect.
        guard facts.permissions & 0o066 == 0 else {
            throw IngressError(
                .addressUnusable,
                "cannot listen on \"\(path)\": \"\(folder)\" is open to other users",
                hint: "chmod \(isShared ? "711" : "700") \(folder)"
            )
        }
    }

    /// A name that a killed host left is free again; one that somebody answers on is not.
    private static func removeLeftover(_ path: String, _ address: inout sockaddr_un) throws(IngressError) {
        guard let facts = FileFacts(at: path, followsLinks: false) else { return }
        guard facts.kind == .socket else {
            throw IngressError(.addressUnusable, "cannot listen on \"\(path)\": there is a file of that name")
        }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { throw unusable(path) }
        defer { close(probe) }
        guard with(&address, { connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED, unlink(path) == 0 else {
            throw IngressError(
                .addressInUse,
                "cannot listen on \"\(path)\": the address is in use",
                hint: "stop the program that has it, or choose another path"
            )
        }
    }

    private static func unusable(_ path: String) -> IngressError {
        IngressError(.addressUnusable, "cannot listen on \"\(path)\": \(String(cString: strerror(errno)))")
    }

    private static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < room else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }

    private static func with(
        _ address: inout sockaddr_un,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Returns the user at the other end, as the kernel knows it; nil if the kernel does not tell.
    static func user(at descriptor: Int32) -> UInt32? {
        // Process, user and group, 32 bits each: unix(7), SO_PEERCRED.
        var peer: [UInt32] = [0, 0, 0]
        var size = socklen_t(peer.count * 4)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0, size == 12 else { return nil }
        return peer[1]
    }
}
