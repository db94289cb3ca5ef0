// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import Locking
import NIOHTTP1
import NotificationPayload
import SceneModel
import TestClock
import Testing

@testable import CenterLink
@testable import CenterServing

/// Views of content extensions, from a request to the host over the link and back to the stream.
@Suite(.timeLimit(.minutes(2)))
struct ContentViewTests {
    private static let place = """
        {"width":360,"scale":2,"style":"light","textSize":1,"direction":"leftToRight","language":"en","timeZone":"UTC",\
        "reducedMotion":false}
        """
    private static let first: JSONObject = ["set": [["id": 1, "k": "text", "up": 0, "text": "Hello"]]]

    private let bench: Bench
    private let host = RecordingViews()

    init() throws {
        bench = try Bench()
    }

    private static var registry: LinkRegistry {
        var registry = Bench.registry()
        registry.apps[0].content = ContentExtension(
            categories: ["photo"],
            initialSizeRatio: 0.6,
            takesInteraction: true
        )
        return registry
    }

    /// Serves a host with a content extension, which has delivered a notification of its category and one of another.
    private func withHost(_ body: (CenterConnection) async throws -> Void) async throws {
        try await bench.withLink(Self.registry, views: host) { link in
            for (number, category) in [(1, "film"), (2, "photo")] as [(Int64, String)] {
                _ = await link.send(Bench.record(number, aps: ["category": .string(category)]))
            }
            _ = await link.answers(to: 2)
            while bench.center.host.isAbsent { await Task.yield() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { while await link.answers() != nil {} }
                group.addTask { await link.serve() }
                do { try await body(link) } catch {
                    await link.close()
                    throw error
                }
                await link.close()
                group.cancelAll()
            }
        }
    }

    /// The numbers of both notifications.
    private func numbers() throws -> (shown: Int64, other: Int64) {
        let list = try bench.list()
        return (list[0].head.number, list[1].head.number)
    }

    private func open(_ number: Int64) async throws -> (status: UInt, body: JSONObject) {
        try await bench.ask(.POST, "/v1/views", #"{"notification":"\#(number)","environment":\#(Self.place)}"#)
    }

    /// The events of a stream, as they come.
    private struct Events {
        var iterator: AsyncStream<String>.Iterator

        mutating func expect(_ text: String?, sourceLocation: SourceLocation = #_sourceLocation) async {
            let event = await iterator.next(isolation: nil)
            #expect(event == text, sourceLocation: sourceLocation)
        }
    }

    /// The events of a view's stream, up to its end.
    private func follow(_ number: String, _ body: (inout Events) async throws -> Void) async throws {
        let id = try #require(Int64(number))
        let view = try #require(bench.center.views.view(id, of: bench.me))
        let (texts, continuation) = AsyncStream<String>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await view.follow { text in
                    for event in text.split(separator: "\n\n") { continuation.yield(String(event)) }
                }
                continuation.finish()
            }
            defer { group.cancelAll() }
            var events = Events(iterator: texts.makeAsyncIterator())
            try await body(&events)
        }
    }

    @Test func `a notification says whether it has a view`() async throws {
        try await withHost { _ in
            let (shown, other) = try numbers()
            let view = try await bench.ask(.GET, "/v1/notifications/\(shown)").body["view"]?.object
            #expect(
                view == [
                    "initialSizeRatio": 0.6, "hidesDefaultContent": false, "overridesTitle": false,
                    "takesInteraction": true,
                ]
            )
            #expect(try await bench.ask(.GET, "/v1/notifications/\(other)").body["view"] == nil)
            let front = try await bench.ask(.GET, "/v1/front").body.serialized
            #expect(String(decoding: front, as: UTF8.self).contains(#""initialSizeRatio":0.6"#))
        }
    }

    @Test func `a view is opened, worked, and told to its end`() async throws {
        try await withHost { _ in
            let opened = try await open(try numbers().shown)
            #expect(opened.status == 201)
            let number = try #require(opened.body["view"]?.string)
            let wish = await host.next()
            #expect(wish.view.topic == Bench.topic)
            #expect(wish.view.owner == "me")
            #expect(wish.view.notification["payload"]?.object?["aps"]?.object?["category"] == "photo")
            #expect(wish.view.environment["width"] == 360)
            wish.report(.scene([Self.first]))
            try await follow(number) { events in
                await events.expect(
                    "event: whole\n" + #"data: {"set":[{"id":1,"k":"text","up":0,"text":"Hello"}]}"#
                )
                let sent = try await bench.ask(
                    .POST,
                    "/v1/views/\(number)/events",
                    #"{"events":[{"seq":3,"node":1,"event":"press"}]}"#
                )
                #expect(sent.status == 204)
                // The link counts by itself, and what was sent once is not handed on again.
                #expect(await host.nextEvent() == ["seq": 1, "node": 1, "event": "press"])
                let again = try await bench.ask(
                    .POST,
                    "/v1/views/\(number)/events",
                    #"{"events":[{"seq":3,"node":1,"event":"press"},{"seq":5,"media":"play"}]}"#
                )
                #expect(again.status == 204)
                #expect(await host.nextEvent() == ["seq": 2, "media": "play"])
                wish.report(.scene([["ack": 1, "set": [["id": 1, "k": "text", "up": 0, "text": "Bye"]]]]))
                await events.expect(
                    "event: scene\n" + #"data: {"ack":3,"set":[{"id":1,"k":"text","up":0,"text":"Bye"}]}"#
                )
                wish.report(.ended(.crashed))
                await events.expect("event: ended\n" + #"data: {"reason":"crashed"}"#)
                await events.expect(nil)
            }
            let late = try await bench.ask(
                .POST,
                "/v1/views/\(number)/events",
                #"{"events":[{"seq":4,"node":1,"event":"press"}]}"#
            )
            #expect(late.status == 404)
        }
    }

    @Test func `who comes back, and who is far behind, has the whole scene, with what the view asked for`() async throws
    {
        let view = ContentView(ContentView.Subject(key: try bench.chat, number: 1))
        try view.take(Self.first)
        let isHeld = Locked(true)
        let texts = Locked<[String]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await view.follow { text in
                    texts.withLock { $0.append(text) }
                    // The reader takes nothing more for now.
                    while isHeld.withLock({ $0 }) { await Task.yield() }
                }
            }
            while texts.withLock({ $0.isEmpty }) { await Task.yield() }
            for number in 1...100 {
                let calls: JSON = number == 7 ? [["call": "mediaStarted"]] : []
                try view.take(["title": .string("\(number)"), "calls": calls])
            }
            view.end(.closed)
            isHeld.withLock { $0 = false }
            try await group.waitForAll()
        }
        let last = try #require(texts.withLock { $0.last })
        #expect(last.contains(#"event: whole"#))
        #expect(last.contains(#""title":"100""#))
        #expect(last.contains("mediaStarted"))
        #expect(last.hasSuffix("event: ended\ndata: {\"reason\":\"closed\"}\n\n"))
        #expect(texts.withLock { $0.count } == 2)
    }

    @Test func `what cannot be opened says why`() async throws {
        try await withHost { _ in
            let (shown, other) = try numbers()
            let foreign = try await open(other)
            #expect(foreign.status == 404 && foreign.body["reason"] == "noExtension")
            let unknown = try await open(9999)
            #expect(unknown.status == 404 && unknown.body["reason"] == "notFound")
            let narrow = try await bench.ask(
                .POST,
                "/v1/views",
                #"{"notification":"\#(shown)","environment":{"width":100}}"#
            )
            #expect(narrow.status == 400)
            #expect(narrow.body["message"] == "\"environment.width\" is out of its range")
            for body in [#"{"environment":\#(Self.place)}"#, #"{"notification":"\#(shown)"}"#] {
                #expect(try await bench.ask(.POST, "/v1/views", body).status == 400)
            }
            for _ in 1...ContentViews.ownerLimit { #expect(try await open(shown).status == 201) }
            let full = try await open(shown)
            #expect(full.status == 429 && full.body["reason"] == "tooMany")
        }
        let alone = try await open(try numbers().shown)
        #expect(alone.status == 409 && alone.body["reason"] == "noHost")
    }

    @Test(
        arguments: [
            #"{"events":[]}"#, #"{"events":[{"node":1,"event":"press"}]}"#, #"{"events":[{"seq":1}]}"#,
            #"{"events":[{"seq":1,"close":true}]}"#, #"{"events":[{"seq":1,"response":{"number":1,"action":"a"}}]}"#,
            #"{"events":[{"seq":0,"media":"play"}]}"#, #"{"events":[{"seq":1,"node":1,"event":"fly"}]}"#,
        ]
    )
    func `events that cannot be read are refused`(body: String) async throws {
        try await withHost { _ in
            let number = try #require(try await open(try numbers().shown).body["view"]?.string)
            _ = await host.next()
            let answer = try await bench.ask(.POST, "/v1/views/\(number)/events", body)
            #expect(answer.status == 400 && answer.body["reason"] == "badParameter")
        }
    }

    @Test func `a lock view opens none, and another owner's is not there`() async throws {
        try await withHost { _ in
            let shown = try numbers().shown
            let locked = try await bench.ask(
                .POST,
                "/v1/views?surface=lock",
                #"{"notification":"\#(shown)","environment":\#(Self.place)}"#
            )
            #expect(locked.status == 403 && locked.body["reason"] == "needsAuthentication")
            let opened = try await open(shown)
            let number = try #require(opened.body["view"]?.string.flatMap { Int64($0) })
            let other = try #require(OwnerName("other"))
            #expect(bench.center.views.view(number, of: other) == nil)
            #expect(bench.center.views.view(number, of: bench.me) != nil)
        }
    }

    @Test func `a view that is closed ends at the host, and one that nobody follows for half a minute`() async throws {
        let clock = ManualClock()
        try await withHost { _ in
            let shown = try numbers().shown
            let closed = try #require(try await open(shown).body["view"]?.string)
            let first = await host.next()
            #expect(try await bench.ask(.DELETE, "/v1/views/\(closed)").status == 204)
            #expect(await host.nextEnd() == first.number)
            first.report(.ended(.closed))
            #expect(try await bench.ask(.DELETE, "/v1/views/\(closed)").status == 404)
            let opened = try await open(shown)
            let left = try #require(opened.body["view"]?.string.flatMap { Int64($0) })
            let second = await host.next()
            await withTaskGroup(of: Void.self) { [bench] group in
                group.addTask { await bench.center.views.run(clock, of: bench.center) }
                for look in 1...7 {
                    await clock.sleeper(until: .seconds(5 * look))
                    #expect(bench.center.views.view(left, of: bench.me) != nil)
                    clock.advance(to: .seconds(5 * look))
                }
                #expect(await host.nextEnd() == second.number)
                group.cancelAll()
            }
        }
    }

    @Test func `when the host goes its views are gone`() async throws {
        let number = Locked("")
        try await withHost { _ in
            let opened = try #require(try await open(try numbers().shown).body["view"]?.string)
            number.withLock { $0 = opened }
            _ = await host.next()
        }
        try await follow(number.withLock { $0 }) { events in
            await events.expect("event: ended\n" + #"data: {"reason":"gone"}"#)
        }
    }

    // MARK: What becomes of the notification

    /// Runs what looks after views beside the body.
    private func withUpkeep(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { [bench] group in
            group.addTask { await bench.center.views.run(ManualClock(), of: bench.center) }
            defer { group.cancelAll() }
            try await body()
        }
    }

    @Test func `a view goes with its notification, and shows a newer version of it`() async throws {
        try await withHost { link in
            try await withUpkeep {
                let shown = try numbers().shown
                _ = try await open(shown)
                let first = await host.next()
                let newer = Bench.record(3, title: "Newer", aps: ["category": "photo"], identifier: "push-2")
                #expect(await link.send(newer))
                let event = await host.nextEvent()
                let notification = event?["notification"]?.object
                #expect(notification?["identifier"] == "push-2")
                #expect(notification?["payload"]?.object?["aps"]?.object?["alert"] == ["title": "Newer"])
                let number = try bench.list()[0].head.number
                #expect(number > shown)
                #expect(try await bench.ask(.DELETE, "/v1/notifications/\(number)").status == 204)
                #expect(await host.nextEnd() == first.number)
            }
        }
    }

    @Test(
        arguments: [
            (.doNotDismiss, 200, true), (.dismiss, 204, false), (.dismissAndForwardAction, 201, false),
        ] as [(SceneCall.ResponseOption, UInt, Bool)]
    )
    func `a response goes to the view first, which decides what the app hears`(
        option: SceneCall.ResponseOption,
        expected: UInt,
        stays: Bool
    ) async throws {
        try await withHost { _ in
            let shown = try numbers().shown
            let opened = try await open(shown)
            let view = await host.next()
            let actions: JSON = [["identifier": "like", "title": "Like", "options": []]]
            view.report(.scene([["set": [["id": 1, "k": "column", "up": 0]], "actions": actions]]))
            try await follow(try #require(opened.body["view"]?.string)) { _ in
                while bench.center.views.views(of: shown, owner: bench.me).first?.actions.isEmpty != false {
                    await Task.yield()
                }
                async let answer = bench.ask(.POST, "/v1/notifications/\(shown)/responses", #"{"action":"like"}"#)
                #expect(await host.nextEvent() == ["seq": 1, "response": ["number": 1, "action": "like"]])
                view.report(.scene([["ack": 1, "calls": [["option": .string(option.rawValue), "response": 1]]]]))
                if option != .doNotDismiss { view.report(.ended(.dismissed)) }
                let status = try await answer.status
                let isThere = try bench.list().contains { $0.head.number == shown }
                #expect((status, isThere) == (expected, stays))
            }
        }
    }

    @Test func `an action that only the view had is none once the view is gone`() async throws {
        try await withHost { _ in
            let shown = try numbers().shown
            let answer = try await bench.ask(
                .POST,
                "/v1/notifications/\(shown)/responses",
                #"{"action":"like"}"#
            )
            #expect(answer.status == 422 && answer.body["reason"] == "unknownAction")
        }
    }

    @Test func `a view that ends over a response leaves the response to the app`() async throws {
        try await withHost { _ in
            let shown = try numbers().shown
            let opened = try await open(shown)
            let view = await host.next()
            try await follow(try #require(opened.body["view"]?.string)) { _ in
                while bench.center.views.views(of: shown, owner: bench.me).isEmpty { await Task.yield() }
                async let answer = bench.ask(.POST, "/v1/notifications/\(shown)/responses", #"{"action":"default"}"#)
                let action = await host.nextEvent()?["response"]?.object?["action"]
                #expect(action == "com.apple.UNNotificationDefaultActionIdentifier")
                view.report(.ended(.crashed))
                let status = try await answer.status
                #expect(status == 201)
            }
        }
    }

    @Test func `a view that nobody looks at is not asked`() async throws {
        try await withHost { _ in
            let shown = try numbers().shown
            _ = try await open(shown)
            let answer = try await bench.ask(
                .POST,
                "/v1/notifications/\(shown)/responses",
                #"{"action":"default"}"#
            )
            #expect(answer.status == 201)
        }
    }

    @Test func `of two updates at once the view shows the last one, and stays`() async throws {
        try await withHost { link in
            let shown = try numbers().shown
            _ = try await open(shown)
            _ = await host.next()
            for number in 3...5 as ClosedRange<Int64> {
                let newer = Bench.record(number, title: "\(number)", aps: ["category": "photo"], identifier: "push-2")
                #expect(await link.send(newer))
            }
            while try bench.list().first?.head.number ?? 0 < shown + 3 { await Task.yield() }
            try await withUpkeep {
                let notification = await host.nextEvent()?["notification"]?.object
                #expect(notification?["payload"]?.object?["aps"]?.object?["alert"] == ["title": "5"])
                let number = try bench.list()[0].head.number
                #expect(bench.center.views.view(1, of: bench.me)?.number == number)
            }
        }
    }

    @Test func `what closes a view while nobody follows is told to who comes back, once`() async throws {
        let view = ContentView(ContentView.Subject(key: try bench.chat, number: 1))
        try view.take(Self.first)
        try view.take(["ack": 0, "calls": [["call": "defaultAction"]]])
        view.end(.dismissed)
        var told: [String] = []
        for _ in 1...2 { try await view.follow { told.append($0) } }
        let end = "event: ended\ndata: {\"reason\":\"dismissed\"}\n\n"
        #expect(told == ["event: scene\ndata: {\"calls\":[{\"call\":\"defaultAction\"}]}\n\n" + end, end])
    }

    @Test func `a view that was given up while it opened is not opened`() async throws {
        let view = ContentView(ContentView.Subject(key: try bench.chat, number: 1))
        await view.close()
        #expect(!view.isOpen)
        try await withHost { _ in
            let wish = LinkView(owner: "me", topic: Bench.topic, notification: [:], environment: [:])
            await #expect(throws: APIError.tooManyViews) { try await bench.center.host.open(wish, as: view) }
            _ = try await open(try numbers().shown)
            #expect(await host.next().number == 1)
        }
    }
}
