// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import WorkerProtocol

/// The one descriptor this process talks on.
final class HostSocket {
    private let descriptor: Int32 = 3
    /// The packet that was read last.
    private var buffer = [UInt8](repeating: 0, count: Packet.maximumByteCount)

    /// A message from the host.
    enum Message {
        case packet(Packet)
        /// Bytes of a sealed file, good until the next message is received.
        case bytes(id: UInt64, count: Int)
    }

    /// Waits for the next packet.
    func receive() throws(Ending) -> Packet {
        guard case .packet(let packet)? = try receive(flags: 0) else {
            throw .protocolViolation("a packet cannot be read")
        }
        return packet
    }

    /// Waits for the next message.
    func receiveMessage() throws(Ending) -> Message {
        guard let message = try receive(flags: 0) else { throw .protocolViolation("a packet cannot be read") }
        return message
    }

    /// The next message if it is there already.
    func receiveWaiting() throws(Ending) -> Message? {
        try receive(flags: Int32(MSG_DONTWAIT))
    }

    /// The bytes of the message that was received last.
    func withBytes<Result>(_ count: Int, _ body: (Span<UInt8>) throws(Ending) -> Result) throws(Ending) -> Result {
        let bytes = buffer
        return try body(bytes.span.extracting(Packet.headerByteCount..<Packet.headerByteCount + count))
    }

    private func receive(flags: Int32) throws(Ending) -> Message? {
        let count = unsafe linux_receive_plain_packet(descriptor, &buffer, buffer.count, flags)
        switch count {
        case 0, -Int(ECONNRESET): throw .hostGone
        case -Int(EAGAIN): return nil
        case ..<0: throw .protocolViolation("receiving a packet gives errno \(-count)")
        default: break
        }
        let bytes = buffer
        if let id = BytesPacket.id(of: bytes.span.extracting(..<count), .sealedBytes) {
            return .bytes(id: id, count: count - Packet.headerByteCount)
        }
        do {
            return .packet(try Packet(decoding: bytes.span.extracting(..<count)))
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
