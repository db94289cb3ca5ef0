// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import Glibc

/// A port with the sockets that listen on it, taken before the process is confined.
struct TakenPort {
    /// Attempts to find a port that is free at both addresses of this machine itself.
    private static let attempts = 16

    let number: UInt16
    /// Sockets that listen.
    let sockets: [CInt]

    /// Takes a port at both of this machine's own addresses; 0 is one that is free.
    ///
    /// The port is taken at both or not at all: whoever had the other one would be shown the cookies and tokens of
    /// those who try it first. A machine without ::1 has one.
    init(onLoopback wished: UInt16) throws(Failure) {
        for attempt in 1... {
            let first: CInt
            do { first = try Self.bound(.loopback, wished) } catch { throw error.failure }
            let number = Self.port(of: first)
            do {
                let second = try Self.bound(.loopback6, number)
                self.init(number: number, sockets: [first, second])
                return
            } catch {
                if error.code == EADDRNOTAVAIL || error.code == EAFNOSUPPORT {
                    self.init(number: number, sockets: [first])
                    return
                }
                close(first)
                guard wished == 0, attempt < Self.attempts else { throw error.failure }
            }
        }
        preconditionFailure("the attempts have an end")
    }

    /// Takes a port at one address; `::` is every address of the machine, of both families.
    init(_ wished: UInt16, at address: HostAddress) throws(Failure) {
        do {
            let socket = try Self.bound(address, wished)
            self.init(number: Self.port(of: socket), sockets: [socket])
        } catch {
            throw error.failure
        }
    }

    private init(number: UInt16, sockets: [CInt]) {
        self.number = number
        self.sockets = sockets
    }

    private struct Refusal: Error {
        let code: CInt
        let port: UInt16
        let address: HostAddress

        var failure: Failure {
            let reason = String(cString: strerror(code))
            if address.isLoopback {
                return Failure(
                    "cannot listen on port \(port): \(reason)",
                    hint: "name another port, or 0 for one that is free"
                )
            }
            let hint =
                code == EADDRNOTAVAIL || code == EAFNOSUPPORT
                ? "name an address that this machine has" : "name another port, or 0 for one that is free"
            return Failure("cannot listen on port \(port) of \"\(address.text)\": \(reason)", hint: hint)
        }
    }

    private static func bound(_ address: HostAddress, _ port: UInt16) throws(Refusal) -> CInt {
        let descriptor = socket(address.family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Refusal(code: errno, port: port, address: address) }
        var isOn: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, size)
        if address.family == AF_INET6 {
            var isAlone: CInt = address.isEveryAddress ? 0 : 1
            setsockopt(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &isAlone, size)
        }
        let result = address.withSocketAddress(port: port) { bind(descriptor, $0, $1) }
        // Only one that listens keeps others out, who may bind the same address.
        guard result == 0, listen(descriptor, 1024) == 0 else {
            let code = errno
            close(descriptor)
            throw Refusal(code: code, port: port, address: address)
        }
        return descriptor
    }

    /// The port stands at the same place in the addresses of both families.
    private static func port(of descriptor: CInt) -> UInt16 {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return address.sin6_port.bigEndian
    }
}

/// An address of this machine, as `--host` names it.
struct HostAddress {
    static let loopback = HostAddress(family: AF_INET, bytes: [127, 0, 0, 1], text: "127.0.0.1")
    static let loopback6 = HostAddress(family: AF_INET6, bytes: [UInt8](repeating: 0, count: 15) + [1], text: "::1")

    let family: CInt
    private let bytes: [UInt8]
    let text: String

    private init(family: CInt, bytes: [UInt8], text: String) {
        self.family = family
        self.bytes = bytes
        self.text = text
    }

    /// Reads an address of IPv4 or IPv6; `nil` means that it is none, or a name.
    init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(family: AF_INET, bytes: Array(bytes.prefix(4)), text: text)
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(family: AF_INET6, bytes: bytes, text: text)
        } else {
            return nil
        }
    }

    /// True for the two addresses that a centre in the clear listens on.
    var isLoopback: Bool { [Self.loopback.bytes, Self.loopback6.bytes].contains(bytes) }
    var isEveryAddress: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Calls `body` with the address as the kernel takes it.
    func withSocketAddress(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        if family == AF_INET {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
            return Self.with(&address, body)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
        return Self.with(&address, body)
    }

    private static func with<Address>(
        _ address: inout Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                body(pointer, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
