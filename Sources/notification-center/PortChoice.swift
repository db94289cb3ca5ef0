// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The port that somebody wrote, or a free one in the place of 0.
///
/// Chosen before the process is confined to it. Another program may take it in between; the centre then says so.
enum PortChoice {
    static func resolve(_ port: UInt16) -> UInt16 {
        guard port == 0 else { return port }
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return 0 }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard unsafe bind(socket, pointer, length) == 0, unsafe getsockname(socket, pointer, &length) == 0
                else { return 0 }
                return unsafe UnsafeRawPointer(pointer).load(as: sockaddr_in.self).sin_port.bigEndian
            }
        }
    }
}
