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
    private let views: ViewBench

    init() throws {
        views = try ViewBench()
    }

    @Test func `a notification says whether it has a view`() async throws {
        try await views.withHost { _ in
            let (shown, other) = try views.numbers()
            let view = try await views.bench.ask(.GET, "/v1/notifications/\(shown)").body["view"]?.object
            #expect(
                view == [
                    "initialSizeRatio": 0.6, "hidesDefaultContent": false, "overridesTitle": false,
                    "takesInteraction": true,
                ]
            )
            #expect(try await views.bench.ask(.GET, "/v1/notifications/\(other)").body["view"] == nil)
            let front = try await views.bench.ask(.GET, "/v1/front").body.serialized
            #expect(String(decoding: front, as: UTF8.self).contains(#""initialSizeRatio":0.6"#))
            // The history opens none.
            #expect(try await views.bench.ask(.DELETE, "/v1/notifications/\(shown)").status == 204)
            let kept = try await views.bench.ask(.GET, "/v1/history").body["items"]?.array?.first?.object
            #expect(kept?["id"] == .string("\(shown)") && kept?["view"] == nil)
        }
    }

    @Test func `a view is opened, worked, and told to its end`() async throws {
        try await views.withHost { _ in
            let opened = try await views.open(try views.numbers().shown)
            #expect(opened.status == 201)
            let number = try #require(opened.body["view"]?.string)
            let wish = await views.host.next()
            #expect(wish.view.topic == Bench.topic)
            #expect(wish.view.owner == "me")
            #expect(wish.view.notification["payload"]?.object?["aps"]?.object?["category"] == "photo")
            #expect(wish.view.environment["width"] == 360)
            wish.report(.scene([ViewBench.first]))
            try await views.follow(number) { events in
                await events.expect(
                    "event: whole\n" + #"data: {"set":[{"id":1,"k":"text","up":0,"text":"Hello"}]}"#
                )
                let sent = try await views.bench.ask(
                    .POST,
                    "/v1/views/\(number)/events",
                    #"{"events":[{"seq":3,"node":1,"event":"press"}]}"#
                )
                #expect(sent.status == 204)
                // The link counts by itself, and what was sent once is not handed on again.
                #expect(await views.host.nextEvent() == ["seq": 1, "node": 1, "event": "press"])
                let again = try await views.bench.ask(
                    .POST,
                    "/v1/views/\(number)/events",
                    #"{"events":[{"seq":3,"node":1,"event":"press"},{"seq":5,"media":"play"}]}"#
                )
                #expect(again.status == 204)
                #expect(await views.host.nextEvent() == ["seq": 2, "media": "play"])
                wish.report(.scene([["ack": 1, "set": [["id": 1, "k": "text", "up": 0, "text": "Bye"]]]]))
                await events.expect(
                    "event: scene\n" + #"data: {"ack":3,"set":[{"id":1,"k":"text","up":0,"text":"Bye"}]}"#
                )
                wish.report(.ended(.crashed))
                await events.expect("event: ended\n" + #"data: {"reason":"crashed"}"#)
                await events.expect(nil)
            }
            let late = try await views.bench.ask(
                .POST,
                "/v1/views/\(number)/events",
                #"{"events":[{"seq":4,"node":1,"event":"press"}]}"#
            )
            #expect(late.status == 404)
        }
    }

    @Test func `who comes back, and who is far behind, has the whole scene, with what the view asked for`() async throws
    {
        let view = ContentView(of: try views.bench.chat, number: 1)
        try view.take(ViewBench.first)
        let isHeld = Locked(true)
        let texts = Locked<[String]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await view.follow { text in
                    texts.withLock { $0.append(text) }
                    // The reader takes nothing more for now.
                    while isHeld.withLock({ $0 }) { try await Task.turn() }
                }
            }
            while texts.withLock({ $0.isEmpty }) { try await Task.turn() }
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
        try await views.withHost { _ in
            let (shown, other) = try views.numbers()
            let foreign = try await views.open(other)
            #expect(foreign.status == 404 && foreign.body["reason"] == "noExtension")
            let unknown = try await views.open(9999)
            #expect(unknown.status == 404 && unknown.body["reason"] == "notFound")
            let narrow = try await views.bench.ask(
                .POST,
                "/v1/views",
                #"{"notification":"\#(shown)","environment":{"width":100}}"#
            )
            #expect(narrow.status == 400)
            #expect(narrow.body["message"] == "\"environment.width\" is out of its range")
            for body in [#"{"environment":\#(ViewBench.place)}"#, #"{"notification":"\#(shown)"}"#] {
                #expect(try await views.bench.ask(.POST, "/v1/views", body).status == 400)
            }
            for _ in 1...ContentViews.ownerLimit { #expect(try await views.open(shown).status == 201) }
            let full = try await views.open(shown)
            #expect(full.status == 429 && full.body["reason"] == "tooMany")
        }
        let alone = try await views.open(try views.numbers().shown)
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
        try await views.withHost { _ in
            let number = try #require(try await views.open(try views.numbers().shown).body["view"]?.string)
            _ = await views.host.next()
            let answer = try await views.bench.ask(.POST, "/v1/views/\(number)/events", body)
            #expect(answer.status == 400 && answer.body["reason"] == "badParameter")
        }
    }

    @Test(arguments: [
        ("other", [.read, .respond] as [Scope], [404, 404, 404, 404] as [UInt]), ("me", [.read], [403, 0, 403, 403]),
        ("me", [.settings], [403, 403, 403, 403]), ("me", [.respond], [201, 403, 204, 204]),
        ("me", [.read, .respond, .lockSurface], [403, 403, 403, 403]),
    ])
    func `who may open, follow, work and close a view`(owner: String, scopes: [Scope], answers: [UInt]) async throws {
        let credential = Credential(
            .token,
            hash: [1],
            owner: try #require(OwnerName(owner)),
            grant: Grant(name: "token", scopes: scopes).stored,
            made: Bench.now,
            ends: nil
        )
        let access = Access(credential)
        try await views.withHost { _ in
            let shown = try views.numbers().shown
            let number = try #require(try await views.open(shown).body["view"]?.string)
            let wish = #"{"notification":"\#(shown)","environment":\#(ViewBench.place)}"#
            let event = #"{"events":[{"seq":1,"node":1,"event":"tap"}]}"#
            let events = "/v1/views/\(number)/events"
            #expect(try await views.status(access, .POST, "/v1/views", wish) == answers[0])
            #expect(try await views.status(access, .GET, events) == answers[1])
            #expect(try await views.status(access, .POST, events, event) == answers[2])
            #expect(try await views.status(access, .DELETE, "/v1/views/\(number)") == answers[3])
        }
    }

    @Test func `eight follow one view, and the ninth hears that there are too many`() async throws {
        try await views.withHost { _ in
            let number = try #require(try await views.open(try views.numbers().shown).body["view"]?.string)
            let view = try #require(Int64(number).flatMap { views.bench.center.views.view($0, of: views.bench.me) })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for count in 1...8 {
                    #expect(try await views.bench.ask(.GET, "/v1/views/\(number)/events").status == 0)
                    group.addTask { try await view.follow { _ in } }
                    while view.followerCount < count { try await Task.turn() }
                }
                let ninth = try await views.bench.ask(.GET, "/v1/views/\(number)/events")
                #expect(ninth.status == 429 && ninth.body["reason"] == "tooMany")
                group.cancelAll()
            }
            #expect(try await views.bench.ask(.GET, "/v1/views/\(number)/events").status == 0)
        }
    }

    @Test func `a lock view opens none, and another owner's is not there`() async throws {
        try await views.withHost { _ in
            let shown = try views.numbers().shown
            let locked = try await views.bench.ask(
                .POST,
                "/v1/views?surface=lock",
                #"{"notification":"\#(shown)","environment":\#(ViewBench.place)}"#
            )
            #expect(locked.status == 403 && locked.body["reason"] == "needsAuthentication")
            let opened = try await views.open(shown)
            let number = try #require(opened.body["view"]?.string.flatMap { Int64($0) })
            let other = try #require(OwnerName("other"))
            #expect(views.bench.center.views.view(number, of: other) == nil)
            #expect(views.bench.center.views.view(number, of: views.bench.me) != nil)
        }
    }

    @Test func `a view that is closed ends at the host, and one that nobody follows for half a minute`() async throws {
        let clock = ManualClock()
        try await views.withHost { _ in
            let shown = try views.numbers().shown
            let closed = try #require(try await views.open(shown).body["view"]?.string)
            let first = await views.host.next()
            #expect(try await views.bench.ask(.DELETE, "/v1/views/\(closed)").status == 204)
            #expect(await views.host.nextEnd() == first.number)
            first.report(.ended(.closed))
            #expect(try await views.bench.ask(.DELETE, "/v1/views/\(closed)").status == 404)
            let opened = try await views.open(shown)
            let left = try #require(opened.body["view"]?.string.flatMap { Int64($0) })
            let second = await views.host.next()
            await withTaskGroup(of: Void.self) { [views] group in
                group.addTask { await views.bench.center.views.run(clock, of: views.bench.center) }
                for look in 1...7 {
                    await clock.sleeper(until: .seconds(5 * look))
                    #expect(views.bench.center.views.view(left, of: views.bench.me) != nil)
                    clock.advance(to: .seconds(5 * look))
                }
                #expect(await views.host.nextEnd() == second.number)
                group.cancelAll()
            }
        }
    }

    @Test func `when the host goes its views are gone`() async throws {
        let number = Locked("")
        try await views.withHost { _ in
            let opened = try #require(try await views.open(try views.numbers().shown).body["view"]?.string)
            number.withLock { $0 = opened }
            _ = await views.host.next()
        }
        try await views.follow(number.withLock { $0 }) { events in
            await events.expect("event: ended\n" + #"data: {"reason":"gone"}"#)
        }
    }
}
