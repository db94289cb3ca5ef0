// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Dispatch
import HostRuntime
import Locking
import NotificationPayload
import PacketSockets
import Testing

@testable import CenterServing

/// A host's end of a link that says for whom each record is.
final class RawHost: Sendable {
    private let socket: PacketSocket
    private let end = Locked(HostLinkEnd())
    /// The thread that waits for the centre: a task that waited would keep others from running.
    private let reader = DispatchQueue(label: "raw-host")

    private init(_ socket: PacketSocket) { self.socket = socket }

    /// Has the centre serve a host that has these apps until the body returns.
    static func with(_ center: Center, _ registry: LinkRegistry, _ body: (RawHost) async throws -> Void) async throws {
        let (own, other) = try PacketSocket.pair()
        let host = RawHost(own)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await LinkSession(center, other, clock: ContinuousClock()).run() }
            defer { own.shutDown() }
            try host.say(.hello(LinkHello(journal: "0a1b2c3d", floor: 0)))
            while true {
                if case .gates(let piece) = try await host.next(), piece.isLast { break }
            }
            for piece in try #require(registry.pieces) { try host.say(.apps(piece)) }
            try await body(host)
        }
    }

    func say(_ message: HostLinkMessage) throws {
        let packet = try end.withLock { end throws(LinkViolation) in try end.send(message) }
        #expect(socket.send(packet))
    }

    func send(_ record: OutboxRecord, of owner: String) throws {
        let packet = try LinkRecord.packet(
            number: record.number,
            owner: owner,
            pushType: nil,
            text: record.record.span
        )
        try end.withLock { end throws(LinkViolation) in
            try end.send(record: record.number, packetByteCount: packet.count)
        }
        #expect(socket.send(packet))
    }

    /// Makes a call for an owner's app, and returns the answer.
    func call(_ call: CenterCall, owner: String, topic: String) async throws -> CallAnswer {
        let id = end.withLock { $0.nextCallID }
        try say(.call(id: id, LinkCall(owner: owner, topic: topic, call: call)))
        while true {
            if case .answer(id, let answer) = try await next() { return answer }
        }
    }

    /// The next message of the centre, which waits for one.
    func next() async throws -> HostLinkEnd.Event {
        try await withCheckedContinuation { answer in
            reader.async { answer.resume(returning: Result { try self.nextNow() }) }
        }.get()
    }

    private func nextNow() throws -> HostLinkEnd.Event {
        var buffer = [UInt8](repeating: 0, count: LinkMessageType.maximumByteCount + 1)
        guard case .packet(let count) = socket.receive(into: &buffer) else { throw LinkOver() }
        let bytes = buffer
        return try end.withLock { end throws(LinkViolation) in
            try end.receive(bytes.span.extracting(0..<count), descriptorCount: 0)
        }
    }
}

/// The centre has closed the link.
private struct LinkOver: Error {}
