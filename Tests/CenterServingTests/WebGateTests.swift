// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import NIOCore
import NIOHTTP1
import NotificationPayload
import TestClock
import Testing

@testable import CenterServing

/// Sessions, tokens and codes, from the owner's socket to the port and back.
@Suite(.timeLimit(.minutes(2)))
struct WebGateTests {
    private let bench: Bench
    private let gate: WebGate
    private let origin: String

    init() async throws {
        bench = try await Bench.with()
        gate = WebGate(bench.center)
        origin = gate.open(try await gate.name(), port: 8787)
    }

    private var host: String { String(origin.dropFirst("http://".count)) }

    /// Makes a request at the port; returns its status, its reason and its body.
    private func ask(
        _ method: HTTPMethod,
        _ path: String,
        _ headers: HTTPHeaders,
        _ body: String? = nil
    ) async throws -> (status: UInt, body: JSONObject, cookie: String?) {
        var headers = headers
        if headers["host"].isEmpty { headers.add(name: "host", value: host) }
        if body != nil { headers.add(name: "content-type", value: "application/json") }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: "/v1/" + path, headers: headers)
        let request = try #require(APIRequest(head, body: Array((body ?? "").utf8)))
        let answer: APIAnswer
        do throws(APIError) {
            switch try await gate.admit(head, request, from: CallerAddress(nil)) {
            case .known(let access):
                guard case .answer(var known) = await bench.api().reply(to: request, as: access) else {
                    return (0, [:], nil)
                }
                if let cookie = access.cookie { known.headers.add(name: "set-cookie", value: cookie) }
                answer = known
            case .signsIn:
                let (_, cookie) = try await gate.signIn(request, from: CallerAddress(nil))
                return (201, [:], String(cookie.prefix { $0 != ";" }))
            }
        } catch {
            answer = error.answer
        }
        var bytes: [UInt8] = []
        for case .body(.byteBuffer(let buffer)) in answer.parts(isHeadOnly: false, isLast: false) {
            bytes += Array(buffer: buffer)
        }
        let object = bytes.isEmpty ? [:] : try JSONObject(parsing: bytes.span, depthLimit: 64)
        return (answer.status.code, object, answer.headers["set-cookie"].first)
    }

    /// A code as the owner's command makes it.
    private func code() async throws -> String {
        try #require(try await bench.ask(.POST, "/v1/codes").body["code"]?.string)
    }

    private func signIn() async throws -> HTTPHeaders {
        let answer = try await ask(.POST, "sessions", [:], #"{"code":"\#(try await code())"}"#)
        return ["cookie": try #require(answer.cookie), "origin": origin]
    }

    private func token(_ scopes: String..., days: Int? = nil) async throws -> HTTPHeaders {
        let list = scopes.map { "\"\($0)\"" }.joined(separator: ",")
        let end = days.map { ",\"days\":\($0)" } ?? ""
        let answer = try await bench.ask(.POST, "/v1/tokens", #"{"name":"test","scopes":[\#(list)]\#(end)}"#)
        return ["authorization": "Bearer " + (try #require(answer.body["token"]?.string))]
    }

    // MARK: Scopes

    @Test func `a browser does not say where its owner is, and a token with the scope does`() async throws {
        let place = #"{"latitude":40.4,"longitude":-3.7,"accuracy":5}"#
        let browser = try await ask(.PUT, "position", try await signIn(), place)
        #expect(browser.status == 403 && browser.body["reason"]?.string == "scope")
        let reader = try await ask(.PUT, "position", try await token("read", "admin"), place)
        #expect(reader.status == 403 && reader.body["reason"]?.string == "scope")
        let phone = try await token("position")
        #expect(try await ask(.PUT, "position", phone, place).status == 204)
        #expect(try await ask(.GET, "front", phone).body["reason"]?.string == "scope")
        #expect(try await ask(.GET, "", phone).body["scopes"]?.array?.compactMap(\.string) == ["position"])
    }

    // MARK: Codes and sessions

    @Test func `the name of the centre is its own, for good`() async throws {
        #expect(origin.hasPrefix("http://nestbox-") && origin.hasSuffix(".localhost:8787"))
        let next = WebGate(bench.center)
        #expect(next.open(try await next.name(), port: 9) == origin.dropLast(4) + "9")
    }

    @Test func `a code leads to a session, once`() async throws {
        let link = try await bench.ask(.POST, "/v1/codes").body["link"]?.string
        let code = try #require(link?.split(separator: "#sign-in=").last).description
        #expect(link == "\(origin)/#sign-in=\(code)" && code.utf8.count == 22)
        let first = try await ask(.POST, "sessions", [:], #"{"code":"\#(code)"}"#)
        #expect(first.status == 201)
        let session: HTTPHeaders = ["cookie": try #require(first.cookie)]
        let about = try await ask(.GET, "", session)
        #expect(about.status == 200 && about.body["owner"]?.string == "me")
        #expect(about.body["scopes"]?.array?.compactMap(\.string) == ["read", "respond", "settings"])
        let second = try await ask(.POST, "sessions", [:], #"{"code":"\#(code)"}"#)
        #expect(second.status == 401 && second.body["reason"]?.string == "credential")
    }

    @Test func `a code for a lock view leads to a session that reads what is hidden, and answers`() async throws {
        let made = try await bench.ask(.POST, "/v1/codes", #"{"surface":"lock"}"#)
        let code = try #require(made.body["code"]?.string)
        #expect(made.body["link"]?.string == "\(origin)/lock#sign-in=\(code)")
        let session: HTTPHeaders = [
            "cookie": try #require(try await ask(.POST, "sessions", [:], #"{"code":"\#(code)"}"#).cookie),
            "origin": origin,
        ]
        let about = try await ask(.GET, "", session)
        #expect(about.body["scopes"]?.array?.compactMap(\.string) == ["read", "respond", "surface:lock"])
        #expect(try await ask(.GET, "front", session).status == 200)
        let surface = try await ask(.GET, "events?surface=page", session)
        #expect(surface.status == 403 && surface.body["reason"]?.string == "needsAuthentication")
        let settings = try await ask(.PATCH, "owner", session, #"{"language":"pt"}"#)
        #expect(settings.status == 403 && settings.body["reason"]?.string == "scope")
        let history = try await ask(.DELETE, "history", session)
        #expect(history.status == 403 && history.body["reason"]?.string == "needsAuthentication")
        let restored = try await ask(.POST, "history/1/restore", session, "{}")
        #expect(restored.status == 403 && restored.body["reason"]?.string == "needsAuthentication")
    }

    @Test func `a browser that signs in anew has its former session ended`() async throws {
        let former = try await signIn()
        let body = #"{"code":"\#(try await code())"}"#
        let answer = try await ask(.POST, "sessions", former, body)
        #expect(answer.status == 201)
        #expect(try await ask(.GET, "front", former).status == 401)
        #expect(try await ask(.GET, "front", ["cookie": try #require(answer.cookie)]).status == 200)
    }

    @Test(arguments: [#"{"surface":"page"}"#, #"{"surface":1}"#, #"{"surface":null}"#])
    func `a code is for one of two views`(body: String) async throws {
        let answer = try await bench.ask(.POST, "/v1/codes", body)
        #expect(answer.status == 400 && answer.body["message"]?.string == #""surface" must be one of open, lock"#)
    }

    @Test func `a code ends after five minutes, and a session thirty days after its last use`() async throws {
        let code = try await code()
        bench.time.advance(by: WebGate.codeTime)
        #expect(try await ask(.POST, "sessions", [:], #"{"code":"\#(code)"}"#).status == 401)
        let session = try await signIn()
        for _ in 0..<3 {
            bench.time.advance(by: 20 * 24 * 60 * 60_000)
            let answer = try await ask(.GET, "front", session)
            #expect(answer.status == 200)
            // The browser's own time goes on as well, by the same cookie.
            #expect(answer.cookie?.hasPrefix(session["cookie"][0] + ";") == true)
            #expect(try await ask(.GET, "history", session).cookie == nil)
        }
        bench.time.advance(by: WebGate.sessionTime)
        #expect(try await ask(.GET, "front", session).status == 401)
    }

    @Test func `a session is listed, and ended from anywhere`() async throws {
        let (first, second) = (try await signIn(), try await signIn())
        let list = try await ask(.GET, "sessions", first).body["items"]?.array?.compactMap(\.object)
        #expect(list?.count == 2 && list?.count { $0["current"]?.bool == true } == 1)
        let other = try #require(list?.first { $0["current"]?.bool == false }?["id"]?.string)
        #expect(try await ask(.DELETE, "sessions/\(other)", first).status == 204)
        #expect(try await ask(.GET, "front", second).status == 401)
        let left = try await ask(.DELETE, "sessions/current", first)
        #expect(left.status == 204 && left.cookie?.hasPrefix("nestbox=;") == true)
        #expect(try await ask(.GET, "front", first).status == 401)
    }

    @Test func `a page of another site, port or name has nothing of a session`() async throws {
        let session = try await signIn()
        let cookie = HTTPHeaders([("cookie", session["cookie"][0])])
        #expect(try await ask(.POST, "history/1/restore", cookie).body["reason"]?.string == "origin")
        var headers = cookie
        headers.add(name: "origin", value: "http://localhost:8787")
        #expect(try await ask(.DELETE, "notifications", headers).body["reason"]?.string == "origin")
        headers = cookie
        headers.add(name: "sec-fetch-site", value: "same-site")
        #expect(try await ask(.GET, "front", headers).body["reason"]?.string == "origin")
        headers = cookie
        headers.add(name: "host", value: "rebound.evil.example:8787")
        #expect(try await ask(.GET, "front", headers).body["reason"]?.string == "hostName")
        #expect(try await ask(.GET, "front", session).status == 200)
    }

    @Test func `a session makes no token and no code`() async throws {
        let session = try await signIn()
        let body = #"{"name":"a","scopes":["admin"]}"#
        #expect(try await ask(.POST, "tokens", session, body).body["reason"]?.string == "scope")
        #expect(try await ask(.POST, "codes", session).body["reason"]?.string == "scope")
        #expect(try await ask(.POST, "app/\(Bench.topic)/calls", session, #"{"call":"settings"}"#).status == 403)
    }

    // MARK: Tokens

    @Test(
        arguments: [
            (["read"], "GET front", 200), (["read"], "DELETE notifications", 403), (["read"], "PATCH owner", 403),
            (["respond"], "GET front", 403), (["respond"], "DELETE notifications", 200),
            (["settings"], "PATCH owner", 200), (["settings"], "GET sessions", 200),
            (["settings"], "GET notifications/1", 403), (["read", "settings"], "GET tokens", 403),
            (["admin"], "GET tokens", 200), (["admin"], "GET history", 403),
            (["app:com.example.chat"], "POST app/com.example.chat/calls", 200),
            (["app:com.example.chat"], "POST app/com.example.other/calls", 403),
            (["app:com.example.chat"], "GET apps", 403), (["read"], "POST app/com.example.chat/calls", 403),
            (["read"], "GET ", 200), (["app:com.example.chat"], "GET nothing", 404),
        ] as [([String], String, UInt)]
    )
    func `a token does what its scopes say`(scopes: [String], asked: String, status: UInt) async throws {
        let list = scopes.map { "\"\($0)\"" }.joined(separator: ",")
        let made = try await bench.ask(.POST, "/v1/tokens", #"{"name":"test","scopes":[\#(list)]}"#)
        let text = try #require(made.body["token"]?.string)
        #expect(text.hasPrefix("nbt_") && text.utf8.count == 47)
        let parts = asked.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let method = HTTPMethod(rawValue: parts[0])
        let body: String? = ["POST": #"{"call":"settings"}"#, "PATCH": #"{"language":"es"}"#][parts[0]]
        let answer = try await ask(method, parts[1], ["authorization": "Bearer " + text], body)
        #expect(answer.status == status)
        if status == 403 { #expect(answer.body["reason"]?.string == "scope") }
    }

    @Test func `a token works by the names of the machine, until it ends or is removed`() async throws {
        var headers = try await token("read", days: 1)
        headers.add(name: "host", value: "127.0.0.1:8787")
        #expect(try await ask(.GET, "front", headers).status == 200)
        let id = try await bench.ask(.GET, "/v1/tokens").body["items"]?.array?.first?.object?["id"]?.string
        #expect(try await bench.ask(.DELETE, "/v1/tokens/\(try #require(id))").status == 204)
        #expect(try await ask(.GET, "front", headers).status == 401)
        let other = try await token("read", days: 1)
        bench.time.advance(by: 24 * 60 * 60_000)
        #expect(try await ask(.GET, "front", other).status == 401)
    }

    @Test(
        arguments: [
            "{}", #"{"name":"a"}"#, #"{"name":"","scopes":["read"]}"#, #"{"name":"a","scopes":[]}"#,
            #"{"name":"a","scopes":["everything"]}"#, #"{"name":"a","scopes":["app:"]}"#,
            #"{"name":"a","scopes":["read"],"days":0}"#, #"{"name":"a","scopes":[7]}"#,
        ]
    )
    func `a token that is none is refused`(body: String) async throws {
        let answer = try await bench.ask(.POST, "/v1/tokens", body)
        #expect(answer.status == 400 && answer.body["reason"]?.string == "badParameter")
        #expect(try await bench.ask(.GET, "/v1/tokens").body["items"]?.array?.isEmpty == true)
    }

    @Test func `an owner has sixty-four tokens, and the oldest go`() async throws {
        let first = try await token("read")
        bench.time.advance(by: 1)
        for _ in 0..<64 { _ = try await token("read") }
        #expect(try await ask(.GET, "front", first).status == 401)
        #expect(try await bench.ask(.GET, "/v1/tokens").body["items"]?.array?.count == 64)
    }

    @Test func `an app completes its own responses, and no other app's`() async throws {
        try await bench.deliver([Bench.record(1, aps: ["category": "told"])])
        let id = try #require(try bench.list().first).head.number
        let category = NotificationCategory(
            identifier: "told",
            actions: [CategoryAction(identifier: "yes", title: "Yes")]
        )
        _ = await CallDesk(bench.center).answer(.setCategories([category]), of: try bench.chat)
        #expect(try await bench.ask(.POST, "/v1/notifications/\(id)/responses", #"{"action":"yes"}"#).status == 201)
        let response = try #require(try bench.center.store.responses(after: 0, limit: 1).first).number
        let other = try await token("app:com.example.other")
        #expect(try await ask(.POST, "app/com.example.other/answers/\(response)", other, "{}").status == 404)
        let own = try await token("app:com.example.chat")
        #expect(try await ask(.POST, "app/com.example.chat/answers/\(response)", own, "{}").status == 204)
    }

    @Test func `a stream's credential is watched until it is ended or its time is over`() async throws {
        let session = try await signIn()
        _ = session
        let credential = try #require(try CredentialReader(bench.center.store).all(.session, of: bench.me, at: 0).first)
        let clock = ManualClock()
        async let ended: Void = gate.untilEnded(credential, clock)
        await clock.sleeper(until: .seconds(60))
        bench.time.advance(by: 20 * 24 * 60 * 60_000)
        clock.advance(by: .seconds(60))
        // It is in use, so it goes on.
        await clock.sleeper(until: .seconds(120))
        let id = credential.id
        #expect(try await bench.ask(.DELETE, "/v1/sessions/\(id)").status == 204)
        await ended
        _ = try await token("read", days: 1)
        let token = try #require(try CredentialReader(bench.center.store).all(.token, of: bench.me, at: 0).first)
        async let over: Void = gate.untilEnded(token, clock)
        await clock.sleeper(until: .seconds(120))
        bench.time.advance(by: 24 * 60 * 60_000)
        clock.advance(by: .seconds(60))
        await over
    }

    // MARK: Strangers

    @Test func `who guesses hears 401, then 429, and keeps nobody out`() async throws {
        let session = try await signIn()
        for _ in 0..<10 {
            #expect(try await ask(.GET, "front", ["authorization": "Bearer nbt_guess"]).status == 401)
        }
        #expect(try await ask(.GET, "front", ["authorization": "Bearer nbt_guess"]).status == 429)
        #expect(try await ask(.GET, "front", [:]).status == 429)
        #expect(try await ask(.GET, "front", session).status == 200)
        bench.time.advance(by: 60_000)
        #expect(try await ask(.GET, "front", [:]).status == 401)
    }

    @Test func `no secret is in the store, and what has ended is not either`() async throws {
        let session = try await signIn()
        let text = String(session["cookie"][0].dropFirst("nestbox=".count))
        let secret = try await token("read")["authorization"][0].dropFirst("Bearer ".count)
        for file in try FileManager.default.contentsOfDirectory(atPath: bench.folder) {
            let bytes = FileManager.default.contents(atPath: bench.folder + "/" + file) ?? Data()
            #expect(bytes.range(of: Data(text.utf8)) == nil && bytes.range(of: Data(secret.utf8)) == nil)
        }
        bench.time.advance(by: WebGate.sessionTime + 1)
        _ = try await bench.center.perform([])
        _ = try bench.center.store.maintain(at: bench.time.clock.wall())
        #expect(try CredentialReader(bench.center.store).all(.session, of: bench.me, at: 0).isEmpty)
        #expect(try CredentialReader(bench.center.store).all(.token, of: bench.me, at: 0).count == 1)
    }

    @Test func `without a port there is nothing to sign in to`() async throws {
        let other = try Bench()
        try await other.center.adopt(owner: "me")
        let answer = try await other.ask(.POST, "/v1/codes")
        #expect(answer.status == 409 && answer.body["reason"]?.string == "noPort")
    }
}
