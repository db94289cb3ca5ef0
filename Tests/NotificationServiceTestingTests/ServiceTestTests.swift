// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationServiceTesting
import Testing
import UserNotifications

// SAFETY: its state is set before the first call and in `didReceive`, which has returned before the last call here.
/// An extension in the shape of Xcode's template, which does what its test says.
private final class ScriptedService: UNNotificationServiceExtension, @unchecked Sendable {
    typealias Handler = @Sendable (UNNotificationContent) -> Void

    var onReceive: (ScriptedService, UNMutableNotificationContent) -> Void
    var onExpire: (ScriptedService) -> Void
    var handler: Handler?
    var content = UNMutableNotificationContent()

    init(
        onReceive: @escaping (ScriptedService, UNMutableNotificationContent) -> Void = { _, _ in },
        onExpire: @escaping (ScriptedService) -> Void = { _ in }
    ) {
        self.onReceive = onReceive
        self.onExpire = onExpire
    }

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping Handler) {
        handler = contentHandler
        content = request.content.mutableCopy() as? UNMutableNotificationContent ?? content
        onReceive(self, content)
    }

    override func serviceExtensionTimeWillExpire() {
        onExpire(self)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct ServiceTestTests {
    private let push = #"{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"mutable-content":1},"room":"kitchen"}"#

    @Test func `a completion is the result`() async throws {
        let test = ServiceTest(
            ScriptedService(onReceive: { service, content in
                content.title += " in \(content.userInfo["room"] ?? "")"
                service.handler?(content)
                content.title = "changed afterwards"
                service.handler?(content)
            })
        )
        let run = try test.begin(push)
        let result = try await run.result
        #expect(result.outcome == .modified)
        #expect(result.reason == nil)
        #expect(!result.isLate)
        #expect(result.content.title == "Alice in kitchen")
        #expect(result.content.body == "Lunch?")
        #expect(result.completionCount == 1)
    }

    @Test func `at the last call an extension may still answer`() async throws {
        let test = ServiceTest(
            ScriptedService(
                onReceive: { $1.title = "best attempt" },
                onExpire: { $0.handler?($0.content) }
            )
        )
        let run = try test.begin(push)
        try await run.advance(by: .milliseconds(27_999))
        #expect(!run.isConcluded)
        try await run.advance(by: .milliseconds(1))
        let result = try await run.result
        #expect(result.outcome == .modified)
        #expect(result.isLate)
        #expect(result.content.title == "best attempt")
    }

    @Test func `at the end of the budget the given content is delivered, and later completions count for nothing`()
        async throws
    {
        let service = ScriptedService(onReceive: { $1.title = "too late" })
        let run = try ServiceTest(service, budget: .seconds(3), grace: .seconds(1)).begin(push)
        try await run.advance(by: .seconds(2))
        #expect(!run.isConcluded)
        try await run.advance(by: .seconds(1))
        service.handler?(service.content)
        let result = try await run.result
        #expect(result.outcome == .original)
        #expect(result.reason == "budgetExceeded")
        #expect(result.content.title == "Alice")
    }

    @Test func `an extension that blocks gets its last call beside`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        let service = ScriptedService(
            onReceive: { _, _ in
                entered.signal()
                gate.wait()
            },
            onExpire: { $0.handler?($0.content) }
        )
        let run = try ServiceTest(service).begin(push)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                entered.wait()
                continuation.resume()
            }
        }
        try await run.advance(by: .seconds(28), whileRunning: true)
        #expect(try await run.result.isLate)
        gate.signal()
    }

    @Test(arguments: [
        (false, ServiceResult.Outcome.original, "emptyContent", "Alice"), (true, .suppressed, "filtered", ""),
    ])
    func `empty content`(filters: Bool, outcome: ServiceResult.Outcome, reason: String, title: String) async throws {
        let service = ScriptedService(onReceive: { service, _ in service.handler?(UNNotificationContent()) })
        let result = try await ServiceTest(service, filtersNotifications: filters).run(push)
        #expect(result.outcome == outcome)
        #expect(result.reason == reason)
        #expect(result.content.title == title)
    }

    @Test func `a content that no packet holds ends the extension`() async throws {
        let service = ScriptedService(onReceive: { service, content in
            content.body = String(repeating: "x", count: 70_000)
            service.handler?(content)
        })
        let result = try await ServiceTest(service).run(push)
        #expect(result.reason == "exitedEarly")
    }

    @Test(arguments: [#"{"aps":{"alert":"Hi"}}"#, #"{"aps":{"sound":"default","mutable-content":1}}"#])
    func `a push that starts no extension`(push: String) async throws {
        let result = try await ServiceTest(ScriptedService(onReceive: { _, _ in Issue.record("it was called") })).run(
            push
        )
        #expect(result.outcome == .original)
        #expect(result.reason == "notMutable")
        #expect(result.completionCount == 0)
    }

    @Test func `every notification gets an instance of its own`() async throws {
        let test = ServiceTest(
            ScriptedService(onReceive: { service, content in
                content.title = "\(ObjectIdentifier(service))"
                service.handler?(content)
            })
        )
        let (first, second) = (try test.begin(push), try test.begin(push))
        #expect(try await first.result.outcome == .modified)
        #expect(try await second.result.outcome == .modified)
    }

    @Test func `what is no payload is said`() async throws {
        #expect(throws: PayloadProblem.self) { try ServiceTest(ScriptedService()).begin("[]") }
    }

    @Test func `who waits can be cancelled`() async throws {
        let run = try ServiceTest(ScriptedService()).begin(push)
        let task = Task { try await run.result }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
