// SPDX-License-Identifier: Apache-2.0

import Keychain
import NotificationPayload
import Testing
import UserNotifications
import WorkerProtocol

@testable import ExtensionWorker

struct ConversationTests {
    private static let echo: @Sendable () -> UNNotificationServiceExtension = { UNNotificationServiceExtension() }

    @Test func `a request comes back as content`() throws {
        let host = try FakeHost()
        let requests = Channel<UNNotificationRequest>()
        let session = host.serve {
            ScriptedService(receive: { request, handler in
                requests.put(request)
                handler(content(title: request.content.title + "!"))
            })
        }
        try host.greet()
        try host.request(1)
        #expect(try host.title(of: 1) == "Alice!")
        let request = try #require(requests.take())
        #expect(request.identifier == "request-1")
        #expect(request.trigger is UNPushNotificationTrigger)
        #expect(session.repeatedCompletionCount == 0)
    }

    @Test func `threads that ask for the keychain wait in line for their answers`() throws {
        let host = try FakeHost()
        let session = host.serve(Self.echo)
        try host.greet()
        let answers = Channel<KeychainAnswer>()
        for _ in 0..<4 {
            #expect(WorkerThreads.startThread { answers.put(session.ask(.read(key: "k"))) })
        }
        for number in UInt8(0)..<4 {
            #expect(try host.receive() == .keychain(.read(key: "k")))
            // The next call comes after the answer, and not before.
            #expect(!host.hasPacket)
            try host.send(.keychain(.secret([number])))
        }
        let received = (0..<4).compactMap { _ in answers.take() }
        let secrets = received.compactMap { if case .secret(let bytes) = $0 { bytes[0] } else { nil } }
        #expect(secrets.sorted() == [0, 1, 2, 3])
    }

    @Test func `shutdown ends with status 0`() throws {
        let host = try FakeHost()
        let session = host.serve(Self.echo)
        try host.greet()
        try host.send(.shutdown)
        #expect(try host.waitForExit() == 0)
        withExtendedLifetime(session) {}
    }

    @Test func `a host that hangs up ends it with status 0, with a request open too`() throws {
        let host = try FakeHost()
        let session = host.serve { ScriptedService(receive: { _, _ in }) }
        try host.greet()
        try host.request(1)
        host.hangUp()
        #expect(try host.waitForExit() == 0)
        withExtendedLifetime(session) {}
    }

    /// Packets that a host must not send; the first of each pair of rows needs no greeting.
    static let garbage: [(name: String, greets: Bool, packet: [UInt8])] = [
        ("text", false, Array("GET / HTTP/1.1".utf8)),
        ("too short", false, [0x01, 0]),
        ("unknown type", false, [0x7F, 0, 0, 0, 0, 0, 0, 0, 0] + Array("{}".utf8)),
        ("no object", true, [0x02, 0, 0, 0, 0, 0, 0, 0, 1] + Array("[]".utf8)),
        ("request before hello", false, [0x02, 0, 0, 0, 0, 0, 0, 0, 1] + requestBody),
        ("shutdown before hello", false, [0x04, 0, 0, 0, 0, 0, 0, 0, 0] + Array("{}".utf8)),
        ("another protocol", false, [0x01, 0, 0, 0, 0, 0, 0, 0, 0] + Array(#"{"protocol":2}"#.utf8)),
        ("hello twice", true, [0x01, 0, 0, 0, 0, 0, 0, 0, 0] + helloBody),
        ("a message of a worker", true, [0x81, 0, 0, 0, 0, 0, 0, 0, 0] + Array(#"{"protocol":1}"#.utf8)),
        ("a request without payload", true, [0x02, 0, 0, 0, 0, 0, 0, 0, 1] + Array("{}".utf8)),
        ("the last call of no request", true, [0x03, 0, 0, 0, 0, 0, 0, 0, 9] + Array("{}".utf8)),
    ]
    private static let helloBody = Array(#"{"protocol":1,"bundleIdentifier":"a.b","topic":"a"}"#.utf8)
    private static let requestBody = Array(
        #"{"identifier":"i","date":"d","payload":{},"budgetMilliseconds":1}"#.utf8
    )

    @Test(arguments: garbage.indices)
    func `garbage of the host ends it with status 1`(row: Int) throws {
        let host = try FakeHost()
        let session = host.serve(Self.echo)
        if Self.garbage[row].greets { try host.greet() }
        try host.send(bytes: Self.garbage[row].packet)
        #expect(try host.waitForExit() == 1, "\(Self.garbage[row].name)")
        withExtendedLifetime(session) {}
    }

    @Test func `a descriptor on a packet ends it with status 1`() throws {
        let host = try FakeHost()
        let session = host.serve(Self.echo)
        try host.send(bytes: [0x04, 0, 0, 0, 0, 0, 0, 0, 0, 0x7B, 0x7D], descriptors: [0])
        #expect(try host.waitForExit() == 1)
        withExtendedLifetime(session) {}
    }

    @Test func `a packet longer than the limit ends it with status 1`() throws {
        let host = try FakeHost()
        let session = host.serve(Self.echo)
        try host.send(bytes: [UInt8](repeating: 0x20, count: Packet.maximumByteCount + 1))
        #expect(try host.waitForExit() == 1)
        withExtendedLifetime(session) {}
    }

    @Test func `more requests at once than announced end it with status 1`() throws {
        let host = try FakeHost()
        let session = host.serve { ScriptedService(receive: { _, _ in }) }
        try host.greet(maxConcurrentRequests: 2)
        for id in 1...10 { try host.request(UInt64(id)) }
        #expect(try host.waitForExit() == 1)
        withExtendedLifetime(session) {}
    }
}
