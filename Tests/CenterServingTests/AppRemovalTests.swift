// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import HostRuntime
import Locking
import NIOHTTP1
import NotificationPayload
import TestClock
import Testing
import UserNotificationCenter

@testable import CenterLink
@testable import CenterServing

/// An app that its owner removes for good: who may, what goes, who is told, and how it comes back.
@Suite(.timeLimit(.minutes(2)))
struct AppRemovalTests {
    private static let target = "/v1/apps/\(Bench.topic)"
    private let bench: Bench

    init() async throws {
        bench = try await Bench.with(Bench.registry(.ask))
    }

    private func allow() async throws {
        let answer = try await bench.ask(.POST, Self.target + "/authorization", #"{"decision":"allow"}"#)
        #expect(answer.status == 200)
    }

    private func call(_ name: String, _ members: String = "") async throws -> (status: UInt, body: JSONObject) {
        let body = #"{"call":"\#(name)"\#(members)}"#
        return try await bench.ask(.POST, "/v1/app/\(Bench.topic)/calls", body)
    }

    private func add(_ identifier: String, _ trigger: String = "") async throws -> (status: UInt, body: JSONObject) {
        let request = #"{"identifier":"\#(identifier)","payload":{"aps":{"alert":"Lunch?"}}\#(trigger)}"#
        return try await call("add", #","request":\#(request)"#)
    }

    private func request(_ target: String = target) throws -> APIRequest {
        let head = HTTPRequestHead(version: .http1_1, method: .DELETE, uri: target)
        return try #require(APIRequest(head, body: []))
    }

    /// Serves a host over a link until the body returns, which fulfils what the centre asks.
    private func withHost(
        _ registry: LinkRegistry = Bench.registry(.ask),
        _ body: (CenterConnection) async throws -> Void
    ) async throws {
        try await bench.withLink(registry) { link in
            let listening = Task { while await link.answers() != nil {} }
            let serving = Task { await link.serve() }
            while bench.center.host.isAbsent { try await Task.turn() }
            try await body(link)
            await link.close()
            serving.cancel()
            await listening.value
            await serving.value
        }
    }

    // MARK: What goes

    @Test func `everything of an app goes, and what is another app's or another owner's stays`() async throws {
        try await bench.center.adopt(owner: "ana")
        let ana = CenterAPI(center: bench.center, owner: try #require(OwnerName("ana")), clock: ContinuousClock())
        let key = try #require(InstallationKey(owner: ana.owner, app: Bench.topic))
        let other = try #require(InstallationKey(owner: bench.me, app: "com.example.other"))
        try await allow()
        for key in [key, other] { _ = try await bench.center.ask([.alert], key) }
        let trigger = #","trigger":{"type":"interval","seconds":60,"repeats":false}"#
        let categories = #","categories":[{"identifier":"a","actions":[],"options":[]}]"#
        #expect(try await call("setCategories", categories).status == 200)
        #expect(try await add("now").status == 200)
        #expect(try await add("past").status == 200)
        #expect(try await add("later", trigger).status == 200)
        #expect(try await call("badge", #","count":7"#).status == 200)
        let newest = try #require(try bench.list().first).head.number
        #expect(try await bench.ask(.DELETE, "/v1/notifications/\(newest)").status == 204)
        #expect(try await bench.ask(.DELETE, Self.target).status == 204)
        #expect(try await bench.ask(.GET, "/v1/notifications").body["items"] == [])
        #expect(try await bench.ask(.GET, "/v1/history").body["items"] == [])
        #expect(try await call("pending").body["requests"] == [])
        #expect(try await call("categories").body["categories"] == [])
        #expect(try await call("settings").body["settings"]?.object?["status"] == "notDetermined")
        let apps = try await bench.ask(.GET, "/v1/apps").body["apps"]?.array ?? []
        #expect(apps.compactMap { $0.object?["app"]?.string } == ["com.example.other"])
        #expect(try await bench.ask(.GET, "/v1/front").body["badge"]?.integer == 0)
        #expect(try bench.center.store.installation(key) != nil)
        let again = try await bench.ask(.DELETE, Self.target)
        #expect(again.status == 404 && again.body["reason"]?.string == "notFound")
    }

    @Test func `what an app has sent and not attached goes, also what is on its way`() async throws {
        try await allow()
        let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        func upload(_ key: InstallationKey) throws -> String {
            let place = try #require(bench.center.uploads.reserve(4, of: key, at: Bench.now))
            let draft = try bench.center.store.files.begin()
            try draft.append(bytes)
            let whole = FileShelf.File(id: draft.id, byteCount: draft.byteCount)
            return try #require(bench.center.uploads.keep(whole, at: place, at: Bench.now))
        }
        let other = try #require(InstallationKey(owner: bench.me, app: "com.example.other"))
        let (sent, kept) = (try upload(bench.chat), try upload(other))
        let coming = try #require(bench.center.uploads.reserve(4, of: bench.chat, at: Bench.now))
        #expect(try await bench.ask(.DELETE, Self.target).status == 204)
        #expect(try bench.center.uploads.take(sent, of: bench.chat) == nil)
        #expect(!bench.center.uploads.holds(coming))
        #expect(bench.center.uploads.take(kept, of: other) != nil)
    }

    @Test func `an app that its owner had denied is asked about anew, and its extension runs again`() async throws {
        try await withHost { _ in
            let denied = try await bench.ask(.POST, Self.target + "/authorization", #"{"decision":"deny"}"#)
            #expect(denied.status == 200)
            while !bench.gates.isShut(OwnedApp(topic: Bench.topic)) { try await Task.turn() }
            let removed = try await bench.ask(.DELETE, Self.target)
            #expect(removed.status == 204)
            while bench.gates.isShut(OwnedApp(topic: Bench.topic)) { try await Task.turn() }
            let permission = try bench.center.permission(of: bench.chat)
            #expect(permission.status == .notDetermined)
        }
    }

    @Test func `a permission that is read while its app is removed is not kept`() throws {
        let present = Locked(true)
        let reading = Locked<(@Sendable () -> Void)?>(nil)
        let cache = StoreCache<String, Int>(limit: 10) { _ in
            let found = present.withLock { $0 ? 1 : nil }
            reading.withLock(\.self)?()
            return found
        }
        // It goes between the reading and the keeping.
        reading.withLock {
            $0 = { [unowned cache] in
                present.withLock { $0 = false }
                cache.forget("a")
            }
        }
        let read = try cache.value(of: "a")
        reading.withLock { $0 = nil }
        #expect(read == 1)
        #expect(try cache.value(of: "a") == nil)
    }

    // MARK: Who may

    @Test func `nobody but the owner at the owner's own socket may`() async throws {
        try await allow()
        let all: [Scope] = [.read, .respond, .settings, .position, .admin, .app(Bench.topic)]
        for scopes in [all, [.read, .respond, .settings], [.read, .respond, .lockSurface]] {
            let grant = Grant(name: "all", scopes: scopes).stored
            let token = Credential(.token, hash: [1], owner: bench.me, grant: grant, made: Bench.now, ends: nil)
            guard case .answer(let answer) = await bench.api().reply(to: try request(), as: Access(token)) else {
                Issue.record("no answer")
                return
            }
            let body = try Bench.object(of: answer)
            #expect(answer.status.code == 403 && body["reason"]?.string == "scope")
            #expect(body["message"]?.string == "the credential does not have the scope \"owner\"")
        }
        // No word makes a token that has it.
        let wish = #"{"name":"all","scopes":["owner"]}"#
        #expect(try await bench.ask(.POST, "/v1/tokens", wish).status == 400)
        let lock = try await bench.ask(.DELETE, Self.target + "?surface=lock")
        #expect(lock.status == 403 && lock.body["reason"]?.string == "needsAuthentication")
        for (method, status) in [(HTTPMethod.GET, 405), (.PUT, 405)] as [(HTTPMethod, UInt)] {
            #expect(try await bench.ask(method, Self.target).status == status)
        }
        #expect(try await bench.ask(.DELETE, "/v1/apps/com.example.none").status == 404)
        #expect(try bench.center.store.installation(bench.chat) != nil)
    }

    // MARK: Who is told

    @Test func `who watches is told what has left the list, and that the app is gone`() async throws {
        try await allow()
        #expect(try await add("now").status == 200)
        let number = try #require(try bench.list().first).head.number
        let position = try #require(try bench.center.store.owner(bench.me)).position
        let texts = AsyncStream<String>.makeStream()
        let stream = EventStream(center: bench.center, owner: bench.me, hiding: nil, clock: ContinuousClock())
        let watching = Task { try await stream.run(after: position) { texts.continuation.yield($0) } }
        while bench.center.watcherCount == 0 { try await Task.turn() }
        #expect(try await bench.ask(.DELETE, Self.target).status == 204)
        var told = ""
        for await text in texts.stream {
            told += text
            if told.contains("event: app\n") { break }
        }
        watching.cancel()
        _ = try? await watching.value
        let expected = """
            id: \(position + 1)
            event: removed
            data: {"ids":["\(number)"],"by":"user"}

            id: \(position + 2)
            event: app
            data: {"app":"com.example.chat","removed":true}


            """
        #expect(told == expected)
    }

    @Test func `an app that waits for its owner's answer is told that it is not granted, and may do nothing`()
        async throws
    {
        let asked = Task { try await call("authorize", #","options":["alert"]"#) }
        while try bench.center.permission(of: bench.chat).question == nil { try await Task.turn() }
        #expect(try await bench.ask(.DELETE, Self.target).status == 204)
        let answer = try await asked.value
        #expect(answer.status == 200 && answer.body["granted"] == false)
        for refused in [try await add("now"), try await call("badge", #","count":1"#)] {
            #expect(refused.status == 422)
            #expect(refused.body["reason"]?.string == "notAllowed" && refused.body["code"]?.integer == 1)
        }
    }

    @Test func `a connection of the app hears the end of its token, and its next call is refused as a stranger's`()
        async throws
    {
        try await allow()
        try await bench.withApps {
            try await withHost { _ in
                let app = try await RawApp(bench)
                _ = try await app.hello()
                try app.send(AppPacket(.call, id: 1, body: ["call": "register"]))
                #expect(try await app.receive()?.body["token"]?.string == "0001")
                #expect(try await app.receive()?.body["ok"]?.object?["token"]?.string == "0001")
                #expect(try await bench.ask(.DELETE, Self.target).status == 204)
                let end = try await app.receive()
                #expect(end?.type == .token && end?.body["token"]?.string == nil)
                let request: JSONObject = ["identifier": "a", "payload": ["aps": ["alert": "Lunch?"]]]
                try app.send(AppPacket(.call, id: 2, body: ["call": "add", "request": .object(request)]))
                let refused = try await app.receive()?.body["error"]?.object
                #expect(refused?["code"]?.integer == 1)
                while bench.tokens.withdrawn.withLock(\.self) != [Bench.topic] { try await Task.turn() }
            }
        }
    }

    // MARK: The host

    @Test func `a registration is ended by the host that comes next, once`() async throws {
        try await allow()
        #expect(try await bench.ask(.DELETE, Self.target).status == 204)
        #expect(try bench.center.store.withdrawals() == [bench.chat])
        for _ in 0..<2 {
            try await withHost { _ in
                while try !bench.center.store.withdrawals().isEmpty { try await Task.turn() }
            }
        }
        #expect(bench.tokens.withdrawn.withLock(\.self) == [Bench.topic])
    }

    @Test func `a registration is ended also by a host that names the app no more, after one that it cannot end`()
        async throws
    {
        try await allow()
        #expect(try await bench.ask(.DELETE, Self.target).status == 204)
        bench.tokens.refusal.withLock { $0 = .disk }
        try await withHost(LinkRegistry(owners: [CenterOwner(name: "me")])) { _ in
            #expect(await RegistrationDesk(center: bench.center).settleAll() == false)
            bench.tokens.refusal.withLock { $0 = nil }
            #expect(await RegistrationDesk(center: bench.center).settleAll())
        }
        let owed = try bench.center.store.withdrawals()
        #expect(owed.isEmpty && bench.tokens.withdrawn.withLock(\.self) == [Bench.topic])
    }

    @Test func `an app that comes back has a token of its own, because the end of the former one goes before`()
        async throws
    {
        try await withHost { _ in
            try await allow()
            #expect(try await call("register").body["token"]?.string == "0001")
            // The host's disk is full as the app goes, and is not when it is back.
            bench.tokens.refusal.withLock { $0 = .disk }
            #expect(try await bench.ask(.DELETE, Self.target).status == 204)
            let refused = try await call("register")
            #expect(refused.status == 503 && refused.body["reason"]?.string == "disk")
            #expect(try bench.center.store.withdrawals() == [bench.chat])
            bench.tokens.refusal.withLock { $0 = nil }
            #expect(try await call("register").body["token"]?.string == "0002")
            #expect(try bench.center.store.withdrawals() == [])
            #expect(bench.tokens.withdrawn.withLock(\.self) == [Bench.topic])
        }
    }

    @Test func `a push for a removed app is one for an app that was never there`() async throws {
        try await allow()
        #expect(try await bench.ask(.DELETE, Self.target).status == 204)
        try await bench.withLink(Bench.registry(.ask)) { link in
            #expect(await link.send(Bench.record(1)))
            #expect(await link.answers(to: 1) == [.taken(1...1)])
        }
        // Nobody has allowed it.
        let listed = try bench.list()
        let permission = try bench.center.permission(of: bench.chat)
        #expect(listed.isEmpty && permission.status == .notDetermined)
        let fresh = try Bench()
        try await fresh.withLink(Bench.registry(.ask)) { link in
            #expect(await link.send(Bench.record(1)))
            #expect(await link.answers(to: 1) == [.taken(1...1)])
        }
        let apps = try await bench.ask(.GET, "/v1/apps").body
        #expect(try await fresh.ask(.GET, "/v1/apps").body == apps)
    }
}
