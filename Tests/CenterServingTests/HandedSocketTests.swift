// SPDX-License-Identifier: Apache-2.0

import Foundation
import PacketSockets
import Testing

/// Sockets that a service manager hands over.
@Suite(.timeLimit(.minutes(2)))
struct HandedSocketTests {
    /// Makes a socket at a path, as a service manager does; the descriptor is closed by whoever takes it.
    private func withSocket(
        _ kind: __socket_type = SOCK_SEQPACKET,
        mode: mode_t = 0o600,
        listens: Bool = true,
        _ body: (_ descriptor: CInt, _ path: String) throws -> Void
    ) throws {
        let path = FileManager.default.temporaryDirectory.path + "/handed-\(UUID().uuidString).sock"
        defer { unlink(path) }
        let made = socket(AF_UNIX, CInt(kind.rawValue), 0)
        try #require(made >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound && chmod(path, mode) == 0)
        if listens { try #require(listen(made, 4) == 0) }
        try body(made, path)
    }

    private static func variables(
        _ names: String = "maria",
        count: String = "1",
        process: pid_t = getpid()
    ) -> [String: String] {
        ["LISTEN_PID": "\(process)", "LISTEN_FDS": count, "LISTEN_FDNAMES": names]
    }

    @Test(arguments: [(SOCK_SEQPACKET, HandedSocket.Kind.packets), (SOCK_STREAM, .stream)])
    func `a socket has its name, its path, its user and its kind`(
        kind: __socket_type,
        expected: HandedSocket.Kind
    ) throws {
        try withSocket(kind) { descriptor, path in
            defer { close(descriptor) }
            let sockets = try HandedSocket.list(Self.variables(), first: descriptor)
            let socket = try #require(sockets.first)
            #expect(sockets.count == 1 && socket.descriptor == descriptor)
            #expect(socket.name == "maria" && socket.path == path && socket.kind == expected)
            #expect(socket.user == .own)
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
    }

    @Test func `what was handed to another process, or to none, is none`() throws {
        #expect(try HandedSocket.list([:], first: -1) == [])
        #expect(try HandedSocket.list(Self.variables(process: getpid() + 1), first: -1) == [])
    }

    @Test(arguments: [
        ("maria", "0"), ("maria", "-1"), ("maria", "x"), ("maria", "2"), ("maria:juan", "1"), ("", "5000"),
    ])
    func `variables that fit no sockets are refused`(names: String, count: String) {
        #expect(throws: HandedSocket.Fault.variables) {
            try HandedSocket.list(Self.variables(names, count: count), first: -1)
        }
    }

    @Test func `what does not listen, or is no socket with a path, is refused by its name`() throws {
        try withSocket(listens: false) { descriptor, _ in
            defer { close(descriptor) }
            #expect(throws: HandedSocket.Fault.notListening(name: "maria")) {
                try HandedSocket.list(Self.variables(), first: descriptor)
            }
        }
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        #expect(throws: HandedSocket.Fault.notListening(name: "maria")) {
            try HandedSocket.list(Self.variables(), first: file)
        }
        let network = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(network) }
        try #require(listen(network, 1) == 0)
        #expect(throws: HandedSocket.Fault.notListening(name: "maria")) {
            try HandedSocket.list(Self.variables(), first: network)
        }
    }

    @Test(arguments: [0o660, 0o602, 0o666] as [mode_t])
    func `a socket that others may open is refused`(mode: mode_t) throws {
        try withSocket(mode: mode) { descriptor, path in
            defer { close(descriptor) }
            #expect(throws: HandedSocket.Fault.openToOthers(path: path)) {
                try HandedSocket.list(Self.variables(), first: descriptor)
            }
        }
    }

    @Test func `a listener that ends leaves the socket, at which others still come`() throws {
        try withSocket { descriptor, path in
            let kept = dup(descriptor)
            defer { close(kept) }
            let socket = try #require(try HandedSocket.list(Self.variables(), first: descriptor).first)
            do {
                let listener = try PacketListener(socket)
                let peer = try PacketSocket(connectingTo: path)
                let accepted = try #require(try listener.accept())
                #expect(accepted.send([7]))
                var buffer: [UInt8] = [0, 0]
                #expect(peer.receive(into: &buffer) == .packet(byteCount: 1))
                listener.shutDown()
                #expect(try listener.accept() == nil)
            }
            #expect(access(path, F_OK) == 0)
            let next = try PacketSocket(connectingTo: path)
            #expect(next.isConnected)
        }
    }
}
