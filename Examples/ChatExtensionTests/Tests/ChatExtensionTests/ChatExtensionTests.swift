// SPDX-License-Identifier: Apache-2.0

import NotificationServiceTesting
import Testing
import UserNotifications

@testable import ChatExtension

@Suite(.timeLimit(.minutes(1)))
struct ChatExtensionTests {
    private let test = ServiceTest(NotificationService())

    @Test func `a message gets the app's mark and the thread of its room`() async throws {
        let push = #"{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"mutable-content":1},"room":"kitchen"}"#
        let result = try await test.run(push)
        #expect(result.outcome == .modified)
        #expect(result.content.title == "Alice · Chat")
        #expect(result.content.body == "Lunch?")
        #expect(result.content.threadIdentifier == "kitchen")
    }

    @Test func `a thread that the sender chose stays`() async throws {
        let push = #"{"aps":{"alert":"Hi","mutable-content":1,"thread-id":"own"},"room":"kitchen"}"#
        #expect(try await test.run(push).content.threadIdentifier == "own")
    }

    @Test func `a push that asks for no change is left alone`() async throws {
        let result = try await test.run(#"{"aps":{"alert":"Hi"}}"#)
        #expect(result.outcome == .original)
        #expect(result.reason == "notMutable")
    }
}
