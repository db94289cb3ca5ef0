// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A connected socket of packets whose calls wait: one call, one packet.
///
/// Any number of threads may send, and one at a time receives. Whoever waits in a call is released by `shutDown`; the
/// descriptor is closed with the last reference. Source: unix(7), "SOCK_SEQPACKET".
package final class PacketSocket: Sendable {
    /// The result of a call of `receive`.
    package enum Received: Equatable {
        /// The first bytes of the buffer are one packet.
        case packet(byteCount: Int)
        /// Nothing is there now; only for a call that does not wait.
        case nothing
        /// The peer is gone, or `shutDown` was called.
        case closed
        /// A packet that is longer than the buffer, or came with descriptors that may not come with it.
        case malformed
    }

    private let descriptor: CInt

    /// Takes over a connected socket.
    package init(owning descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Connects to a listening socket, without waiting: `EAGAIN` if too many wait there to be accepted.
    package convenience init(connectingTo path: String) throws(SocketFailure) {
        let descriptor = try SocketAddress.makeSocket()
        do throws(SocketFailure) {
            try SocketAddress(path).connect(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.init(owning: descriptor)
    }

    /// Two sockets that are connected to each other.
    package static func pair() throws(SocketFailure) -> (PacketSocket, PacketSocket) {
        var ends: [CInt] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, SocketAddress.kind, 0, &ends) == 0 else { throw SocketFailure(errno) }
        return (PacketSocket(owning: ends[0]), PacketSocket(owning: ends[1]))
    }

    deinit {
        close(descriptor)
    }

    /// Takes the next packet; without `waits` it returns at once.
    package func receive(into buffer: inout [UInt8], waits: Bool = true) -> Received {
        while true {
            let flags = waits ? 0 : CInt(MSG_DONTWAIT)
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe linux_receive_plain_packet(descriptor, bytes.baseAddress, bytes.count, flags)
            }
            switch CInt(clamping: Int(-count)) {
            case EINTR: continue
            case EAGAIN: return .nothing
            case EMSGSIZE, EBADMSG: return .malformed
            default: return count > 0 ? .packet(byteCount: count) : .closed
            }
        }
    }

    /// Takes the next packet with the files that came with it, ten at most; without `waits` it returns at once.
    ///
    /// A packet with more, or with files for which this process has no descriptor left, is malformed.
    package func receive(into buffer: inout [UInt8], files: inout [PassedFile], waits: Bool = true) -> Received {
        var descriptors = [CInt](repeating: -1, count: Int(LINUX_MAXIMUM_FILES))
        var descriptorCount: CInt = 0
        var isCut = false
        while true {
            let flags = waits ? 0 : CInt(MSG_DONTWAIT)
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe linux_receive_files(
                    descriptor,
                    bytes.baseAddress,
                    bytes.count,
                    flags,
                    &descriptors,
                    &descriptorCount,
                    &isCut
                )
            }
            files = descriptors.prefix(Int(descriptorCount)).map { PassedFile(owning: $0) }
            if isCut { return .malformed }
            switch CInt(clamping: Int(-count)) {
            case EINTR: continue
            case EAGAIN: return .nothing
            case EMSGSIZE: return .malformed
            default: return count > 0 ? .packet(byteCount: count) : .closed
            }
        }
    }

    /// Bounds the wait of each `send`: a peer that makes no room for so long counts as gone.
    package func limitSending(toSeconds seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends a packet with files, ten at most, waiting for room; false: the peer is gone.
    package func send(_ packet: [UInt8], files: [PassedFile] = []) -> Bool {
        let descriptors = files.map(\.descriptor)
        while true {
            let count = unsafe packet.withUnsafeBytes { bytes in
                unsafe linux_send_files(
                    descriptor,
                    bytes.baseAddress,
                    bytes.count,
                    descriptors,
                    CInt(descriptors.count)
                )
            }
            guard count == -Int(EINTR) else { return count == packet.count }
        }
    }

    /// True until the peer is gone or `shutDown` was called, whatever lies unread.
    package var isConnected: Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe poll(&state, 1, 0) == 0
    }

    /// Takes nothing more: a call of `receive` that waits returns, and what is sent still goes out.
    package func stopReading() {
        shutdown(descriptor, CInt(SHUT_RD))
    }

    /// Ends the conversation for both sides: a call that waits returns.
    package func shutDown() {
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// The user of the process that connected; -1 means that the kernel does not tell.
    package var peerUser: Int64 { linux_peer_user(descriptor) }
}
