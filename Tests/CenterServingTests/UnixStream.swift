// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A peer of the server that sends what a test says, byte for byte.
final class UnixStream: Sendable {
    private let descriptor: Int32

    init(connectingTo path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    deinit {
        close(descriptor)
    }

    /// Sends all of it, or as much as the peer takes before it closes.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends the conversation for both sides.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func readToEnd() -> String { read { _ in false } }

    /// Reads until the text ends so, or the peer closes.
    func read(until end: String) -> String { read { $0.hasSuffix(end) } }

    private func read(until isEnd: (String) -> Bool) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, 0) == 1 {
            bytes.append(byte)
            if byte == UInt8(ascii: "\n"), isEnd(String(decoding: bytes, as: UTF8.self)) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
