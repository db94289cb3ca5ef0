// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import WorkerProtocol

/// The one descriptor this process talks on.
struct HostSocket {
    private let descriptor: Int32 = 3

    /// Waits for the next packet.
    func receive() throws(Ending) -> Packet {
        var count = 0
        let capacity = Packet.maximumByteCount
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            count = unsafe linux_receive_plain_packet(descriptor, buffer.baseAddress, capacity, 0)
            initialized = max(0, count)
        }
        switch count {
        case 0, -Int(ECONNRESET): throw .hostGone
        case ..<0: throw .protocolViolation("receiving a packet gives errno \(-count)")
        default: break
        }
        do {
            return try Packet(decoding: bytes.span)
        } catch {
            throw .protocolViolation("a packet cannot be read")
        }
    }

    /// Sends `packet`; `alternative` in its place when it is too long.
    func send(_ packet: Packet, orElse alternative: Packet? = nil) throws(Ending) {
        let bytes: [UInt8]
        do {
            bytes = try packet.encoded()
        } catch {
            guard let alternative else { throw .unusable("an answer is too long") }
            return try send(alternative)
        }
        let sent = unsafe linux_send_packet(descriptor, bytes, bytes.count, nil, 0)
        guard sent == bytes.count else { throw .hostGone }
    }
}
