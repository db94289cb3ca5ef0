// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A connection to the centre's API on its Unix socket, whose calls wait.
final class HTTPConnection {
    let descriptor: CInt
    private var received: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError.system("socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw BenchError("the path \"\(path)\" is too long for a socket: set TMPDIR to a shorter one")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw BenchError.system("connect") }
    }

    deinit {
        close(descriptor)
    }

    /// Asks for a resource, and returns the body of the answer.
    func get(_ target: String) throws -> [UInt8] {
        try ask(target)
        return try Watchdog.shared.within(30, "the API, to GET \(target),") {
            let head = try take(through: "\r\n\r\n")
            guard head.hasPrefix("HTTP/1.1 200 ") else {
                throw BenchError("the API answers GET \(target) with \(head.prefix { $0 != "\r\n" })")
            }
            let lines = head.lowercased().split(separator: "\r\n")
            let length = lines.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) }
            guard let length else { throw BenchError("the API answers GET \(target) without a length") }
            while received.count < length { try receive() }
            defer { received.removeFirst(length) }
            return Array(received[..<length])
        }
    }

    /// Opens the stream of events, and returns once it is open.
    func watch() throws {
        try ask("/v1/events")
        _ = try Watchdog.shared.within(60, "the API, to a watcher,") { try take(through: "retry: 1000\n\n\r\n") }
    }

    /// Returns the next event of a stream that brings data.
    func event() throws -> String {
        while true {
            let text = try take(through: "\n\n")
            if text.contains("data: ") { return text }
        }
    }

    private func ask(_ target: String) throws {
        let request = Array("GET \(target) HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, CInt(MSG_NOSIGNAL)) == request.count else {
            throw BenchError.system("send")
        }
    }

    /// Takes what comes up to the end of a mark.
    private func take(through mark: String) throws -> String {
        let mark = Array(mark.utf8)
        while true {
            if let range = received.firstRange(of: mark) {
                defer { received.removeSubrange(..<range.upperBound) }
                return String(decoding: received[..<range.upperBound], as: UTF8.self)
            }
            try receive()
        }
    }

    private func receive() throws {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw BenchError("the API closes the connection") }
        received += buffer[..<count]
    }
}
