// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import HostRuntime
import Locking
import NIOCore
import NIOHTTP1
import NotificationPayload
import TestClock
import Testing
import UserNotificationCenter

@testable import CenterLink
@testable import CenterServing

/// An app in any language: it reads a stream of events and answers each with a request.
@Suite(.timeLimit(.minutes(2)))
struct AppStreamTests {
    private let bench: Bench
    private let api: CenterAPI

    init() async throws {
        bench = try Bench()
        api = bench.api()
        try await bench.center.adopt(owner: "me")
        try await bench.center.adopt(Bench.registry())
        _ = try await bench.center.install(bench.chat)
    }

    /// Reads the app's stream while the body runs.
    private func read(
        inFront: Bool = false,
        silent: Bool = false,
        _ body: (_ next: () async -> String?) async throws -> Void
    ) async throws {
        let (texts, continuation) = AsyncStream<String>.makeStream()
        let wishes = AppStream.Wishes(isInFront: inFront, silentPushes: silent)
        let stream = try bench.stream(wishes, of: api) { continuation.yield($0) }
        let reading = Task { try await stream.run() }
        let presenter = Task { [bench] in await ForegroundPresenter(bench.center).run(ManualClock()) }
        let key = try bench.chat
        while inFront, bench.center.foreground.answer(of: key) != nil { try await Task.turn() }
        try await body {
            for await text in texts { return text }
            return nil
        }
        reading.cancel()
        presenter.cancel()
        _ = try? await reading.value
        await presenter.value
    }

    private func data(_ text: String?, _ event: String) throws -> JSONObject {
        let text = try #require(text)
        let head = "event: \(event)\ndata: "
        #expect(text.hasPrefix(head))
        return try JSONObject(parsing: Array(text.dropFirst(head.count).utf8).span, depthLimit: 64)
    }

    /// Answers an event as the app, or as another one.
    private func answer(_ id: String?, _ body: String, app: String = Bench.topic) async throws -> (UInt, String?) {
        let uri = "/v1/app/\(app)/answers/\(try #require(id))"
        let headers: HTTPHeaders = ["content-type": "application/json"]
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: uri, headers: headers)
        guard case .answer(let answer) = await api.reply(to: try #require(APIRequest(head, body: Array(body.utf8))))
        else { return (0, nil) }
        var reason: String?
        for case .body(.byteBuffer(let buffer)) in answer.parts(isHeadOnly: false, isLast: false) {
            reason = try JSONObject(parsing: Array(buffer: buffer).span)["message"]?.string
        }
        return (answer.status.code, reason)
    }

    private func arrive(_ title: String) async throws {
        try await bench.withLink { link in
            _ = await link.send(Bench.record(1, title: title))
            _ = await link.answers(to: 1)
        }
    }

    @Test func `in front it is asked, and what it answers is shown`() async throws {
        try await read(inFront: true) { next in
            try await arrive("Alice")
            let asked = try data(await next(), "willPresent")
            #expect(asked["identifier"]?.string == "push-1")
            #expect(asked["payload"]?.object?["aps"]?.object?["alert"]?.object?["title"]?.string == "Alice")
            let id = asked["id"]?.string
            // Nobody else's, and nothing that cannot be read.
            #expect(try await answer(id, #"{"options":["list"]}"#, app: "com.example.other").0 == 404)
            #expect(try await answer(id, #"{"options":["loud"]}"#) == (400, "\"options\" has an unknown word"))
            #expect(try await answer(id, #"{}"#) == (400, "\"options\" is missing"))
            #expect(try bench.list().isEmpty)
            #expect(try await answer(id, #"{"options":["list"]}"#).0 == 204)
            while try bench.list().isEmpty { try await Task.turn() }
            #expect(try bench.list().first?.head.presentation.flags == [.list, .lock, .remote])
            #expect(try await answer(id, #"{"options":["list"]}"#).0 == 404)
        }
    }

    @Test func `it hears of its token, and of a person who wants to see its settings`() async throws {
        let key = try bench.chat
        try await arrive("Alice")
        let notification = try #require(try bench.list().first)
        try await read { next in
            while !bench.center.appNews.openSettings(nil, of: key) { try await Task.turn() }
            let first = try data(await next(), "openSettings")
            #expect(first == [:])
            bench.center.appNews.tell(token: "00ff", of: key)
            let token = try data(await next(), "token")
            #expect(token == ["token": "00ff"])
            bench.center.appNews.tell(token: "00ff", of: key)
            bench.center.appNews.tell(token: nil, of: key)
            let end = try data(await next(), "token")
            #expect(end == ["token": .null])
            let content = try #require(notification.content)
            let told = ToldNotification(
                number: notification.head.number,
                date: Moment(milliseconds: notification.head.date),
                request: StoredRequest(content, of: bench.center.store)
            )
            #expect(bench.center.appNews.openSettings(told, of: key))
            let asked = try data(await next(), "openSettings")
            #expect(asked["notification"]?.string == "\(notification.head.number)")
            #expect(asked["identifier"]?.string == "push-1")
        }
        #expect(!bench.center.appNews.openSettings(nil, of: key))
    }

    @Test func `a stream that ends while it is asked has its notification shown`() async throws {
        let key = try bench.chat
        try await read(inFront: true) { next in
            try await arrive("Alice")
            _ = try data(await next(), "willPresent")
            #expect(try bench.list().isEmpty)
        }
        #expect(bench.center.foreground.answer(of: key) == .background)
        let presenter = Task { [bench] in await ForegroundPresenter(bench.center).run(ManualClock()) }
        while try bench.list().isEmpty { try await Task.turn() }
        presenter.cancel()
        await presenter.value
        #expect(try bench.titles() == ["Alice"])
    }

    @Test func `it takes silent pushes if it says so`() async throws {
        let arrival = NotificationArrival(
            installation: try bench.chat,
            source: .call,
            fate: .silent(JSONObject([("room", 7)]).serialized),
            date: Bench.now
        )
        _ = try await bench.center.perform([.arrive(arrival)])
        try await read(silent: true) { next in
            let push = try data(await next(), "silent")
            #expect(push["payload"]?.object == ["room": 7])
            let id = push["id"]?.string
            #expect(try await answer(id, #"{"result":"good"}"#).0 == 400)
            #expect(try await answer(id, #"{"result":"newData"}"#).0 == 204)
            while try bench.center.store.silent(of: bench.chat) != nil { try await Task.turn() }
        }
    }

    @Test func `a silent push that its stream does not take waits for the next one`() async throws {
        let clock = ManualClock()
        let push = NotificationArrival(
            installation: try bench.chat,
            source: .call,
            fate: .silent(JSONObject([("room", 7)]).serialized),
            date: Bench.now
        )
        _ = try await bench.center.perform([.arrive(push)])
        let wishes = AppStream.Wishes(isInFront: false, silentPushes: true)
        // Its reader takes nothing.
        let stream = try bench.stream(wishes, of: bench.api(clock)) { _ in await Signal().wait() }
        let reading = Task { try await stream.run() }
        // That of the push, and that of responses which are none.
        while clock.sleepCount < 2 { try await Task.turn() }
        clock.advance(by: .seconds(30))
        _ = try? await reading.value
        #expect(try bench.center.store.silent(of: bench.chat) != nil)
    }

    @Test(arguments: ["inFront=yes", "silent=1"])
    func `a wish that is neither true nor false is refused`(query: String) async throws {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/v1/app/\(Bench.topic)/events?\(query)")
        guard case .answer(let answer) = await api.reply(to: try #require(APIRequest(head, body: []))) else {
            Issue.record("a stream began")
            return
        }
        #expect(answer.status == .badRequest)
    }
}
