// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import HostRuntime
import WorkerProtocol

/// The host's end of a SOCK_SEQPACKET socket to a process it does not trust: never blocks, never takes descriptors.
///
/// A channel is not thread-safe: it belongs to the actor on the event loop. Packets that the peer does not read wait
/// here; whoever sends bounds their number: requests by those a peer may have open, answers by `unreadCount`.
final class PacketChannel {
    enum Received {
        case packet(Int)
        case nothing
        case closed
        /// Longer than a packet may be, or with descriptors attached.
        case violation
    }

    let socket: WatchedDescriptor
    private var outgoing = Backlog<[UInt8]>()
    /// The number of packets that wait because the peer has not read those before them.
    var unreadCount: Int { outgoing.count }
    /// The peer has read all that was sent.
    var isRead: Bool {
        var byteCount: CInt = 0
        guard socket.isWatched, outgoing.isEmpty, unsafe ioctl(socket.raw, UInt(TIOCOUTQ), &byteCount) == 0 else {
            return false
        }
        return byteCount == 0
    }
    /// The peer closed its end and left packets unread.
    private(set) var wasLeftUnread = false

    init(
        _ descriptor: consuming Descriptor,
        on loop: EventLoop,
        handler: @escaping EventLoop.Handler
    ) throws(SystemError) {
        socket = try WatchedDescriptor(descriptor, on: loop, handler: handler)
    }

    /// The conversation was not ended on this side.
    var isOpen: Bool { socket.isWatched }

    /// Ends the conversation on this side; what waits to be sent is dropped.
    func close() {
        outgoing = Backlog()
        socket.forget()
    }

    /// Sends now, or as soon as the peer has read enough.
    func send(_ bytes: [UInt8]) {
        guard socket.isWatched else { return }
        if outgoing.isEmpty, sendNow(bytes) { return }
        outgoing.append(bytes)
        if outgoing.count == 1 { socket.watch([.read, .write]) }
    }

    /// Sends now or not at all; false when the peer has not read what came before.
    func sendImmediately(_ bytes: [UInt8]) -> Bool {
        socket.isWatched && outgoing.isEmpty && sendNow(bytes)
    }

    /// The socket takes packets again.
    func flush() {
        while let next = outgoing.first {
            guard sendNow(next) else { return }
            _ = outgoing.popFirst()
        }
        socket.watch(.read)
    }

    func receive(into buffer: inout [UInt8]) -> Received {
        guard socket.isWatched else { return .closed }
        let count = unsafe linux_receive_plain_packet(socket.raw, &buffer, buffer.count, CInt(MSG_DONTWAIT))
        switch count {
        case 0: return .closed
        case 1...: return .packet(count)
        case -Int(EAGAIN): return .nothing
        case -Int(ECONNRESET) where !wasLeftUnread:
            // Told once, ahead of what the peer had sent.
            wasLeftUnread = true
            return receive(into: &buffer)
        case -Int(ECONNRESET): return .closed
        default: return .violation
        }
    }

    /// False when the socket is full; after any other failure the peer is gone, which reading will tell.
    private func sendNow(_ bytes: [UInt8]) -> Bool {
        let flags = CInt(MSG_DONTWAIT | MSG_NOSIGNAL)
        let sent = unsafe Glibc.send(socket.raw, bytes, bytes.count, flags)
        if sent >= 0 { return true }
        if errno == EAGAIN || errno == ENOBUFS { return false }
        wasLeftUnread = true
        return true
    }
}
