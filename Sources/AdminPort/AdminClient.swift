// SPDX-License-Identifier: Apache-2.0

private import Glibc

/// Asks a running host: one request a connection, blocking, for a command.
package struct AdminClient: Sendable {
    package struct Answer: Sendable, Equatable {
        package let status: Int
        package let body: String

        package init(status: Int, body: String) {
            self.status = status
            self.body = body
        }
    }

    /// Far more than any page has.
    private static let answerByteLimit = 16 << 20
    private static let waitSeconds = 10
    private static let attempts = 5

    private let address: AdminPort.Address
    private let token: [UInt8]?

    /// The token as `AdminToken.text` reads it; nil for a socket.
    package init(_ address: AdminPort.Address, token: [UInt8]?) {
        self.address = address
        self.token = token
    }

    package func with(token: [UInt8]?) -> AdminClient { AdminClient(address, token: token) }

    package func get(_ path: String) throws(AdminPortError) -> Answer {
        try request("GET", path)
    }

    /// Asks once more when the connection is closed without an answer, as the host does for a newer one where many ask.
    ///
    /// - Throws: `AdminPortError`: nobody listens there, or what came is no answer.
    package func request(_ method: String, _ path: String) throws(AdminPortError) -> Answer {
        for _ in 1..<Self.attempts {
            let bytes = try attempt(method, path)
            if !bytes.isEmpty { return try Self.answer(in: bytes) }
        }
        return try Self.answer(in: try attempt(method, path))
    }

    /// Empty when the connection was closed without an answer.
    private func attempt(_ method: String, _ path: String) throws(AdminPortError) -> [UInt8] {
        let connection = try open()
        defer { close(connection) }
        var text = Array("\(method) \(path) HTTP/1.1\r\nhost: nestbox\r\nconnection: close\r\n".utf8)
        if let token { text += Array("authorization: Bearer ".utf8) + token + Array("\r\n".utf8) }
        text += Array("\r\n".utf8)
        guard send(connection, text, text.count, Int32(MSG_NOSIGNAL)) == text.count else {
            if errno == EPIPE || errno == ECONNRESET { return [] }
            throw failure(errno)
        }
        return try readToEnd(connection)
    }

    private func readToEnd(_ connection: Int32) throws(AdminPortError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == ECONNRESET, bytes.isEmpty { return [] }
            guard count >= 0 else { throw failure(errno) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= Self.answerByteLimit else { throw Self.garbage }
        }
    }

    private static let garbage = AdminPortError("what answered is no admin port")

    private static func answer(in bytes: [UInt8]) throws(AdminPortError) -> Answer {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 "), let status = Int(text.dropFirst(9).prefix(3)),
            let end = text.firstRange(of: "\r\n\r\n")
        else { throw garbage }
        return Answer(status: status, body: String(text[end.upperBound...]))
    }

    private func failure(_ code: Int32) -> AdminPortError {
        AdminPortError(
            "no host answers on \(address.text): \(String(cString: strerror(code)))",
            hint: "is it running, with this configuration"
        )
    }

    /// A connected socket, which the caller closes.
    package func open() throws(AdminPortError) -> Int32 {
        switch address {
        case .socket(let path):
            let connection = try socket(of: AF_UNIX)
            guard AdminSocket.connect(connection, to: path) else { throw give(up: connection) }
            return connection
        case .tcp(let host, let port):
            var six = sockaddr_in6()
            if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
                six.sin6_family = sa_family_t(AF_INET6)
                six.sin6_port = in_port_t(port).bigEndian
                return try connect(six, AF_INET6)
            }
            var four = sockaddr_in()
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = in_port_t(port).bigEndian
            guard inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &four.sin_addr) == 1 else {
                throw failure(EADDRNOTAVAIL)
            }
            return try connect(four, AF_INET)
        }
    }

    private func connect<Address>(_ address: Address, _ family: Int32) throws(AdminPortError) -> Int32 {
        let connection = try socket(of: family)
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(connection, $0, socklen_t(MemoryLayout<Address>.size)) == 0
            }
        }
        guard isConnected else { throw give(up: connection) }
        return connection
    }

    private func socket(of family: Int32) throws(AdminPortError) -> Int32 {
        let connection = Glibc.socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard connection >= 0 else { throw failure(errno) }
        var limit = timeval(tv_sec: Self.waitSeconds, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return connection
    }

    private func give(up connection: Int32) -> AdminPortError {
        let code = errno
        close(connection)
        return failure(code)
    }
}
