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

/// A lock view, in front of which anybody may stand: nothing that is hidden leaves the centre for it.
@Suite(.timeLimit(.minutes(2)))
struct LockSurfaceTests {
    private static let canary = "canary-7f3a"
    private let bench: Bench

    init() async throws {
        bench = try await Bench.with()
    }

    /// A caller with a token that is restricted.
    private var lock: Access {
        Access(
            Credential(
                .token,
                hash: [1],
                owner: bench.me,
                grant: Grant(name: "kiosk", scopes: [.read, .respond, .lockSurface]).stored,
                made: Bench.now,
                ends: nil
            )
        )
    }

    /// Asks as a lock view does; returns the status and all that is sent.
    private func ask(
        _ method: HTTPMethod,
        _ target: String,
        _ body: String = "",
        as access: Access? = nil
    ) async throws -> (status: UInt, text: String) {
        let head = HTTPRequestHead(
            version: .http1_1,
            method: method,
            uri: target,
            headers: ["content-type": "application/json", "accept-language": "es"]
        )
        let request = try #require(APIRequest(head, body: Array(body.utf8)))
        var bytes: [UInt8] = []
        switch await bench.api().reply(to: request, as: access ?? lock) {
        case .answer(let answer):
            for case .body(.byteBuffer(let buffer)) in answer.parts(isHeadOnly: false, isLast: false) {
                bytes += Array(buffer: buffer)
            }
            return (answer.status.code, String(decoding: bytes, as: UTF8.self))
        case .file: return (200, "a file")
        case .events(let number, let hiding, _):
            let stream = EventStream(center: bench.center, owner: bench.me, hiding: hiding, clock: ContinuousClock())
            let pieces = AsyncStream<String>.makeStream()
            let task = Task {
                try await stream.run(after: number) { pieces.continuation.yield($0) }
                pieces.continuation.finish()
            }
            var text = ""
            for await piece in pieces.stream {
                text += piece
                if text.contains("event: delivered") { break }
            }
            task.cancel()
            _ = try? await task.value
            return (200, text)
        default: return (0, "")
        }
    }

    private func hidePreviews(_ word: String = "whenAuthenticated") async throws {
        let path = "/v1/apps/\(Bench.topic)/settings"
        #expect(try await bench.ask(.PATCH, path, #"{"previews":"\#(word)"}"#).status == 200)
    }

    /// Records of which every text is a canary, in three threads.
    private func deliver(_ count: Int64, category: String? = nil) async throws {
        let records = try (1...count).map { number in
            var record = try JSONObject(parsing: Bench.record(number).record.span)
            record["identifier"] = .string("\(Self.canary)-\(number)")
            var aps: JSONObject = [
                "alert": [
                    "title": .string(Self.canary), "subtitle": .string(Self.canary), "body": .string(Self.canary),
                    "summary-arg": .string(Self.canary),
                ], "thread-id": .string("\(Self.canary)-\(number % 3)"),
            ]
            aps["category"] = category.map(JSON.string)
            record["payload"] = ["aps": .object(aps), "note": .string(Self.canary)]
            record["outcome"] = "original"
            record["reason"] = .string(Self.canary)
            record["refusedAttachments"] = [["identifier": .string(Self.canary), "reason": "notFound"]]
            return Bench.record(number, record.serialized)
        }
        try await bench.deliver(records)
    }

    private func categories(_ options: String, placeholder: String? = nil) async throws {
        let text = placeholder.map { #","hiddenPreviewsBodyPlaceholder":"\#($0)""# } ?? ""
        let action = #"{"identifier":"erase","title":"Erase","options":["authenticationRequired"]}"#
        let body = """
            {"call":"setCategories","categories":[{"identifier":"message","actions":[\(action)],
             "options":[\(options)]\(text)}]}
            """
        #expect(try await bench.ask(.POST, "/v1/app/\(Bench.topic)/calls", body).status == 200)
    }

    @Test(arguments: ["whenAuthenticated", "never"])
    func `of a thousand hidden canaries no byte is sent, whatever is asked`(previews: String) async throws {
        try await deliver(1000)
        try await hidePreviews(previews)
        let stacks = try #require(try await bench.ask(.GET, "/v1/front").body["stacks"]?.array)
        let newest = try #require(bench.list().first?.head.number)
        _ = try await bench.ask(.DELETE, "/v1/notifications/\(newest)")
        var targets = [
            "/v1/front", "/v1/front?limit=1", "/v1/notifications?limit=200", "/v1/notifications/\(newest - 1)",
            "/v1/notifications/\(newest)", "/v1/history", "/v1/apps", "/v1/owner", "/v1", "/v1/events?after=1",
            "/v1/notifications/\(newest - 1)/attachments/0", "/v1/notifications/\(newest)/attachments/0",
            "/v1/app/\(Bench.topic)/events", "/v1/tokens", "/v1/sessions", "/v1/front?surface=open",
        ]
        targets += stacks.compactMap { $0.object?["id"]?.string }.map { "/v1/stacks/\($0)?limit=200" }
        #expect(targets.count == 19)
        for target in targets {
            let text = try await ask(.GET, target).text
            #expect(!text.contains(Self.canary), "\(target)")
        }
        #expect(try await ask(.GET, "/v1/events?after=1").text.contains(#""hidden":{"placeholder":"Notificación"}"#))
    }

    @Test func `the placeholder counts a stack, and the category says what may be shown`() async throws {
        try await categories(#""hiddenPreviewsShowTitle""#, placeholder: "%u mensajes")
        try await deliver(6, category: "message")
        try await hidePreviews()
        let front = try JSONObject(parsing: Array(try await ask(.GET, "/v1/front").text.utf8).span, depthLimit: 32)
        let stack = try #require(front["stacks"]?.array?.first?.object)
        #expect(stack["count"] == 2)
        #expect(stack["hidden"] == ["placeholder": "2 mensajes"])
        #expect(stack["summary"] == nil)
        #expect(stack["thread"] == nil)
        let leading = try #require(stack["leading"]?.object)
        #expect(leading["hidden"] == ["placeholder": "1 mensajes", "title": .string(Self.canary)])
        #expect(leading["payload"] == nil)
        #expect(leading["identifier"] == nil)
    }

    @Test func `previews that are always shown are shown, and a person sees everything`() async throws {
        try await deliver(1)
        let id = try #require(bench.list().first?.head.number)
        #expect(try await ask(.GET, "/v1/notifications/\(id)").text.contains(Self.canary))
        try await hidePreviews()
        #expect(try await !ask(.GET, "/v1/notifications/\(id)").text.contains(Self.canary))
        let whole = Access.full(bench.me)
        #expect(try await ask(.GET, "/v1/notifications/\(id)", as: whole).text.contains(Self.canary))
        #expect(try await !ask(.GET, "/v1/notifications/\(id)?surface=lock", as: whole).text.contains(Self.canary))
        #expect(try await ask(.GET, "/v1/front?surface=door", as: whole).status == 400)
    }

    @Test func `a file of a hidden notification is refused, also in the history`() async throws {
        let store = try BenchFiles(in: bench.folder)
        try store.put("photo", BenchFiles.jpeg)
        var object = try JSONObject(parsing: Bench.record(1).record.span)
        object["attachments"] = [["identifier": "photo", "path": "/photo", "type": "public.jpeg", "size": 7]]
        let record = Bench.record(1, object.serialized)
        try await bench.withLink(files: store) { link in
            #expect(await link.send(record))
            _ = await link.answers(to: 1)
        }
        let id = try #require(bench.list().first?.head.number)
        let place = "/v1/notifications/\(id)/attachments/0"
        #expect(try await ask(.GET, place).text == "a file")
        try await hidePreviews()
        #expect(try await ask(.GET, place).status == 403)
        _ = try await bench.ask(.DELETE, "/v1/notifications/\(id)")
        #expect(try await ask(.GET, place).status == 403)
        #expect(try await ask(.GET, place, as: .full(bench.me)).text == "a file")
    }

    @Test func `where a hidden notification leads is not told`() async throws {
        var registry = Bench.registry()
        registry.apps[0].url = "https://chat.example.org/"
        try await bench.withLink(registry) { link in
            #expect(await link.send(Bench.record(1, aps: ["target-content-id": .string(Self.canary)])))
            _ = await link.answers(to: 1)
        }
        try await hidePreviews()
        let id = try #require(bench.list().first?.head.number)
        let answer = try await ask(.POST, "/v1/notifications/\(id)/responses", #"{"action":"default"}"#)
        #expect(answer.status == 201)
        #expect(answer.text.contains(#""launch":{"url":"https://chat.example.org/"}"#))
        #expect(!answer.text.contains(Self.canary))
    }

    @Test func `a lock view is not told which threads there are`() async throws {
        #expect(try await ask(.GET, "/v1/notifications?thread=alice").status == 403)
        #expect(try await bench.ask(.GET, "/v1/notifications?thread=alice").status == 200)
    }

    @Test func `an action that needs authentication is refused, and a dismissal is not`() async throws {
        try await categories("")
        try await deliver(2, category: "message")
        let id = try #require(bench.list().first?.head.number)
        let path = "/v1/notifications/\(id)/responses"
        let refused = try await ask(.POST, path, #"{"action":"erase"}"#)
        #expect(refused.status == 403)
        #expect(refused.text.contains("needsAuthentication"))
        #expect(try await ask(.POST, path, #"{"action":"dismiss"}"#).status == 204)
        #expect(try bench.list().count == 1)
    }

    @Test(arguments: ["settings", "admin", "app:com.example.chat"])
    func `a lock view has no other scope`(scope: String) async throws {
        let body = #"{"name":"kiosk","scopes":["read","surface:lock","\#(scope)"]}"#
        let answer = try await bench.ask(.POST, "/v1/tokens", body)
        #expect(answer.status == 400)
        #expect(answer.body["message"] == #""surface:lock" goes with read and respond alone"#)
    }
}
