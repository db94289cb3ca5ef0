// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import NIOCore
import NIOHTTP1
import NotificationPayload
import Testing

@testable import CenterLink
@testable import CenterServing

/// The answers of the API, asked without a socket.
@Suite(.timeLimit(.minutes(2)))
struct APITests {
    private let bench: Bench

    init() throws {
        bench = try Bench()
    }

    /// Sends records and returns the status and the body of what is asked then.
    private func ask(
        _ method: HTTPMethod,
        _ target: String,
        _ body: String? = nil,
        headers: HTTPHeaders = [:]
    ) async throws -> (status: UInt, body: JSONObject) {
        try await bench.ask(method, target, body, headers: headers)
    }

    private func deliver(_ records: OutboxRecord...) async throws {
        try await bench.withLink { link in
            for record in records { #expect(await link.send(record)) }
            _ = await link.answers(to: records.count)
        }
    }

    private func aps(_ thread: String, _ name: String? = nil) -> JSONObject { ["thread-id": .string(thread)] }

    @Test func `the front has stacks by thread, the newest first, with their summaries`() async throws {
        try await deliver(
            Bench.record(1, title: "a", aps: aps("one")),
            Bench.record(2, title: "b", aps: aps("two")),
            Bench.record(3, title: "c", aps: aps("one")),
            Bench.record(4, title: "d", aps: aps("one"))
        )
        let front = try await ask(.GET, "/v1/front").body
        let stacks = try #require(front["stacks"]?.array).compactMap(\.object)
        #expect(stacks.map { $0["count"]?.integer } == [3, 1])
        #expect(stacks.map { $0["summary"]?.string } == ["2 more notifications", nil])
        #expect(stacks.map { $0["thread"]?.string } == ["one", "two"])
        #expect(front["unseen"]?.integer == 4)
        #expect(front["next"] == .null)
        let spanish = try await ask(.GET, "/v1/front?limit=1", headers: ["accept-language": "es"]).body
        #expect(spanish["stacks"]?.array?.first?.object?["summary"]?.string == "2 notificaciones más")
        let next = try #require(spanish["next"]?.string)
        let rest = try await ask(.GET, "/v1/front?limit=1&before=\(next)").body
        #expect(rest["stacks"]?.array?.first?.object?["thread"]?.string == "two")
    }

    @Test func `a page of notifications ends where the next one begins`() async throws {
        try await deliver(Bench.record(1, title: "a"), Bench.record(2, title: "b"), Bench.record(3, title: "c"))
        let first = try await ask(.GET, "/v1/notifications?limit=2").body
        #expect(first["items"]?.array?.count == 2)
        let next = try #require(first["next"]?.string)
        let second = try await ask(.GET, "/v1/notifications?limit=2&before=\(next)").body
        #expect(second["items"]?.array?.count == 1)
        #expect(second["next"] == .null)
        let of = try await ask(.GET, "/v1/notifications?app=com.example.other").body
        #expect(of["items"]?.array?.isEmpty == true)
    }

    @Test func `one that was dismissed is gone, and one that never was is not found`() async throws {
        try await deliver(Bench.record(1))
        let listed = try bench.list()
        let id = try #require(listed.first).head.number
        #expect(try await ask(.GET, "/v1/notifications/\(id)").status == 200)
        #expect(try await ask(.DELETE, "/v1/notifications/\(id)").status == 204)
        let gone = try await ask(.GET, "/v1/notifications/\(id)")
        #expect(gone.status == 410)
        #expect(gone.body["reason"]?.string == "gone")
        #expect(try await ask(.DELETE, "/v1/notifications/\(id)").status == 410)
        #expect(try await ask(.GET, "/v1/notifications/999999").status == 404)
        #expect(try await ask(.DELETE, "/v1/notifications/x").status == 404)
    }

    @Test func `the read mark rises and does not fall`() async throws {
        try await deliver(Bench.record(1), Bench.record(2))
        let listed = try bench.list()
        let newest = try #require(listed.first).head.number
        #expect(try await ask(.PUT, "/v1/seen", #"{"number":"\#(newest)"}"#).status == 204)
        #expect(try await ask(.GET, "/v1/front").body["unseen"]?.integer == 0)
        #expect(try await ask(.PUT, "/v1/seen", #"{"number":"1"}"#).status == 204)
        #expect(try await ask(.GET, "/v1/front").body["seen"]?.string == "\(newest)")
    }

    @Test func `an app is stopped and allowed again`() async throws {
        try await deliver(Bench.record(1))
        let path = "/v1/apps/\(Bench.topic)/authorization"
        #expect(try await ask(.POST, path, #"{"decision":"deny"}"#).body["status"]?.string == "denied")
        try await deliver(Bench.record(2, title: "not shown"))
        #expect(try bench.titles() == ["Alice"])
        #expect(try await ask(.POST, path, #"{"decision":"allow"}"#).body["status"]?.string == "authorized")
        let apps = try await ask(.GET, "/v1/apps").body["apps"]?.array?.compactMap(\.object)
        #expect(apps?.first?["name"]?.string == "Chat")
        #expect(apps?.first?["status"]?.string == "authorized")
    }

    @Test func `an app is allowed without a part of what it asks for`() async throws {
        try await bench.center.adopt(owner: "me")
        let call = #"{"call":"authorize","options":["alert","sound","provisional"]}"#
        #expect(try await ask(.POST, "/v1/app/\(Bench.topic)/calls", call).status == 200)
        let path = "/v1/apps/\(Bench.topic)/authorization"
        let wrong = try await ask(.POST, path, #"{"decision":"allow","without":["noise"]}"#)
        #expect(wrong.body["message"]?.string == "\"without\" has an unknown word")
        let allowed = try await ask(.POST, path, #"{"decision":"allow","without":["sound"]}"#)
        #expect(allowed.body["status"]?.string == "authorized")
        let settings = try await ask(.GET, "/v1/apps/\(Bench.topic)/settings").body
        #expect(settings["sound"]?.bool == false)
        #expect(settings["alert"]?.bool == true)
        let late = try await ask(.POST, path, #"{"decision":"allow","without":["alert"]}"#)
        #expect(late.body["reason"]?.string == "decided")
    }

    @Test(arguments: [
        (HTTPMethod.GET, "/v1/nothing", nil as String?, UInt(404), "notFound"),
        (.POST, "/v1/front", nil, 405, "method"),
        (.GET, "/v1/front?limit=0", nil, 400, "badParameter"),
        (.GET, "/v1/front?limit=201", nil, 400, "badParameter"),
        (.GET, "/v1/front?before=x", nil, 400, "badParameter"),
        (.GET, "/v1/events?after=-1", nil, 400, "badParameter"),
        (.PUT, "/v1/seen", nil, 415, "mediaType"),
        (.PUT, "/v1/seen", "[1", 400, "badJSON"),
        (.PUT, "/v1/seen", #"{"number":7}"#, 400, "badParameter"),
        (.POST, "/v1/apps/com.example.none/authorization", #"{"decision":"allow"}"#, 404, "notFound"),
        (.POST, "/v1/apps/com.example.chat/authorization", #"{"decision":"maybe"}"#, 400, "badParameter"),
    ])
    func `bad input has a status, a word and a sentence`(
        method: HTTPMethod,
        target: String,
        body: String?,
        status: UInt,
        reason: String
    ) async throws {
        try await bench.center.adopt(owner: "me")
        let answer = try await ask(method, target, body)
        #expect(answer.status == status)
        #expect(answer.body["reason"]?.string == reason)
        #expect(answer.body["message"]?.string?.isEmpty == false)
    }

    @Test(arguments: ["/front", "v1/front", "/v2/front", "/v1/%zz", "/v1/%F", "/v1/%+1", "/v1/%ff", "/v1/a?b=%"])
    func `a target that is none of ours is no request`(target: String) {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target)
        let request = APIRequest(head, body: [])
        #expect(request.map { _ in true } == nil)
    }

    @Test func `what an app offers and is called is read anew once it changes, for lists and events`() async throws {
        try await deliver(Bench.record(1, aps: ["category": "message"]))
        let id = try #require(bench.list().first?.head.number)
        let path = "/v1/notifications/\(id)"
        #expect(try await ask(.GET, path).body["actions"] == nil)
        #expect(try await ask(.GET, "/v1/front").status == 200)
        let action = #"{"identifier":"done","title":"Done","options":[]}"#
        let call =
            #"{"call":"setCategories","categories":[{"identifier":"message","options":[],"actions":[\#(action)]}]}"#
        #expect(try await ask(.POST, "/v1/app/\(Bench.topic)/calls", call).status == 200)
        #expect(try await ask(.GET, path).body["actions"]?.array?.count == 1)
        let front = try await ask(.GET, "/v1/front").body["stacks"]?.array?.first?.object
        #expect(front?["leading"]?.object?["actions"]?.array?.count == 1)
        // Another app, which nobody had seen before.
        var registry = Bench.registry()
        var mail = CenterApp(topic: "com.example.mail", name: "Mail")
        mail.authorization = .granted
        registry.apps.append(mail)
        try await bench.withLink(registry) { link in
            #expect(await link.send(Bench.record(2, topic: "com.example.mail")))
            _ = await link.answers(to: 1)
        }
        let newest = try await ask(.GET, "/v1/notifications?limit=1").body["items"]?.array?.first?.object
        #expect(newest?["app"] == "com.example.mail")
    }

    // MARK: What is written in two ways

    @Test(arguments: ["%-0", "%+0", "%0", "%", "%g0", "%ff"])
    func `an escape is two digits, and text is UTF-8`(escape: String) {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/v1/a\(escape)")
        let request = APIRequest(head, body: [])
        #expect(request.map { _ in true } == nil)
    }

    @Test(arguments: ["006", "+6", "6.0", "0x6", " 6", "６"])
    func `a number has one form`(form: String) async throws {
        try await deliver(Bench.record(1))
        let target = form.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        #expect(try await ask(.GET, "/v1/notifications/\(target)").status == 404)
        #expect(try await ask(.GET, "/v1/notifications?limit=\(target)").status == 400)
        #expect(try await ask(.PUT, "/v1/seen", #"{"number":"\#(form)"}"#).status == 400)
    }

    @Test(arguments: [
        ("Application/JSON", 204), ("application/json; charset=utf-8", 204), ("application/jsonx", 415),
        ("application/json;\u{35D} charset=utf-8", 204), ("text/plain", 415),
    ])
    func `a body is JSON by its media type`(type: String, status: UInt) async throws {
        try await deliver(Bench.record(1))
        let head = HTTPRequestHead(
            version: .http1_1,
            method: .PUT,
            uri: "/v1/seen",
            headers: ["content-type": type]
        )
        let request = try #require(APIRequest(head, body: Array(#"{"number":"1"}"#.utf8)))
        guard case .answer(let answer) = await bench.api().reply(to: request) else {
            Issue.record("no answer")
            return
        }
        #expect(answer.status.code == status)
    }

    @Test func `a typed text is a text, and a language is a tag`() async throws {
        try await deliver(Bench.record(1))
        let id = try #require(bench.list().first?.head.number)
        let body = #"{"action":"default","text":5}"#
        let answer = try await ask(.POST, "/v1/notifications/\(id)/responses", body)
        #expect(answer.status == 400)
        #expect(answer.body["message"] == #""text" must be a text"#)
        for tag in ["!!", "e n", "-", "en-", ""] {
            #expect(try await ask(.PATCH, "/v1/owner", #"{"language":"\#(tag)"}"#).status == 400)
        }
        #expect(try await ask(.PATCH, "/v1/owner", #"{"language":"zh-Hant-TW"}"#).status == 200)
    }

    @Test func `the document of the API is one of OpenAPI 3 1, and names its routes`() async throws {
        let answer = try await ask(.GET, "/v1/openapi.json")
        #expect(answer.status == 200)
        #expect(answer.body["openapi"]?.string?.hasPrefix("3.1.") == true)
        let paths = try #require(answer.body["paths"]?.object).members.map(\.key)
        #expect(paths.contains("/v1/notifications/{id}/attachments/{place}"))
        #expect(paths.allSatisfy { $0.hasPrefix("/v1") })
        // Each is counted under a word of its own.
        let uncounted = paths.filter { APIRoute($0.split(separator: "/").dropFirst().map(String.init)) == .other }
        #expect(uncounted.isEmpty)
    }
}
