// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import SceneModel
import Testing
import WorkerProtocol

/// A view's own side: it is opened once, and hears of events in their order.
///
/// Source: PROTOCOL.md, "Views".
struct ViewServingTests {
    private static let opening = ViewOpening(
        notification: ShownNotification(
            identifier: "a",
            date: "2026-11-21T03:00:00.123Z",
            payload: Payload(["aps": [:]])
        ),
        environment: ViewEnvironment(width: 300)
    )
    private static let tap = ViewWord.event(.node(3, .tap(at: nil)))

    private static func serving(_ role: ServeConversation.Role = .view, isOpen: Bool = true) throws -> ServeConversation
    {
        var conversation = ServeConversation(role)
        _ = try conversation.judge(.hello()).get()
        if isOpen { _ = try conversation.judge(.view(id: 1, opening)).get() }
        return conversation
    }

    @Test func `a view is opened and hears of events`() throws {
        var conversation = try Self.serving(isOpen: false)
        let opened = try conversation.judge(.view(id: 1, Self.opening))
        #expect(opened == .success(.view(Self.opening)))
        let first = try conversation.judge(.viewEvent(id: 1, seq: 4, Self.tap))
        #expect(first == .success(.viewEvent(seq: 4, Self.tap)))
        let newer = ViewWord.notification(Self.opening.notification)
        let second = try conversation.judge(.viewEvent(id: 1, seq: 5, newer))
        #expect(second == .success(.viewEvent(seq: 5, newer)))
        let again = try conversation.judge(.viewEvent(id: 1, seq: 5, Self.tap))
        #expect(again == .failure(.repeatedEvent(5)))
        let end = try conversation.judge(.shutdown)
        #expect(end == .success(.shutdown))
    }

    @Test(
        arguments: [
            (.view(id: 1, opening), .wrongPhase(.view)), (.viewEvent(id: 2, seq: 1, tap), .unknownID(2)),
            (.viewEvent(id: 1, seq: 0, tap), .repeatedEvent(0)), (.request(1), .wrongPhase(.request)),
            (.willExpire(id: 1), .unknownID(1)), (.hello(), .wrongPhase(.hello)),
        ] as [(HostMessage, ServeViolation)]
    )
    func `what an open view is not told`(message: HostMessage, violation: ServeViolation) throws {
        var conversation = try Self.serving()
        let judged = try conversation.judge(message)
        #expect(judged == .failure(violation))
    }

    @Test(
        arguments: [
            (.view(id: 2, opening), .unknownID(2)), (.viewEvent(id: 1, seq: 1, tap), .wrongPhase(.viewEvent)),
        ] as [(HostMessage, ServeViolation)]
    )
    func `what comes before a view is open`(message: HostMessage, violation: ServeViolation) throws {
        var conversation = try Self.serving(isOpen: false)
        let judged = try conversation.judge(message)
        #expect(judged == .failure(violation))
    }

    @Test func `a service is told of no view`() throws {
        var conversation = try Self.serving(.service, isOpen: false)
        let judged = try conversation.judge(.view(id: 1, Self.opening))
        #expect(judged == .failure(.wrongPhase(.view)))
    }
}
