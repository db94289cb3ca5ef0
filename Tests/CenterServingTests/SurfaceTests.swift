// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Foundation
import Locking
import NIOCore
import NIOHTTP1
import NotificationPayload
import TestClock
import Testing
import UserNotificationCenter

@testable import CenterServing

/// Streams whose readers may interrupt a person: what they say of themselves, and what they are told of one another.
@Suite(.timeLimit(.minutes(2)))
struct SurfaceTests {
    private static let whole = #"{"visible":true,"focused":true,"banners":true,"sound":true}"#

    private let bench: Bench

    init() throws {
        bench = try Bench()
    }

    private var surfaces: Surfaces { bench.center.announcements.surfaces }

    /// The events of one stream, as they come.
    private struct Reader {
        var events: AsyncStream<String>.Iterator
        /// The numbers of events that were written at once.
        let counts: Locked<[Int]>

        mutating func next() async throws -> String {
            try #require(await events.next(isolation: nil))
        }

        /// The data of the next event, which has this name.
        mutating func next(_ name: String) async throws -> JSONObject {
            let event = try await next()
            try #require(event.hasPrefix("event: \(name)\ndata: "))
            return try JSONObject(parsing: Array(event.dropFirst("event: \(name)\ndata: ".count).utf8).span)
        }

        /// Expects that the next event is this one.
        mutating func expect(_ name: String, _ data: JSONObject) async throws {
            let found = try await next(name)
            #expect(found == data)
        }
    }

    /// Reads as a watcher while the body runs; `kind` `nil` means that the watcher is no surface.
    private func withWatcher(
        _ kind: Presenter.Kind?,
        isLocal: Bool = true,
        of owner: OwnerName? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (inout Reader) async throws -> Void
    ) async throws {
        let owner = owner ?? bench.me
        let position = try bench.center.store.owner(owner)?.position ?? 0
        let (texts, continuation) = AsyncStream<String>.makeStream()
        let counts = Locked<[Int]>([])
        var stream = EventStream(center: bench.center, owner: owner, hiding: nil, clock: clock)
        stream.presenter = kind.map { Presenter($0, isLocal: isLocal) }
        try await withThrowingTaskGroup(of: Void.self) { [stream] group in
            group.addTask {
                try await stream.run(after: position) { text in
                    let events = text.split(separator: "\n\n")
                    counts.withLock { $0.append(events.count) }
                    for event in events { continuation.yield(String(event)) }
                }
            }
            var reader = Reader(events: texts.makeAsyncIterator(), counts: counts)
            defer { group.cancelAll() }
            try await body(&reader)
        }
    }

    private func put(_ id: String, _ body: String = whole) async throws -> (status: UInt, body: JSONObject) {
        try await bench.ask(.PUT, "/v1/surfaces/\(id)", body)
    }

    private static func surface(_ kind: String, local: Bool = true, all: Bool = false) -> JSON {
        [
            "kind": .string(kind), "local": .bool(local), "visible": .bool(all), "focused": .bool(all),
            "banners": .bool(all), "sound": .bool(all),
        ]
    }

    // MARK: What they are told

    @Test func `a surface is told its name and the time first, and then of all there are`() async throws {
        try await withWatcher(.page) { reader in
            let hello = try await reader.next("hello")
            #expect(hello["time"]?.string == NotificationView.text(of: Bench.now))
            #expect(hello["surface"]?.string?.wholeMatch(of: /[0-9a-f]{16}/) != nil)
            try await reader.expect("surfaces", ["surfaces": [Self.surface("page")], "own": 0])
        }
        #expect(surfaces.list(of: bench.me, as: "") == nil)
    }

    @Test func `each hears of who comes, what it says and that it goes, in the order of joining`() async throws {
        try await withWatcher(.desktop) { first in
            _ = try await first.next("hello")
            _ = try await first.next("surfaces")
            try await withWatcher(.page, isLocal: false) { second in
                let id = try #require(try await second.next("hello")["surface"]?.string)
                let both: JSON = [Self.surface("desktop"), Self.surface("page", local: false)]
                try await second.expect("surfaces", ["surfaces": both, "own": 1])
                try await first.expect("surfaces", ["surfaces": both, "own": 0])
                var answer = try await put(id)
                #expect(answer.status == 204)
                let then: JSON = [Self.surface("desktop"), Self.surface("page", local: false, all: true)]
                try await second.expect("surfaces", ["surfaces": then, "own": 1])
                try await first.expect("surfaces", ["surfaces": then, "own": 0])
                // What is so already is no news: the next that anybody hears is the end of this stream.
                answer = try await put(id)
                #expect(answer.status == 204)
            }
            try await first.expect("surfaces", ["surfaces": [Self.surface("desktop")], "own": 0])
        }
    }

    @Test func `a watcher that is no surface hears of none, and none of it`() async throws {
        try await withWatcher(.terminal) { surface in
            _ = try await surface.next("hello")
            _ = try await surface.next("surfaces")
            try await withWatcher(nil) { reader in
                while bench.center.watcherCount < 2 { try await Task.turn() }
                bench.center.announcements.tell(bench.me, "missed", ["count": 1])
                try await reader.expect("missed", ["count": 1])
                try await surface.expect("missed", ["count": 1])
            }
        }
    }

    @Test func `one that reads slowly has one state before it, however much changes`() throws {
        let feed = Announcements.Feed()
        let id = try #require(surfaces.join(Presenter(.page, isLocal: true), of: bench.me, feed))
        #expect(feed.take() == Announcements.News())
        for _ in 0..<50 {
            let other = surfaces.join(Presenter(.terminal, isLocal: true), of: bench.me, Announcements.Feed())
            surfaces.leave(try #require(other), of: bench.me)
        }
        let news = feed.take()
        #expect(news.hasSurfaces && news.events.isEmpty && news.looks.isEmpty)
        #expect(feed.take() == Announcements.News())
        #expect(surfaces.list(of: bench.me, as: id)?.surfaces.count == 1)
    }

    @Test func `a page is told at once what follows silence, and the rest in pieces, larger ones while nobody sees it`()
        async throws
    {
        let clock = ManualClock()
        try await bench.center.adopt(owner: "me")
        // The app is known, so that nothing but the notification changes.
        try await bench.deliver([Bench.record(1)])
        try await withWatcher(.page, clock: clock) { reader in
            let id = try #require(try await reader.next("hello")["surface"]?.string)
            _ = try await reader.next("surfaces")
            try await bench.deliver([Bench.record(2)])
            #expect(try await reader.next().contains("event: delivered\n"))
            await clock.sleeper(until: .milliseconds(250))
            try await bench.deliver([Bench.record(3)])
            try await bench.deliver([Bench.record(4)])
            clock.advance(by: .milliseconds(250))
            for _ in 3...4 { #expect(try await reader.next().contains("event: delivered\n")) }
            #expect(reader.counts.withLock { $0 } == [2, 1, 2])
            await clock.sleeper(until: .milliseconds(500))
            try await bench.deliver([Bench.record(5)])
            // Seen again, it is told at once.
            #expect(try await put(id).status == 204)
            #expect(try await reader.next().contains("event: delivered\n"))
            _ = try await reader.next("surfaces")
            await clock.sleeper(until: .milliseconds(280))
            try await bench.deliver([Bench.record(6)])
            try await bench.deliver([Bench.record(7)])
            clock.advance(by: .milliseconds(30))
            for _ in 6...7 { #expect(try await reader.next().contains("event: delivered\n")) }
            #expect(reader.counts.withLock { $0.last } == 2)
        }
    }

    @Test func `surfaces of another owner are not told`() async throws {
        try await bench.center.adopt(owner: "ana")
        let ana = try #require(OwnerName("ana"))
        try await withWatcher(.desktop) { other in
            _ = try await other.next("hello")
            try await withWatcher(.page, of: ana) { reader in
                _ = try await reader.next("hello")
                try await reader.expect("surfaces", ["surfaces": [Self.surface("page")], "own": 0])
            }
        }
    }

    // MARK: Bounds

    @Test func `an owner has so many surfaces, and a stream beyond them is none until one goes`() async throws {
        let ids = try (0..<Surfaces.limit).map { _ in
            try #require(surfaces.join(Presenter(.page, isLocal: true), of: bench.me, Announcements.Feed()))
        }
        #expect(Set(ids).count == Surfaces.limit)
        try await withWatcher(.page) { reader in
            let hello: JSONObject = [
                "time": .string(NotificationView.text(of: Bench.now)), "assets": .string(PageFiles.all.release),
            ]
            try await reader.expect("hello", hello)
        }
        surfaces.leave(ids[0], of: bench.me)
        try await withWatcher(.page) { reader in
            let hello = try await reader.next("hello")
            #expect(hello["surface"] != nil)
            let list = try await reader.next("surfaces")
            #expect(list["own"] == .integer(Int64(Surfaces.limit - 1)))
        }
    }

    @Test func `a surface says how it is twice a second, and once more a second later`() async throws {
        let id = try #require(surfaces.join(Presenter(.page, isLocal: true), of: bench.me, Announcements.Feed()))
        #expect(try await put(id).status == 204)
        bench.time.advance(by: 600)
        #expect(try await put(id).status == 204)
        let refused = try await put(id, #"{"visible":false,"focused":false,"banners":false,"sound":false}"#)
        #expect(refused.status == 429 && refused.body["reason"] == "tooMany")
        #expect(APIError.tooManyChanges.answer.headers["retry-after"] == ["1"])
        #expect(surfaces.list(of: bench.me, as: id)?.surfaces.first?.state.isVisible == true)
        // The first of the two is a second ago; the clock on the wall counts for nothing.
        bench.time.setWall(by: -3_600_000)
        bench.time.advance(by: 399)
        #expect(try await put(id).status == 429)
        bench.time.advance(by: 1)
        #expect(try await put(id).status == 204)
        #expect(try await put(id).status == 429)
    }

    @Test(arguments: [
        ("{}", "visible"), (#"{"visible":true,"focused":true,"banners":true}"#, "sound"),
        (#"{"visible":1,"focused":true,"banners":true,"sound":true}"#, "visible"),
        (#"{"visible":true,"focused":"true","banners":true,"sound":true}"#, "focused"),
        (#"{"visible":true,"focused":true,"banners":null,"sound":true}"#, "banners"),
        (#"{"visible":true,"focused":true,"banners":true,"sound":[]}"#, "sound"),
    ])
    func `a state that is not whole is refused by the member`(body: String, member: String) async throws {
        let id = try #require(surfaces.join(Presenter(.page, isLocal: true), of: bench.me, Announcements.Feed()))
        let answer = try await put(id, body)
        #expect(answer.status == 400)
        #expect(answer.body["message"] == .string("\"\(member)\" must be true or false"))
        #expect(surfaces.list(of: bench.me, as: id)?.surfaces.first?.state == Presenter.State())
    }

    // MARK: Who may

    @Test func `a name that is none, one that has gone and another owner's are the same`() async throws {
        try await bench.center.adopt(owner: "ana")
        let ana = try #require(OwnerName("ana"))
        let presenter = Presenter(.page, isLocal: true)
        let foreign = try #require(surfaces.join(presenter, of: ana, Announcements.Feed()))
        let former = try #require(surfaces.join(presenter, of: bench.me, Announcements.Feed()))
        surfaces.leave(former, of: bench.me)
        for id in [foreign, former, "0123456789abcdef", "-1", "%F0%9F%91%8B", "x"] {
            for _ in 0..<3 {
                let answer = try await put(id)
                #expect(answer.status == 404)
                #expect(answer.body == ["reason": "notFound", "message": "there is nothing of this name"])
            }
        }
        #expect(surfaces.list(of: ana, as: foreign)?.surfaces == [presenter])
        let own = try #require(surfaces.join(presenter, of: bench.me, Announcements.Feed()))
        let reading = try await bench.ask(.GET, "/v1/surfaces/\(own)")
        #expect(reading.status == 405)
        #expect(try await bench.ask(.PUT, "/v1/surfaces").status == 404)
    }

    private func reply(_ target: String, _ scopes: [Scope], _ method: HTTPMethod = .GET) async throws -> APIError? {
        let credential = Credential(
            .token,
            hash: [1],
            owner: bench.me,
            grant: Grant(name: "token", scopes: scopes).stored,
            made: Bench.now,
            ends: nil
        )
        let head = HTTPRequestHead(
            version: .http1_1,
            method: method,
            uri: target,
            headers: ["content-type": "application/json"]
        )
        let request = try #require(APIRequest(head, body: method == .PUT ? Array(Self.whole.utf8) : []))
        guard case .answer(let answer) = await bench.api().reply(to: request, as: Access(credential)) else {
            return nil
        }
        let known: [APIError] = [.scope("read"), .response(.needsAuthentication), .notFound]
        return known.first { $0.answer.status == answer.status && $0.answer.text == answer.text }
    }

    @Test func `whoever reads may join, a lock view may not, and it is not told whether a name is one`() async throws {
        let id = try #require(surfaces.join(Presenter(.page, isLocal: true), of: bench.me, Announcements.Feed()))
        for kind in ["page", "desktop", "terminal"] {
            #expect(try await reply("/v1/events?surface=\(kind)", [.read]) == nil)
            #expect(try await reply("/v1/events?surface=\(kind)", [.respond, .settings]) == .scope("read"))
            let hidden = try await reply("/v1/events?surface=\(kind)", [.read, .respond, .lockSurface])
            #expect(hidden == .response(.needsAuthentication))
        }
        #expect(try await reply("/v1/events?surface=lock", [.read, .lockSurface]) == nil)
        #expect(try await reply("/v1/surfaces/\(id)", [.respond, .admin], .PUT) == .scope("read"))
        for name in [id, "0123456789abcdef"] {
            let hidden = try await reply("/v1/surfaces/\(name)", [.read, .lockSurface], .PUT)
            #expect(hidden == .response(.needsAuthentication))
        }
        #expect(surfaces.list(of: bench.me, as: id)?.surfaces.first?.state == Presenter.State())
        #expect(try await reply("/v1/surfaces/0123456789abcdef", [.read], .PUT) == .notFound)
    }

    @Test func `a surface is one of a stream alone, and of a kind that there is`() async throws {
        let answer = try await bench.ask(.GET, "/v1/events?surface=door")
        #expect(answer.status == 400)
        #expect(answer.body["message"] == #""surface" must be one of open, lock, page, desktop, terminal"#)
        for kind in ["page", "desktop", "terminal", "Page", ""] {
            let answer = try await bench.ask(.GET, "/v1/front?surface=\(kind)")
            #expect(answer.status == 400)
            #expect(answer.body["message"] == #""surface" must be one of open, lock"#)
        }
    }
}

extension APIAnswer {
    fileprivate var text: String {
        var bytes: [UInt8] = []
        for case .body(.byteBuffer(let buffer)) in parts(isHeadOnly: false, isLast: false) {
            bytes += Array(buffer.readableBytesView)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
