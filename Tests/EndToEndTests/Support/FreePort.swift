// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking
import Testing

/// For a test that must know a port before there is a host: elsewhere the host chooses one and says which.
enum FreePort {
    /// Ports below those that the kernel gives to connections and to who asks for any, so that none is in the way.
    private static let range: Range<UInt16> = 16_384..<32_768
    private static let last = Locked(UInt16.random(in: range))

    /// A port nobody listens on now, and that no other caller of this process is given for long.
    static func find() throws -> UInt16 {
        for _ in range {
            let port = last.withLock { last in
                last = last + 1 < range.upperBound ? last + 1 : range.lowerBound
                return last
            }
            if isFree(port) { return port }
        }
        throw NoPort()
    }

    struct NoPort: Error {}

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
