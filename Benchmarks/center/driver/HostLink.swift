// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import PacketSockets

/// A host's end of the link, which sends as fast as the window and the socket allow.
final class HostLink {
    private let socket: PacketSocket
    private var end = HostLinkEnd()
    private var buffer = [UInt8](repeating: 0, count: LinkMessageType.maximumByteCount + 1)
    private var next: Int64 = 1
    /// Transactions that the centre has told of.
    private(set) var groups = 0

    /// Connects and has the centre know the owners and apps.
    init(_ center: CenterProcess) throws {
        do { socket = try PacketSocket(connectingTo: center.linkSocket) } catch {
            throw BenchError("the centre's link cannot be reached: \(error)")
        }
        let journal = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
        try say(.hello(LinkHello(journal: journal, floor: 0)))
        try Watchdog.shared.within(30, "the centre, to a host's hello,") {
            while true {
                if case .gates(let piece)? = try receive(waits: true), piece.isLast { return }
            }
        }
        for piece in Accounts.registry.pieces ?? [] { try say(.apps(piece)) }
    }

    /// Sends records, and returns when all of them are acknowledged.
    func deliver(_ records: [BenchRecord]) throws {
        for record in records { try send(record) }
        try settle()
    }

    /// Sends a record as soon as the window and the socket have room.
    func send(_ record: BenchRecord) throws {
        let packet = try LinkRecord.packet(number: next, owner: record.owner, pushType: nil, text: record.text.span)
        try Watchdog.shared.within(30, "the centre, to records,") {
            while !end.window.hasRoom(for: packet.count) { _ = try receive(waits: true) }
            try end.send(record: next, packetByteCount: packet.count)
            guard socket.send(packet) else { throw BenchError("the centre closes the link") }
        }
        next += 1
        // What lies there is taken, so that the centre never waits for room.
        if next.isMultiple(of: 16) { while try receive(waits: false) != nil {} }
    }

    /// Returns when the centre has everything that was sent.
    func settle() throws {
        try Watchdog.shared.within(30, "the centre, to records,") {
            while !end.window.isEmpty { _ = try receive(waits: true) }
        }
    }

    func close() { socket.shutDown() }

    private func say(_ message: HostLinkMessage) throws {
        guard socket.send(try end.send(message)) else { throw BenchError("the centre closes the link") }
    }

    /// Takes the next message; `nil` means that none is there now.
    private func receive(waits: Bool) throws -> HostLinkEnd.Event? {
        switch socket.receive(into: &buffer, waits: waits) {
        case .nothing: return nil
        case .closed, .malformed: throw BenchError("the centre closes the link")
        case .packet(let count):
            let bytes = buffer
            let event = try end.receive(bytes.span.extracting(0..<count), descriptorCount: 0)
            switch event {
            case .taken: groups += 1
            case .unfit(_, let reason): throw BenchError("the centre refuses a record: \(reason.rawValue)")
            case .ready, .gates, .answer, .lateAnswer, .ask, .viewOpen, .viewEvent: break
            }
            return event
        }
    }
}
