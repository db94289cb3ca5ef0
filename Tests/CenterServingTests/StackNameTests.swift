// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import HostRuntime
import NIOHTTP1
import NotificationPayload
import Testing
import UserNotificationCenter

@testable import CenterLink
@testable import CenterServing

/// The stack of a notification, by the name under which every reader finds it, and the front of one app.
@Suite(.timeLimit(.minutes(2)))
struct StackNameTests {
    private static let other = "com.example.other"
    private let bench: Bench
    private let registry: LinkRegistry

    init() async throws {
        bench = try Bench()
        var registry = Bench.registry()
        var app = CenterApp(topic: Self.other, name: "Other")
        app.authorization = .granted
        registry.apps.append(app)
        self.registry = registry
        try await bench.center.adopt(registry)
    }

    private func deliver(_ records: OutboxRecord...) async throws {
        try await bench.withLink(registry) { link in
            for record in records { _ = await link.send(record) }
            _ = await link.answers(to: records.count)
        }
    }

    /// Everything that a stream tells of what was delivered, by id.
    private func delivered(hiding: SummaryLanguage? = nil) throws -> [String: JSONObject] {
        guard case .changes(let changes, _, _) = try bench.center.store.changes(of: bench.me, since: 0, limit: 100)
        else { return [:] }
        let list = try ListView(of: bench.me, in: bench.center, hiding: hiding)
        var found: [String: JSONObject] = [:]
        for change in changes {
            let lines = EventView(change: change, list: list).text.split(separator: "\n")
            guard lines.contains("event: delivered"), let data = lines.last?.dropFirst("data: ".count) else { continue }
            let object = try JSONObject(parsing: Array(data.utf8).span, depthLimit: 64)
            found[object["id"]?.string ?? ""] = object
        }
        return found
    }

    @Test(arguments: ["automatic", "byApp", "off"])
    func `a notification names its stack in lists and events as the front names it`(grouping: String) async throws {
        let path = "/v1/apps/\(Bench.topic)/settings"
        #expect(try await bench.ask(.PATCH, path, #"{"grouping":"\#(grouping)"}"#).status == 200)
        try await deliver(
            Bench.record(1, aps: ["thread-id": "a"]),
            Bench.record(2, aps: ["thread-id": "b"]),
            Bench.record(3, aps: ["thread-id": "a"]),
            Bench.record(4)
        )
        let front = try await bench.ask(.GET, "/v1/front").body
        let stacks = (front["stacks"]?.array ?? []).compactMap(\.object)
        #expect(stacks.count == ["automatic": 3, "byApp": 1, "off": 4][grouping])
        let items = try await bench.ask(.GET, "/v1/notifications").body["items"]?.array?.compactMap(\.object) ?? []
        let events = try delivered()
        var members = 0
        for stack in stacks {
            let id = try #require(stack["id"]?.string)
            let page = try await bench.ask(.GET, "/v1/stacks/\(id)").body
            #expect(stack["leading"]?.object?["stack"]?.string == id && page["leading"] == stack["leading"])
            for item in (page["items"]?.array ?? []).compactMap(\.object) {
                members += 1
                #expect(item["stack"]?.string == id)
                #expect(items.first { $0["id"] == item["id"] } == item)
                #expect(events[item["id"]?.string ?? ""] == item)
            }
        }
        #expect(members == 4 && items.count == 4 && events.count == 4)
        // What is in no list is in no stack.
        _ = try await bench.ask(.DELETE, "/v1/notifications")
        let past = try await bench.ask(.GET, "/v1/history").body["items"]?.array?.compactMap(\.object) ?? []
        #expect(past.count == 4 && past.allSatisfy { $0["stack"] == nil })
    }

    @Test func `what is held for a summary names a stack of its own`() async throws {
        let wish = #"{"summary":{"times":["08:00"],"apps":["\#(Bench.topic)"]}}"#
        #expect(try await bench.ask(.PATCH, "/v1/owner", wish).status == 200)
        try await deliver(Bench.record(1))
        #expect(try await bench.ask(.PATCH, "/v1/owner", #"{"summary":null}"#).status == 200)
        try await deliver(Bench.record(2))
        let front = try await bench.ask(.GET, "/v1/front").body
        let names = ["upcoming", "stacks"].map { front[$0]?.array?.first?.object?["id"]?.string }
        #expect(names[0] != nil && names[0] != names[1])
        let events = try delivered().sorted { $0.key < $1.key }.map { $0.value["stack"]?.string }
        #expect(events == names)
    }

    @Test func `a lock view is told the name that its front has, and nothing else of what is hidden`() async throws {
        let path = "/v1/apps/\(Bench.topic)/settings"
        #expect(try await bench.ask(.PATCH, path, #"{"previews":"never"}"#).status == 200)
        try await deliver(Bench.record(1, aps: ["thread-id": "canary"]))
        let lock = try await bench.ask(.GET, "/v1/front?surface=lock").body["stacks"]?.array?.first?.object
        let events = try delivered(hiding: .english)
        let event = try #require(events.first?.value)
        #expect(event["stack"] == lock?["id"] && event["stack"] != nil)
        #expect(lock?["leading"]?.object == event)
        #expect(
            Set(event.members.map(\.key)) == ["id", "app", "stack", "date", "remote", "level", "present", "hidden"]
        )
    }

    @Test func `the front of one app has its stacks alone, page by page, and everything else of all`() async throws {
        try await deliver(
            Bench.record(1, title: "a1", aps: ["thread-id": "a"]),
            Bench.record(2, title: "x", topic: Self.other),
            Bench.record(3, title: "b1", aps: ["thread-id": "b"]),
            Bench.record(4, title: "y", topic: Self.other, aps: ["thread-id": "y"])
        )
        func titles(_ query: String) async throws -> ([String], next: JSON?) {
            let front = try await bench.ask(.GET, "/v1/front\(query)").body
            let stacks = (front["stacks"]?.array ?? []).compactMap { $0.object?["leading"]?.object }
            let titles = stacks.map { leading in
                leading["payload"]?.object?["aps"]?.object?["alert"]?.object?["title"]?.string ?? ""
            }
            return (titles, front["next"])
        }
        #expect(try await titles("").0 == ["y", "b1", "x", "a1"])
        #expect(try await titles("?app=\(Bench.topic)").0 == ["b1", "a1"])
        let first = try await titles("?app=\(Bench.topic)&limit=1")
        let next = try #require(first.next?.string)
        #expect(first.0 == ["b1"])
        #expect(try await titles("?app=\(Bench.topic)&limit=2&before=\(next)").0 == ["a1"])
        for topic in ["com.example.none", ""] {
            let none = try await titles("?app=\(topic)")
            #expect(none.0 == [] && none.next == .null)
        }
        var (one, all) = (
            try await bench.ask(.GET, "/v1/front?app=\(Bench.topic)").body, try await bench.ask(.GET, "/v1/front").body
        )
        for key in ["stacks", "upcoming", "next"] { (one[key], all[key]) = (nil, nil) }
        #expect(one == all && one["unseen"]?.integer == 4 && one["apps"]?.array?.count == 2)
    }

    @Test func `what is held is of the app that was asked for as well`() async throws {
        let wish = #"{"summary":{"times":["08:00"],"apps":["\#(Bench.topic)","\#(Self.other)"]}}"#
        #expect(try await bench.ask(.PATCH, "/v1/owner", wish).status == 200)
        try await deliver(Bench.record(1), Bench.record(2, topic: Self.other))
        let upcoming = try await bench.ask(.GET, "/v1/front?app=\(Self.other)").body["upcoming"]?.array
        #expect(upcoming?.compactMap { $0.object?["app"]?.string } == [Self.other])
    }
}
