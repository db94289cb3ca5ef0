// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import HostRuntime
import NIOCore
import NIOHTTP1
import NotificationPayload
import TestClock
import Testing
import UserNotificationCenter

@testable import CenterLink
@testable import CenterServing

/// Two owners of one centre: what one of them has, the other neither sees nor changes nor counts.
@Suite(.timeLimit(.minutes(2)))
struct OwnerSeparationTests {
    /// An app that only `me` has.
    private static let secret = "com.example.hidden"

    private let desk: OwnerDesk

    init() async throws { desk = try await OwnerDesk(registry: Self.registry) }

    private static var registry: LinkRegistry {
        var registry = Bench.registry()
        var app = CenterApp(topic: secret, name: "Zebra")
        app.authorization = .granted
        app.owners = ["me"]
        registry.apps.append(app)
        return registry
    }

    /// Gives `me` something of everything there is; every word of it has "zebra" in it.
    private func fill() async throws -> OwnerRoutes {
        let (bench, me) = (desk.bench, desk.bench.me)
        try await desk.deliver(1...40) { number in
            let topic = number % 10 == 0 ? Self.secret : Bench.topic
            let aps: JSONObject = ["thread-id": "zebra", "category": "zebra"]
            return Bench.record(number, title: "zebra \(number)", topic: topic, aps: aps, identifier: "zebra-\(number)")
        }
        try await desk.deliver(41...41) { Bench.record($0, title: "zebra, in silence", pushType: "background") }
        let upload = try desk.upload(of: bench.chat)
        let second = try desk.upload(of: bench.chat)
        let payload = #"{"aps":{"alert":"zebra"}}"#
        let trigger = #"{"type":"interval","seconds":500,"repeats":false}"#
        let file = #"{"identifier":"zebra","type":"public.jpeg","upload":"\#(upload)"}"#
        for call in [
            #"{"call":"add","request":{"identifier":"zebra-later","payload":\#(payload),"trigger":\#(trigger)}}"#,
            #"{"call":"add","request":{"identifier":"zebra-file","payload":\#(payload),"attachments":[\#(file)]}}"#,
            #"{"call":"setCategories","categories":[{"identifier":"zebra","actions":[],"options":[]}]}"#,
        ] { #expect(try await desk.ask(me, .POST, "/v1/app/\(Bench.topic)/calls", call).status == 200) }
        let numbers = try bench.list().map(\.head.number)
        try #require(numbers.count == 41)
        #expect(try await desk.ask(me, .DELETE, "/v1/notifications/\(numbers[1])").status == 204)
        let answer = #"{"action":"default"}"#
        #expect(try await desk.ask(me, .POST, "/v1/notifications/\(numbers[2])/responses", answer).status == 201)
        let token = try await desk.ask(me, .POST, "/v1/tokens", #"{"name":"zebra","scopes":["read"]}"#).object
        let session = try await desk.signIn(me)
        let stacks = try await desk.ask(me, .GET, "/v1/front").object["stacks"]?.array?
            .compactMap { $0.object?["id"]?.string }
        let presenter = Presenter(.page, isLocal: true)
        let surface = bench.center.announcements.surfaces.join(presenter, of: me, Announcements.Feed())
        return OwnerRoutes(
            ids: try numbers.prefix(4).map { "\($0)" } + [
                #require(token["id"]?.string), session, #require(surface), "present-1", "silent-1",
            ],
            stacks: try #require(stacks),
            topics: [Bench.topic, Self.secret],
            number: "\(numbers[0])",
            upload: second
        )
    }

    /// All that `me` can read, as text.
    private func picture() async throws -> [String] {
        var picture: [String] = []
        for target in [
            "", "/front?limit=200", "/notifications?limit=200", "/history?limit=200", "/apps", "/owner", "/tokens",
            "/sessions", "/apps/\(Bench.topic)/settings", "/apps/\(Self.secret)/settings",
        ] { picture.append(try await desk.ask(desk.bench.me, .GET, "/v1" + target).text) }
        for call in ["pending", "categories", "delivered", "settings"] {
            let body = #"{"call":"\#(call)"}"#
            picture.append(try await desk.ask(desk.bench.me, .POST, "/v1/app/\(Bench.topic)/calls", body).text)
        }
        picture.append("\(try desk.bench.center.store.responses(of: try desk.bench.chat, limit: 9))")
        return picture
    }

    /// Whatever the API's document has, asked by another owner with this owner's ids and names.
    @Test(arguments: [false, true])
    func `no route tells another owner anything, and none changes anything`(byToken: Bool) async throws {
        let routes = try await fill()
        let former = try await picture()
        #expect(former.allSatisfy { !$0.isEmpty })
        let access = byToken ? try await desk.tokenAccess(desk.ana) : .full(desk.ana)
        let foreign = Set(routes.ids.filter { ($0.count > 2 || Int($0) ?? 0 > 30) } + routes.stacks + [routes.upload])
        #expect(try await desk.ask(access, .GET, "/v1/apps/\(Self.secret)/settings").status == 404)
        var count = 0
        for asked in try routes.all() {
            let told = try await desk.ask(access, asked.method, asked.target, asked.body)
            count += 1
            #expect(!told.text.lowercased().contains("zebra"), "\(asked.method) \(asked.target)")
            #expect(told.strings.isDisjoint(with: foreign), "\(asked.method) \(asked.target)")
            if asked.namesForeign { #expect(told.status == 404, "\(asked.method) \(asked.target)") }
        }
        #expect(count > 150)
        #expect(try await picture() == former)
    }

    @Test func `a watcher hears of its own owner alone`() async throws {
        let record = try desk.bench.center.store.owner(desk.ana)
        let position = try #require(record).position
        async let heard = desk.firstEvent(of: desk.ana, after: position)
        while desk.bench.center.watcherCount == 0 { try await Task.turn() }
        _ = try await fill()
        desk.bench.center.announcements.tell(desk.bench.me, "missed", ["count": 7])
        let call = #"{"call":"add","request":{"identifier":"own","payload":{"aps":{"alert":"own"}}}}"#
        #expect(try await desk.ask(desk.ana, .POST, "/v1/app/\(Bench.topic)/calls", call).status == 200)
        let told = await heard
        let event = try #require(told)
        #expect(event.hasPrefix("id: \(position + 1)\n"))
        #expect(!event.contains("zebra"))
    }

    // MARK: Counts

    /// Tells what an owner sees who does a little of everything, beside another owner or alone.
    private func story(beside isBusy: Bool) async throws -> [String] {
        let desk = try await OwnerDesk(registry: Self.registry)
        let other = OwnerSeparationTests(desk)
        if isBusy { _ = try await other.fill() }
        let (ana, calls) = (desk.ana, "/v1/app/\(Bench.topic)/calls")
        var told: [String] = []
        func ask(_ method: HTTPMethod, _ target: String, _ body: String? = nil) async throws {
            told.append(try await desk.ask(ana, method, target, body).text)
        }
        for name in ["a", "b", "c"] {
            let request = #"{"identifier":"\#(name)","payload":{"aps":{"alert":"\#(name)"}}}"#
            try await ask(.POST, calls, #"{"call":"add","request":\#(request)}"#)
        }
        let page = try desk.bench.center.store.page(PageQuery(limit: 9), of: ana)
        let numbers = try #require(page).items.map(\.head.number)
        try await ask(.POST, "/v1/notifications/\(numbers[0])/responses", #"{"action":"default"}"#)
        told.append(try await desk.firstAppEvent(of: ana))
        try await ask(.DELETE, "/v1/notifications/\(numbers[1])")
        try await ask(.POST, "/v1/tokens", #"{"name":"a","scopes":["read"]}"#)
        for target in ["", "/front", "/notifications", "/history", "/apps", "/owner", "/tokens", "/sessions"] {
            try await ask(.GET, "/v1" + target)
        }
        try await ask(.POST, calls, #"{"call":"delivered"}"#)
        // Names of stacks and credentials, and a centre's own, are random or keyed: no two centres have the same.
        let random = /"(nbt_[A-Za-z0-9_-]{43}|[0-9a-f]{16}|http:\/\/nestbox-[0-9a-f]{20}\.localhost(:[0-9]+)?\/)"/
        return told.map { $0.replacing(random, with: "\"random\"") }
    }

    private init(_ desk: OwnerDesk) { self.desk = desk }

    @Test func `an owner is told the same whether or not another has much`() async throws {
        let alone = try await story(beside: false)
        #expect(alone.count == 16)
        #expect(try await story(beside: true) == alone)
    }
}
