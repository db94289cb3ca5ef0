// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import WorkerProtocol

/// The one descriptor this process talks on.
final class HostSocket {
    private let descriptor: Int32 = 3
    /// The packet that was read last.
    private var buffer = [UInt8](repeating: 0, count: Packet.maximumByteCount)

    /// Waits for the next packet.
    func receive() throws(Ending) -> Packet {
        guard let packet = try receive(flags: 0) else { throw .protocolViolation("a packet cannot be read") }
        return packet
    }

    /// The next packet if it is there already.
    func receiveWaiting() throws(Ending) -> Packet? {
        try receive(flags: Int32(MSG_DONTWAIT))
    }

    private func receive(flags: Int32) throws(Ending) -> Packet? {
        let count = unsafe linux_receive_plain_packet(descriptor, &buffer, buffer.count, flags)
        switch count {
        case 0, -Int(ECONNRESET): throw .hostGone
        case -Int(EAGAIN): return nil
        case ..<0: throw .protocolViolation("receiving a packet gives errno \(-count)")
        default: break
        }
        let bytes = buffer
        do {
            return try Packet(decoding: bytes.span.extracting(..<count))
        } catch {
            throw .protocolViolation("a packet cannot be read")
        }
    }

    func send(_ packet: Packet) throws(Ending) {
        try send(Self.encoded(packet))
    }

    func send(_ bytes: [UInt8]) throws(Ending) {
        let sent = unsafe linux_send_packet(descriptor, bytes, bytes.count, nil, 0)
        guard sent == bytes.count else { throw .hostGone }
    }

    /// For packets that fit by far.
    static func encoded(_ packet: Packet) throws(Ending) -> [UInt8] {
        do { return try packet.encoded() } catch { throw .unusable("an answer is too long") }
    }
}
