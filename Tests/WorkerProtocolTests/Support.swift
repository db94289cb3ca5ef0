// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import WorkerProtocol

extension Packet {
    init(_ bytes: [UInt8]) throws(PacketError) {
        try self.init(decoding: bytes.span)
    }

    /// The packet on the wire; for packets that are known to fit.
    var bytes: [UInt8] {
        get throws { try encoded() }
    }
}

extension WorkerConversation {
    mutating func judge(_ bytes: [UInt8]) -> Result<Event, Violation> {
        do { return .success(try receive(bytes.span)) } catch { return .failure(error) }
    }

    mutating func judge(_ packet: Packet) throws -> Result<Event, Violation> {
        judge(try packet.bytes)
    }

    mutating func judge(_ message: WorkerMessage) throws -> Result<Event, Violation> {
        try judge(message.packet)
    }

    /// A conversation that is past `ready`.
    static func ready(lanes: Int = 64, ahead: Int = 0) throws -> WorkerConversation {
        var conversation = WorkerConversation(lanes: lanes)
        _ = try conversation.judge(.ready(ahead: ahead)).get()
        return conversation
    }
}

extension ServeConversation {
    mutating func judge(_ bytes: [UInt8]) -> Result<Event, Violation> {
        do { return .success(try receive(bytes.span)) } catch { return .failure(error) }
    }

    mutating func judge(_ packet: Packet) throws -> Result<Event, Violation> {
        judge(try packet.bytes)
    }

    mutating func judge(_ message: HostMessage) throws -> Result<Event, Violation> {
        try judge(message.packet)
    }
}

extension WorkerMessage {
    static let sampleContent = Content(payload: Payload(["aps": ["alert": "Hi"]]))
    static let sampleLog = WorkerMessage.log(Log(level: .info, message: "hello"))

    static func content(_ id: UInt64) -> WorkerMessage { .content(id: id, sampleContent) }
}

extension HostMessage {
    static func hello(limit: Int = 1) -> HostMessage {
        .hello(
            Hello(
                bundleIdentifier: "com.example.chat.service",
                topic: "com.example.chat",
                scratch: "/scratch",
                maxConcurrentRequests: limit
            )
        )
    }

    static let sampleRequest = Request(
        identifier: "a",
        date: "2026-11-21T03:00:00.123Z",
        payload: Payload(["aps": ["alert": "Hi", "mutable-content": 1]]),
        budgetMilliseconds: 30_000
    )

    static func request(_ id: UInt64) -> HostMessage { .request(id: id, sampleRequest) }
}
