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

/// Views of content extensions beside their notifications: what goes with which, and who hears of a response.
@Suite(.timeLimit(.minutes(2)))
struct ContentViewFateTests {
    private let views: ViewBench

    init() throws {
        views = try ViewBench()
    }

    @Test func `a view goes with its notification, and shows a newer version of it`() async throws {
        try await views.withHost { link in
            try await views.withUpkeep {
                let shown = try views.numbers().shown
                _ = try await views.open(shown)
                let first = await views.host.next()
                let newer = Bench.record(3, title: "Newer", aps: ["category": "photo"], identifier: "push-2")
                #expect(await link.send(newer))
                let event = await views.host.nextEvent()
                let notification = event?["notification"]?.object
                #expect(notification?["identifier"] == "push-2")
                #expect(notification?["payload"]?.object?["aps"]?.object?["alert"] == ["title": "Newer"])
                let number = try views.bench.list()[0].head.number
                #expect(number > shown)
                #expect(try await views.bench.ask(.DELETE, "/v1/notifications/\(number)").status == 204)
                #expect(await views.host.nextEnd() == first.number)
            }
        }
    }

    private static let thread: JSONObject = ["category": "photo", "thread-id": "chat"]

    /// Opens the view of a notification of a thread, which the link sends as the third one; returns its number.
    private func openThread(_ link: CenterConnection) async throws -> Int64 {
        #expect(await link.send(Bench.record(3, title: "First", aps: Self.thread, identifier: "first")))
        while try views.bench.list().count < 3 { try await Task.turn() }
        let shown = try views.bench.list()[0].head.number
        _ = try await views.open(shown)
        return shown
    }

    @Test func `a newer notification of the thread comes to the same view, which stays that of its own`() async throws {
        try await views.withHost { link in
            try await views.withUpkeep {
                let shown = try await openThread(link)
                let first = await views.host.next()
                let others =
                    [
                        ("elsewhere", ["category": "photo", "thread-id": "other"]),
                        ("film", ["category": "film", "thread-id": "chat"]),
                        ("none", ["category": "photo"]), ("second", Self.thread), ("second", Self.thread),
                    ] as [(String, JSONObject)]
                for (place, (identifier, aps)) in others.enumerated() {
                    let record = Bench.record(Int64(4 + place), title: identifier, aps: aps, identifier: identifier)
                    #expect(await link.send(record))
                    guard identifier == "second" else { continue }
                    let notification = await views.host.nextEvent()?["notification"]?.object
                    #expect(notification?["identifier"] == "second")
                }
                #expect(try await views.bench.ask(.DELETE, "/v1/notifications/\(shown)").status == 204)
                #expect(await views.host.nextEnd() == first.number)
            }
        }
    }

    @Test func `a commit that is told late is nothing newer to the view of its own notification, or of a later one`()
        async throws
    {
        try await views.withHost { link in
            try await views.withUpkeep {
                let shown = try await openThread(link)
                _ = await views.host.next()
                let found = try #require(try ShownContent(views.bench.center).find(shown, of: views.bench.me))
                let arrival = NotificationArrival(
                    installation: found.key,
                    source: .call,
                    fate: .listed(found.content, Presentation(flags: [.list])),
                    date: Bench.now
                )
                for number in [shown - 1, shown] {
                    let result = WorkResult.listed(number, replaces: nil, badge: nil)
                    views.bench.center.views.follow([.arrive(arrival)], [result])
                }
                #expect(await link.send(Bench.record(4, title: "Second", aps: Self.thread, identifier: "second")))
                #expect(await views.host.nextEvent()?["notification"]?.object?["identifier"] == "second")
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
        try await views.withHost { _ in
            let shown = try views.numbers().shown
            let opened = try await views.open(shown)
            let view = await views.host.next()
            let actions: JSON = [["identifier": "like", "title": "Like", "options": []]]
            view.report(.scene([["set": [["id": 1, "k": "column", "up": 0]], "actions": actions]]))
            try await views.follow(try #require(opened.body["view"]?.string)) { _ in
                while views.bench.center.views.views(of: shown, owner: views.bench.me).first?.actions.isEmpty != false {
                    try await Task.turn()
                }
                async let answer = views.bench.ask(.POST, "/v1/notifications/\(shown)/responses", #"{"action":"like"}"#)
                #expect(await views.host.nextEvent() == ["seq": 1, "response": ["number": 1, "action": "like"]])
                view.report(.scene([["ack": 1, "calls": [["option": .string(option.rawValue), "response": 1]]]]))
                if option != .doNotDismiss { view.report(.ended(.dismissed)) }
                let status = try await answer.status
                let isThere = try views.bench.list().contains { $0.head.number == shown }
                #expect((status, isThere) == (expected, stays))
            }
        }
    }

    @Test func `an action that only the view had is none once the view is gone`() async throws {
        try await views.withHost { _ in
            let shown = try views.numbers().shown
            let answer = try await views.bench.ask(
                .POST,
                "/v1/notifications/\(shown)/responses",
                #"{"action":"like"}"#
            )
            #expect(answer.status == 422 && answer.body["reason"] == "unknownAction")
        }
    }

    @Test func `a view that ends over a response leaves the response to the app`() async throws {
        try await views.withHost { _ in
            let shown = try views.numbers().shown
            let opened = try await views.open(shown)
            let view = await views.host.next()
            try await views.follow(try #require(opened.body["view"]?.string)) { _ in
                while views.bench.center.views.views(of: shown, owner: views.bench.me).isEmpty { try await Task.turn() }
                async let answer = views.bench.ask(
                    .POST,
                    "/v1/notifications/\(shown)/responses",
                    #"{"action":"default"}"#
                )
                let action = await views.host.nextEvent()?["response"]?.object?["action"]
                #expect(action == "com.apple.UNNotificationDefaultActionIdentifier")
                view.report(.ended(.crashed))
                let status = try await answer.status
                #expect(status == 201)
            }
        }
    }

    @Test func `a view that nobody looks at is not asked`() async throws {
        try await views.withHost { _ in
            let shown = try views.numbers().shown
            _ = try await views.open(shown)
            let answer = try await views.bench.ask(
                .POST,
                "/v1/notifications/\(shown)/responses",
                #"{"action":"default"}"#
            )
            #expect(answer.status == 201)
        }
    }

    @Test func `of two updates at once the view shows the last one, and stays`() async throws {
        try await views.withHost { link in
            let shown = try views.numbers().shown
            let opened = try #require(try await views.open(shown).body["view"]?.string.flatMap { Int64($0) })
            _ = await views.host.next()
            for number in 3...5 as ClosedRange<Int64> {
                let newer = Bench.record(number, title: "\(number)", aps: ["category": "photo"], identifier: "push-2")
                #expect(await link.send(newer))
            }
            while try views.bench.list().first?.head.number ?? 0 < shown + 3 { try await Task.turn() }
            try await views.withUpkeep {
                let notification = await views.host.nextEvent()?["notification"]?.object
                #expect(notification?["payload"]?.object?["aps"]?.object?["alert"] == ["title": "5"])
                let number = try views.bench.list()[0].head.number
                #expect(views.bench.center.views.view(opened, of: views.bench.me)?.number == number)
            }
        }
    }

    @Test func `what closes a view while nobody follows is told to who comes back, once`() async throws {
        let view = ContentView(of: try views.bench.chat, number: 1)
        try view.take(ViewBench.first)
        try view.take(["ack": 0, "calls": [["call": "defaultAction"]]])
        view.end(.dismissed)
        var told: [String] = []
        for _ in 1...2 { try await view.follow { told.append($0) } }
        let end = "event: ended\ndata: {\"reason\":\"dismissed\"}\n\n"
        #expect(told == ["event: scene\ndata: {\"calls\":[{\"call\":\"defaultAction\"}]}\n\n" + end, end])
    }

    @Test func `a view that was given up while it opened is not opened`() async throws {
        let view = ContentView(of: try views.bench.chat, number: 1)
        await view.close()
        #expect(!view.isOpen)
        try await views.withHost { _ in
            let wish = LinkView(owner: "me", topic: Bench.topic, notification: [:], environment: [:])
            await #expect(throws: APIError.tooManyViews) { try await views.bench.center.host.open(wish, [], as: view) }
            _ = try await views.open(try views.numbers().shown)
            #expect(await views.host.next().number == 1)
        }
    }
}
