// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The two addresses of this machine at one port, taken before the process is confined.
///
/// The port is taken at both or not at all: whoever had the other one would be shown the cookies and tokens of those who try it first. A machine
/// without ::1 has one.
struct LoopbackPort {
    /// Attempts to find a port that is free at both addresses.
    private static let attempts = 16

    let number: UInt16
    /// Sockets that listen.
    let sockets: [CInt]

    /// Takes a port; 0 is one that is free.
    init(_ wished: UInt16) throws(Failure) {
        for attempt in 1... {
            let first: CInt
            do { first = try Self.bound(AF_INET, wished) } catch { throw error.failure }
            let number = Self.port(of: first)
            do {
                let second = try Self.bound(AF_INET6, number)
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

    private init(number: UInt16, sockets: [CInt]) {
        self.number = number
        self.sockets = sockets
    }

    private struct Refusal: Error {
        let code: CInt
        let port: UInt16

        var failure: Failure {
            Failure(
                "cannot listen on port \(port): \(String(cString: strerror(code)))",
                hint: "name another port, or 0 for one that is free"
            )
        }
    }

    private static func bound(_ family: CInt, _ port: UInt16) throws(Refusal) -> CInt {
        let descriptor = socket(family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Refusal(code: errno, port: port) }
        var isOn: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, size)
        let result: CInt
        if family == AF_INET {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            result = bind(descriptor, &address)
        } else {
            setsockopt(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &isOn, size)
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            result = bind(descriptor, &address)
        }
        // Only one that listens keeps others out, who may bind the same address.
        guard result == 0, listen(descriptor, 1024) == 0 else {
            let code = errno
            close(descriptor)
            throw Refusal(code: code, port: port)
        }
        return descriptor
    }

    private static func bind<Address>(_ descriptor: CInt, _ address: inout Address) -> CInt {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.bind(descriptor, pointer, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private static func port(of descriptor: CInt) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return address.sin_port.bigEndian
    }
}
