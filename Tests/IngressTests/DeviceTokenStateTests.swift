// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Locking
import NotificationPayload
import Testing

@testable import Ingress

/// Knows one token, in whatever state a test wants, or nothing at all.
final class FakeDeviceTokens: DeviceTokens {
    private let known: Locked<DeviceTokenState?>
    private let isConfigured: Bool
    private let isReadable = Locked(true)

    init(_ known: DeviceTokenState?, isConfigured: Bool = true) {
        self.known = Locked(known)
        self.isConfigured = isConfigured
    }

    func become(readable: Bool) { isReadable.withLock { $0 = readable } }

    func state(of token: String) throws(DeviceTokensUnavailable) -> DeviceTokenState? {
        guard isReadable.withLock({ $0 }) else { throw DeviceTokensUnavailable() }
        return token == Fixture.token ? known.withLock { $0 } : nil
    }

    func app(forTopic topic: String) throws(DeviceTokensUnavailable) -> DeviceTokenTable.Registration? {
        guard isReadable.withLock({ $0 }) else { throw DeviceTokensUnavailable() }
        return isConfigured && topic == Fixture.topic ? Self.app : nil
    }

    static let app = DeviceTokenTable.Registration(
        topic: Fixture.topic,
        environment: .development,
        pushTypes: [.alert]
    )
    static let removal = Date(timeIntervalSince1970: 1_763_693_000.123)
}

/// The states of a device token in the course of time, and the answers that its senders get.
struct DeviceTokenStateTests {
    private static let unregistered = Refusal(unregisteredAt: FakeDeviceTokens.removal)

    private func judge(_ tokens: FakeDeviceTokens, _ request: PushRequest = PushRequest()) throws -> PushHead {
        try PushValidator(tokens: tokens, environment: .development)
            .judge(request.provider, freshID: "fresh", now: Date())
    }

    @Test func `a removed token is unregistered since its removal`() {
        let tokens = FakeDeviceTokens(.removed(FakeDeviceTokens.app, at: FakeDeviceTokens.removal))
        #expect(throws: Self.unregistered) { try judge(tokens) }
        #expect(throws: Self.unregistered) { try judge(tokens, PushRequest(headers: [])) }
        #expect(Self.unregistered.status == 410)
        #expect(Self.unregistered.json == #"{"reason":"Unregistered","timestamp":1763693000123}"#)
    }

    @Test func `a token whose app is gone is unregistered, not of a bad topic`() {
        // The registry knows no more which push types the app had.
        let gone = DeviceTokenTable.Registration(
            topic: Fixture.topic,
            environment: .development,
            pushTypes: Set(PushType.allCases)
        )
        let tokens = FakeDeviceTokens(.removed(gone, at: FakeDeviceTokens.removal), isConfigured: false)
        #expect(throws: Self.unregistered) { try judge(tokens) }
        #expect(throws: Self.unregistered) {
            try judge(tokens, PushRequest(headers: [("apns-topic", Fixture.topic + ".voip")]))
        }
        #expect(throws: Refusal(.badTopic)) { try judge(tokens, PushRequest(headers: [("apns-topic", "com.other")])) }
    }

    @Test func `a removed token of the other environment is bad`() {
        let app = DeviceTokenTable.Registration(topic: Fixture.topic, environment: .production, pushTypes: [.alert])
        let tokens = FakeDeviceTokens(.removed(app, at: FakeDeviceTokens.removal))
        #expect(throws: Refusal(.badDeviceToken)) { try judge(tokens) }
    }

    @Test func `while the tokens cannot be read no sender hears that one is bad`() throws {
        let tokens = FakeDeviceTokens(.active(FakeDeviceTokens.app))
        tokens.become(readable: false)
        let unavailable = Refusal(.serviceUnavailable)
        #expect(throws: unavailable) { try judge(tokens) }
        #expect(throws: unavailable) { try judge(tokens, PushRequest(headers: [])) }
        #expect(throws: unavailable) { try judge(tokens, PushRequest(path: "/3/device/00")) }
        #expect(throws: unavailable) { try judge(tokens, PushRequest(path: "/3/device/")) }
        // What is wrong without a look at them stays wrong.
        #expect(throws: Refusal(.badMessageId)) { try judge(tokens, PushRequest().with("apns-id", "1")) }
        #expect(unavailable.status == 503)
        tokens.become(readable: true)
        #expect(try judge(tokens).topic == Fixture.topic)
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `over sockets too`(_ transport: Transport) async throws {
        let tokens = FakeDeviceTokens(.removed(FakeDeviceTokens.app, at: FakeDeviceTokens.removal))
        let acceptor = RecordingAcceptor()
        try await withIngress(transport, tokens: tokens, acceptor: acceptor) { _, address in
            try await withClient(transport, to: address) { send in
                let gone = try await send(PushRequest())
                #expect(gone.status == 410)
                #expect(gone.body == Self.unregistered.json)
                #expect(gone.headers["retry-after"] == nil)
                #expect(gone.headers["content-length"] == "\(gone.body.utf8.count)")
                tokens.become(readable: false)
                let unknown = try await send(PushRequest())
                #expect(unknown.status == 503)
                #expect(unknown.body == #"{"reason":"ServiceUnavailable"}"#)
                #expect(unknown.headers["retry-after"] == "5")
            }
        }
        #expect(acceptor.pushes.isEmpty)
    }
}
