// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

@testable import CenterServing

/// A gpsd on a port of its own: each connection is sent what a test says once it asks, and is closed then.
final class FakeGpsd: Sendable {
    let port: UInt16
    private let listener: CInt
    private let thread = DispatchQueue(label: "fake-gpsd")

    /// Takes a port; one that does not listen is there and refuses.
    init(listens: Bool = true) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> CInt in
                guard bind(listener, pointer, length) == 0, !listens || listen(listener, 8) == 0 else { return -1 }
                return getsockname(listener, pointer, &length)
            }
        }
        guard number == 0 else { throw NoPort(code: errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(listener) }

    /// The port could not be taken.
    struct NoPort: Error { let code: CInt }

    var address: GpsdAddress {
        guard let address = GpsdAddress("127.0.0.1:\(port)") else { preconditionFailure("the address is our own") }
        return address
    }

    /// Serves a connection for each of these pieces; returns the first line of each client.
    ///
    /// One that the client ends takes less than the whole piece.
    func serve(_ pieces: [[UInt8]]) async -> [String] {
        await withCheckedContinuation { answer in
            thread.async { [listener] in
                answer.resume(returning: pieces.map { Self.serve($0, to: accept(listener, nil, nil)) })
            }
        }
    }

    private static func serve(_ piece: [UInt8], to client: CInt) -> String {
        defer { close(client) }
        var asked: [UInt8] = []
        var byte: UInt8 = 0
        while read(client, &byte, 1) == 1 {
            asked.append(byte)
            if byte == UInt8(ascii: "\n") { break }
        }
        var sent = 0
        while sent < piece.count {
            let rest = Array(piece[sent...])
            let count = send(client, rest, rest.count, CInt(MSG_NOSIGNAL))
            guard count > 0 else { break }
            sent += count
        }
        return String(decoding: asked, as: UTF8.self)
    }
}
