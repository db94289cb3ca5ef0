// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A TCP socket on loopback that waits on threads of its own, never on a task's, and at most twenty seconds.
final class TestSocket: Sendable {
    struct Failure: Error {
        let call: String
        let code: CInt
    }

    let descriptor: CInt

    private init(_ descriptor: CInt) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Listens on a free port, or on a given one.
    static func listening(on host: String = "127.0.0.1", port: UInt16 = 0, backlog: CInt = 64) throws -> TestSocket {
        let socket = try TestSocket(open())
        try socket.withAddress(host, port) { bind(socket.descriptor, $0, $1) }.orThrow("bind")
        try Glibc.listen(socket.descriptor, backlog).orThrow("listen")
        return socket
    }

    /// Takes a free port on which nobody listens as long as this lives.
    static func silent(on host: String = "127.0.0.1") throws -> TestSocket {
        let socket = try TestSocket(open())
        try socket.withAddress(host, 0) { bind(socket.descriptor, $0, $1) }.orThrow("bind")
        return socket
    }

    static func connected(to port: UInt16, host: String = "127.0.0.1") throws -> TestSocket {
        let socket = try TestSocket(open())
        try socket.withAddress(host, port) { connect(socket.descriptor, $0, $1) }.orThrow("connect")
        return socket
    }

    private static func open() throws -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try descriptor.orThrow("socket")
        return descriptor
    }

    private func withAddress(
        _ host: String,
        _ port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// A second descriptor of the same socket, for an owner who closes it.
    func duplicated() -> CInt { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    func accept() async throws -> TestSocket {
        try await offPool { [descriptor] in
            let peer = Glibc.accept(descriptor, nil, nil)
            try peer.orThrow("accept")
            return TestSocket(peer)
        }
    }

    /// Somebody is connected and was not accepted yet; of a connection, something can be read, its end for example.
    var hasVisitor: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }

    func write(_ text: String) async throws {
        _ = try await write(Array(text.utf8))
    }

    /// Returns how many bytes went out: fewer when the peer closed, or did not read within `patience` seconds.
    @discardableResult
    func write(_ bytes: [UInt8], patience: Int = 20) async throws -> Int {
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return try await offPool { [descriptor] in
            var done = 0
            while done < bytes.count {
                let count = bytes[done...].withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { return done }
                done += count
            }
            return done
        }
    }

    /// Waits until the peer has nothing of the connection any more, at most twenty seconds.
    func isCutOff() async throws -> Bool {
        try await offPool { [descriptor] in
            let patience = ContinuousClock.now + .seconds(20)
            while send(descriptor, "x", 1, CInt(MSG_NOSIGNAL)) == 1 {
                guard ContinuousClock.now < patience else { return false }
                sched_yield()
            }
            return errno == EPIPE || errno == ECONNRESET
        }
    }

    func writeAndEnd(_ bytes: [UInt8]) async throws {
        try await write(bytes)
        endWriting()
    }

    /// Reads until the text ends so, the peer says its end, or the connection breaks.
    func read(until end: String) async throws -> String {
        try await offPool { [self] in
            var bytes: [UInt8] = []
            while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8) {
                guard let byte = try readSome(1).first else { break }
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Reads until the peer says its end, or the connection breaks.
    func readToEnd() async throws -> String {
        String(decoding: try await readBytesToEnd(), as: UTF8.self)
    }

    func readBytesToEnd() async throws -> [UInt8] {
        try await offPool { [self] in
            var bytes: [UInt8] = []
            while true {
                let more = try readSome(1 << 16)
                if more.isEmpty { return bytes }
                bytes += more
            }
        }
    }

    /// Empty at the end; throws when nothing came for twenty seconds.
    private func readSome(_ limit: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &bytes, limit, 0)
        if count < 0, errno == EAGAIN { throw Failure(call: "recv", code: EAGAIN) }
        return Array(bytes.prefix(max(0, count)))
    }

    func endWriting() {
        shutdown(descriptor, CInt(SHUT_WR))
    }
}

/// Runs what blocks on a thread of its own.
func offPool<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
    }
}

extension CInt {
    fileprivate func orThrow(_ call: String) throws {
        if self < 0 { throw TestSocket.Failure(call: call, code: errno) }
    }
}
