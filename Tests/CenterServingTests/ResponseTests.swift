// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import Locking
import NIOCore
import NIOHTTP1
import NotificationPayload
import TestClock
import Testing

@testable import CenterLink
@testable import CenterServing

/// The answers of people to notifications, on their way to the app.
@Suite(.timeLimit(.minutes(2)))
struct ResponseTests {
    private let bench: Bench

    init() throws {
        bench = try Bench()
    }

    private static let message = NotificationCategory(
        identifier: "message",
        actions: [
            CategoryAction(identifier: "like", title: "Like"),
            CategoryAction(
                identifier: "reply",
                title: "Reply",
                text: CategoryAction.TextInput(button: "Send", placeholder: "Message")
            ),
        ]
    )

    /// Delivers a message of the category, and returns its number.
    private func deliver(_ number: Int64 = 1, dismissals: Bool = false) async throws -> Int64 {
        var category = Self.message
        if dismissals { category.options = [.customDismissAction] }
        try await bench.withLink { link in
            #expect(await link.send(Bench.record(number, aps: ["category": "message"])))
            _ = await link.answers(to: 1)
        }
        let answer = await CallDesk(bench.center).answer(.setCategories([category]), of: try bench.chat)
        #expect(answer == .done)
        let listed = try bench.list()
        return try #require(listed.first).head.number
    }

    private func respond(_ number: Int64, _ body: String) async throws -> (status: UInt, reason: String?) {
        let head = HTTPRequestHead(
            version: .http1_1,
            method: .POST,
            uri: "/v1/notifications/\(number)/responses",
            headers: ["content-type": "application/json"]
        )
        let request = try #require(APIRequest(head, body: Array(body.utf8)))
        let api = CenterAPI(center: bench.center, owner: bench.me, clock: ContinuousClock())
        let reply = await api.reply(to: request)
        guard case .answer(let answer) = reply else { return (0, nil) }
        var bytes: [UInt8] = []
        for part in answer.parts(isHeadOnly: false, isLast: false) {
            if case .body(.byteBuffer(let buffer)) = part { bytes += Array(buffer: buffer) }
        }
        let object = bytes.isEmpty ? JSONObject([]) : try JSONObject(parsing: bytes.span)
        return (answer.status.code, object["reason"]?.string)
    }

    /// Reads so many responses as the app, and goes.
    private func read(_ count: Int) async throws -> [JSONObject] {
        let events = AsyncStream<String>.makeStream()
        let stream = try bench.stream { events.continuation.yield($0) }
        let task = Task { try await stream.run() }
        var found: [JSONObject] = []
        for await event in events.stream {
            guard let data = event.split(separator: "\n").last?.dropFirst("data: ".count) else { continue }
            found.append(try JSONObject(parsing: Array(data.utf8).span, depthLimit: 64))
            if found.count == count { break }
        }
        task.cancel()
        _ = try? await task.value
        return found
    }

    @Test func `a reply closes the notification and reaches the app whole`() async throws {
        let number = try await deliver()
        let text = String(repeating: "👋", count: 4096)
        #expect(try await respond(number, #"{"action":"reply","text":"\#(text)"}"#).status == 201)
        #expect(try bench.list().isEmpty)
        let response = try #require(try await read(1).first)
        #expect(response["action"]?.string == "reply")
        #expect(response["text"]?.string == text)
        #expect(response["identifier"]?.string == "push-1")
    }

    @Test func `a click is the default action`() async throws {
        let number = try await deliver()
        #expect(try await respond(number, #"{"action":"default"}"#).status == 201)
        let response = try #require(try await read(1).first)
        #expect(response["action"]?.string == "com.apple.UNNotificationDefaultActionIdentifier")
    }

    @Test func `the first answer counts, and the second hears so`() async throws {
        let number = try await deliver()
        #expect(try await respond(number, #"{"action":"like"}"#).status == 201)
        let second = try await respond(number, #"{"action":"like"}"#)
        #expect(second.status == 409)
        #expect(second.reason == "answered")
    }

    @Test func `a dismissal reaches the app only if its category wants it`() async throws {
        let quiet = try await deliver(1)
        #expect(try await respond(quiet, #"{"action":"dismiss"}"#).status == 204)
        #expect(try bench.center.store.responses(of: bench.chat, limit: 10).isEmpty)
        let told = try await deliver(2, dismissals: true)
        #expect(try await respond(told, #"{"action":"dismiss"}"#).status == 201)
        let response = try #require(try await read(1).first)
        #expect(response["action"]?.string == "com.apple.UNNotificationDismissActionIdentifier")
    }

    @Test func `an action is known for as long as a person may see it, whatever its app registers meanwhile`()
        async throws
    {
        let (first, second) = (try await deliver(1), try await deliver(2))
        let share = NotificationCategory(
            identifier: "message",
            actions: [CategoryAction(identifier: "share", title: "Share")]
        )
        let desk = CallDesk(bench.center)
        #expect(await desk.answer(.setCategories([share]), of: try bench.chat) == .done)
        #expect(try await respond(first, #"{"action":"like"}"#).status == 201)
        #expect(await desk.answer(.setCategories([]), of: try bench.chat) == .done)
        #expect(await desk.answer(.categories, of: try bench.chat) == .categories([]))
        #expect(try await respond(second, #"{"action":"unknown"}"#).reason == "unknownAction")
        #expect(try await respond(second, #"{"action":"like"}"#).status == 201)
    }

    @Test(arguments: [
        (#"{"action":"share"}"#, UInt(422), "unknownAction"),
        (#"{"action":"reply"}"#, 422, "badText"),
        (#"{"action":"reply","text":"a\u0000"}"#, 400, "badJSON"),
        (#"{"text":"a"}"#, 400, "badParameter"),
    ])
    func `an answer that the notification does not take is refused, and closes nothing`(
        body: String,
        status: UInt,
        reason: String
    ) async throws {
        let number = try await deliver()
        let answer = try await respond(number, body)
        #expect(answer.status == status)
        #expect(answer.reason == reason)
        #expect(try bench.list().count == 1)
    }

    @Test func `a response that the app did not complete comes again, three times at most`() async throws {
        let number = try await deliver()
        #expect(try await respond(number, #"{"action":"like"}"#).status == 201)
        for _ in 0..<3 { #expect(try await read(1).count == 1) }
        #expect(try bench.center.store.responses(of: bench.chat, limit: 10).isEmpty)
    }

    @Test func `of two connections of an app one gets a response`() async throws {
        let number = try await deliver()
        #expect(try await respond(number, #"{"action":"like"}"#).status == 201)
        let seen = Locked(0)
        let streams = try (0..<2).map { _ in
            try bench.stream { text in
                if text.hasPrefix("event: response") { seen.withLock { $0 += 1 } }
            }
        }
        let seenByBoth = try await withThrowingTaskGroup(of: Void.self) { group in
            for stream in streams { group.addTask { try? await stream.run() } }
            while bench.center.watcherCount < 2 { try await Task.turn() }
            // What a stream has when it ends goes to the other one, if that is still there.
            let count = seen.withLock(\.self)
            group.cancelAll()
            return count
        }
        #expect(seenByBoth == 1)
    }

    @Test func `a response that a connection leaves undone goes to the app's other one`() async throws {
        let number = try await deliver()
        #expect(try await respond(number, #"{"action":"like"}"#).status == 201)
        let seen = [Locked(0), Locked(0)]
        let streams = try seen.map { seen in
            try bench.stream { text in
                if text.hasPrefix("event: response") { seen.withLock { $0 += 1 } }
            }
        }
        let first = Task { try? await streams[0].run() }
        while seen[0].withLock(\.self) == 0 { try await Task.turn() }
        let second = Task { try? await streams[1].run() }
        while bench.center.watcherCount < 2 { try await Task.turn() }
        #expect(seen[1].withLock(\.self) == 0)
        first.cancel()
        while seen[1].withLock(\.self) == 0 { try await Task.turn() }
        second.cancel()
        await second.value
        #expect(seen.map { $0.withLock(\.self) } == [1, 1])
    }

    @Test func `one that is overdue waits again, however much else happens meanwhile`() async throws {
        let number = try await deliver()
        #expect(try await respond(number, #"{"action":"like"}"#).status == 201)
        let key = try bench.chat
        let seen = Locked(0)
        let stream = try bench.stream { text in
            if text.hasPrefix("event: response") { seen.withLock { $0 += 1 } }
        }
        let task = Task { try await stream.run() }
        for times in 1...2 {
            while seen.withLock(\.self) < times || bench.center.watcherCount == 0 { try await Task.turn() }
            bench.time.advance(by: 30_000)
            _ = try await bench.center.perform([.setBadge(key, times)])
        }
        while seen.withLock(\.self) < 3 || bench.center.watcherCount == 0 { try await Task.turn() }
        task.cancel()
        _ = try? await task.value
        #expect(try bench.center.store.responses(of: key, limit: 1).isEmpty)
    }

    @Test func `one that an app had when the centre died waits again`() async throws {
        let number = try await deliver()
        #expect(try await respond(number, #"{"action":"like"}"#).status == 201)
        let response = try #require(try bench.center.store.responses(of: bench.chat, limit: 1).first)
        _ = try await bench.center.perform([.step(response: response.id, .sent)])
        let next = Center(bench.center.store, clock: bench.time.clock, logger: Bench.logger)
        try await next.takeUp()
        let kept = try #require(try next.store.responses(of: bench.chat, limit: 1).first)
        #expect(kept.state == .stored)
        #expect(kept.tries == 1)
    }

    @Test func `one that the app completed is done`() async throws {
        let number = try await deliver()
        #expect(try await respond(number, #"{"action":"like"}"#).status == 201)
        let response = try #require(try bench.center.store.responses(of: bench.chat, limit: 1).first)
        _ = try await bench.center.perform([.step(response: response.id, .completed)])
        #expect(try bench.center.store.responses(of: bench.chat, limit: 10).isEmpty)
    }

    @Test func `an app that is there hears at once`() async throws {
        let number = try await deliver()
        async let heard = read(1)
        while bench.center.watcherCount == 0 { try await Task.turn() }
        #expect(try await respond(number, #"{"action":"like"}"#).status == 201)
        #expect(try await heard.first?["action"]?.string == "like")
    }
}
