// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import WorkerProtocol

/// The worker's end of a SOCK_SEQPACKET socket: one call, one packet; any number of threads may send.
///
/// The descriptor belongs to whoever made the socket.
struct PacketSocket: Sendable {
    let descriptor: Int32

    enum Received {
        /// `buffer[0..<count]` is one packet.
        case packet(count: Int)
        case endOfFile
        /// Longer than a packet may be, or with descriptors attached.
        case malformed
    }

    /// A buffer for `receive(into:)`.
    static func makeBuffer() -> [UInt8] { [UInt8](repeating: 0, count: Packet.maximumByteCount) }

    /// Waits for the next packet.
    func receive(into buffer: inout [UInt8]) -> Received {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe linux_receive_plain_packet(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        if count > 0 { return .packet(count: count) }
        return count == -Int(EMSGSIZE) || count == -Int(EBADMSG) ? .malformed : .endOfFile
    }

    /// False when the host is gone.
    @discardableResult
    func send(_ packet: [UInt8]) -> Bool {
        unsafe packet.withUnsafeBytes { bytes in
            unsafe linux_send_packet(descriptor, bytes.baseAddress, bytes.count, nil, 0) == packet.count
        }
    }

    var isPacketSocket: Bool {
        var type: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0
            && type == Int32(SOCK_SEQPACKET.rawValue)
    }

    func closeOnExec() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}
