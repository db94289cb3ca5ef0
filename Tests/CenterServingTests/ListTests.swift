// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import NIOHTTP1
import NotificationPayload
import Testing

@testable import CenterLink
@testable import CenterServing

/// Stacks that are opened and cleared, and the history that has what was closed.
@Suite(.timeLimit(.minutes(2)))
struct ListTests {
    private let bench: Bench

    init() throws {
        bench = try Bench()
    }

    /// Delivers notifications of a title each, in a thread of the letter before the title's digit.
    private func deliver(_ titles: String..., from number: Int64 = 1, aps: JSONObject = [:]) async throws {
        try await bench.deliver(
            titles.enumerated().map { index, title in
                var aps = aps
                aps["thread-id"] = .string(String(title.prefix(1)))
                return Bench.record(number + Int64(index), title: title, aps: aps)
            }
        )
    }

    /// The id of the stack whose leading notification has a title.
    private func stack(leading title: String, in list: String = "stacks") async throws -> String {
        let stacks = try await bench.ask(.GET, "/v1/front").body[list]?.array?.compactMap(\.object)
        let stack = try #require(stacks?.first { Self.title($0["leading"]?.object ?? [:]) == title })
        return try #require(stack["id"]?.string)
    }

    private static func title(_ notification: JSONObject) -> String {
        notification["payload"]?.object?["aps"]?.object?["alert"]?.object?["title"]?.string ?? ""
    }

    private static func titles(_ body: JSONObject) -> [String] {
        body["items"]?.array?.compactMap(\.object).map(title) ?? []
    }

    // MARK: What became of a push

    @Test(arguments: [
        RecordCourse(outcome: "modified"), RecordCourse(outcome: "modified", isLate: true),
        RecordCourse(outcome: "opened", reason: "sealed to a retired key"),
        RecordCourse(outcome: "original", reason: "budgetExceeded"),
    ])
    func `what became of a push is told with it, also in the history`(course: RecordCourse) async throws {
        try await bench.deliver([Bench.record(1, title: "a1", course: course)])
        let kept = try #require(try await bench.ask(.GET, "/v1/notifications").body["items"]?.array?.first?.object)
        let id = try #require(kept["id"]?.string)
        let alone = try await bench.ask(.GET, "/v1/notifications/\(id)").body
        #expect(try await bench.ask(.DELETE, "/v1/notifications/\(id)").status == 204)
        let past = try #require(try await bench.ask(.GET, "/v1/history").body["items"]?.array?.first?.object)
        for notification in [kept, alone, past] {
            #expect(
                notification["outcome"]?.string == course.outcome && notification["reason"]?.string == course.reason
            )
            #expect(notification["late"] == (course.isLate ? true : nil))
        }
    }

    @Test func `of what an app has added itself there is nothing of the kind to tell`() async throws {
        let body = #"{"call":"add","request":{"identifier":"a","payload":{"aps":{"alert":"a"}}}}"#
        try await bench.center.adopt(owner: "me")
        try await bench.center.adopt(Bench.registry())
        #expect(try await bench.ask(.POST, "/v1/app/\(Bench.topic)/calls", body).status == 200)
        let kept = try await bench.ask(.GET, "/v1/notifications").body["items"]?.array?.first?.object
        #expect(kept != nil && kept?["outcome"] == nil && kept?["reason"] == nil && kept?["late"] == nil)
    }

    // MARK: Stacks

    @Test func `a stack is opened page by page, the newest first`() async throws {
        try await deliver("a1", "b1", "a2", "a3")
        let id = try await stack(leading: "a3")
        let first = try await bench.ask(.GET, "/v1/stacks/\(id)?limit=2").body
        #expect(Self.titles(first) == ["a3", "a2"])
        #expect(first["count"]?.integer == 3 && first["summary"]?.string == "2 more notifications")
        let next = try #require(first["next"]?.string)
        let rest = try await bench.ask(.GET, "/v1/stacks/\(id)?limit=2&before=\(next)").body
        #expect(Self.titles(rest) == ["a1"] && rest["next"] == .null)
    }

    @Test func `a stack is cleared as a whole, and what came meanwhile stays`() async throws {
        try await deliver("a1", "b1", "a2")
        let id = try await stack(leading: "a2")
        let seen = try await bench.ask(.GET, "/v1/stacks/\(id)").body
        let newest = try #require(seen["leading"]?.object?["id"]?.string)
        try await deliver("a3", from: 4)
        let cleared = try await bench.ask(.DELETE, "/v1/stacks/\(id)?upTo=\(newest)")
        #expect(cleared.status == 200 && cleared.body["ids"]?.array?.count == 2)
        #expect(try bench.titles() == ["a3", "b1"])
        // The stack is the same one.
        #expect(Self.titles(try await bench.ask(.GET, "/v1/stacks/\(id)").body) == ["a3"])
        #expect(try await bench.ask(.DELETE, "/v1/stacks/\(id)").body["ids"]?.array?.count == 1)
        #expect(try await bench.ask(.GET, "/v1/stacks/\(id)").status == 404)
        #expect(try await bench.ask(.DELETE, "/v1/stacks/\(id)").status == 404)
    }

    @Test func `everything is cleared, of one app or of all, but for what is held`() async throws {
        try await bench.center.adopt(owner: "me")
        _ = try await bench.ask(.PATCH, "/v1/owner", #"{"summary":{"times":["08:00"],"apps":["com.example.chat"]}}"#)
        try await deliver("a1")
        _ = try await bench.ask(.PATCH, "/v1/owner", #"{"summary":{"times":["08:00"],"apps":["com.example.other"]}}"#)
        try await deliver("a2", "b1", from: 2)
        #expect(try await !stack(leading: "a1", in: "upcoming").isEmpty)
        let other = try await bench.ask(.DELETE, "/v1/notifications?app=com.example.other")
        #expect(other.status == 200 && other.body["ids"]?.array?.isEmpty == true)
        let all = try await bench.ask(.DELETE, "/v1/notifications?app=com.example.chat")
        #expect(all.body["ids"]?.array?.count == 2)
        #expect(try bench.titles() == ["a1"])
        #expect(try await bench.ask(.DELETE, "/v1/notifications?upTo=0").status == 400)
    }

    @Test func `an app whose category asks for it hears of each dismissal, and no other does`() async throws {
        try await deliver("a1", aps: ["category": "plain"])
        let category = NotificationCategory(identifier: "told", options: [.customDismissAction])
        _ = await CallDesk(bench.center).answer(.setCategories([category]), of: try bench.chat)
        try await deliver("a2", "a3", "b1", from: 2, aps: ["category": "told"])
        let id = try await stack(leading: "a3")
        #expect(try await bench.ask(.DELETE, "/v1/stacks/\(id)").body["ids"]?.array?.count == 3)
        let last = try #require(try bench.list().first).head.number
        #expect(try await bench.ask(.DELETE, "/v1/notifications/\(last)").status == 204)
        let responses = try bench.center.store.responses(after: 0, limit: 10)
        #expect(responses.count == 3)
        #expect(responses.allSatisfy { $0.action == "com.apple.UNNotificationDismissActionIdentifier" })
        #expect(Set(Self.titles(try await bench.ask(.GET, "/v1/history").body)) == ["a1", "a2", "a3", "b1"])
    }

    // MARK: History

    @Test func `what was dismissed is in the history, and comes back under a new number`() async throws {
        try await deliver("a1", "a2", "a3")
        let numbers = try bench.list().map(\.head.number)
        for number in numbers { #expect(try await bench.ask(.DELETE, "/v1/notifications/\(number)").status == 204) }
        let page = try await bench.ask(.GET, "/v1/history?limit=2").body
        #expect(Self.titles(page) == ["a3", "a2"])
        let next = try #require(page["next"]?.string)
        let rest = try await bench.ask(.GET, "/v1/history?limit=2&before=\(next)").body
        #expect(Self.titles(rest) == ["a1"] && rest["next"] == .null)
        #expect(rest["items"]?.array?.first?.object?["answered"]?.bool == false)
        let restored = try await bench.ask(.POST, "/v1/history/\(numbers[1])/restore")
        #expect(restored.status == 201)
        #expect(restored.body["id"]?.string == "\(try #require(try bench.list().first).head.number)")
        #expect(try bench.titles() == ["a2"])
        #expect(try bench.list().first?.head.presentation.flags.contains(.banner) == false)
        #expect(try await bench.ask(.POST, "/v1/history/\(numbers[1])/restore").status == 410)
        #expect(try await bench.ask(.POST, "/v1/history/99/restore").status == 404)
    }

    @Test func `what has a newer one of its name does not come back`() async throws {
        try await bench.deliver([Bench.record(1, title: "old", identifier: "lunch")])
        let former = try #require(try bench.list().first).head.number
        _ = try await bench.ask(.DELETE, "/v1/notifications/\(former)")
        try await bench.deliver([Bench.record(2, title: "new", identifier: "lunch")])
        let answer = try await bench.ask(.POST, "/v1/history/\(former)/restore")
        #expect(answer.status == 409 && answer.body["reason"]?.string == "replaced")
        #expect(answer.body["by"]?.string == "\(try #require(try bench.list().first).head.number)")
    }

    @Test func `the history forgets one, or everything`() async throws {
        try await deliver("a1", "a2", "a3")
        for item in try bench.list() { _ = try await bench.ask(.DELETE, "/v1/notifications/\(item.head.number)") }
        let items = try await bench.ask(.GET, "/v1/history").body["items"]?.array
        let id = try #require(items?.first?.object?["id"]?.string)
        #expect(try await bench.ask(.DELETE, "/v1/history/\(id)").status == 204)
        #expect(try await bench.ask(.DELETE, "/v1/history/\(id)").status == 404)
        #expect(Self.titles(try await bench.ask(.GET, "/v1/history").body) == ["a2", "a1"])
        #expect(try await bench.ask(.DELETE, "/v1/history").status == 204)
        #expect(Self.titles(try await bench.ask(.GET, "/v1/history").body) == [])
        #expect(try await bench.ask(.PUT, "/v1/history").status == 405)
    }

    @Test func `the history forgets what has a number up to one, and what came meanwhile stays`() async throws {
        try await deliver("a1", "a2", "a3")
        let numbers = try bench.list().map(\.head.number)
        for number in numbers { _ = try await bench.ask(.DELETE, "/v1/notifications/\(number)") }
        for wrong in ["0", "-1", "all", ""] {
            let answer = try await bench.ask(.DELETE, "/v1/history?upTo=\(wrong)")
            #expect(answer.status == 400)
            #expect(answer.body["message"]?.string == "\"upTo\" must be a number from 1 to \(Int64.max)")
        }
        #expect(Self.titles(try await bench.ask(.GET, "/v1/history").body) == ["a3", "a2", "a1"])
        #expect(try await bench.ask(.DELETE, "/v1/history?upTo=\(numbers[1])").status == 204)
        #expect(Self.titles(try await bench.ask(.GET, "/v1/history").body) == ["a3"])
        #expect(try await bench.ask(.DELETE, "/v1/history?upTo=\(numbers[0] - 1)").status == 204)
        #expect(Self.titles(try await bench.ask(.GET, "/v1/history").body) == ["a3"])
    }

    // MARK: Told once

    @Test func `who watches is told that the history was deleted from, and nobody of what was refused`() async throws {
        try await bench.center.adopt(owner: "ana")
        let ana = try #require(OwnerName("ana"))
        try await deliver("a1", "a2")
        let numbers = try bench.list().map(\.head.number)
        for number in numbers { _ = try await bench.ask(.DELETE, "/v1/notifications/\(number)") }
        func statuses(_ queries: String...) async throws -> [UInt] {
            var statuses: [UInt] = []
            for query in queries { statuses.append(try await bench.ask(.DELETE, "/v1/history" + query).status) }
            return statuses
        }
        try await bench.center.announcements.withFeed(of: bench.me) { feed in
            try await bench.center.announcements.withFeed(of: ana) { others in
                let refused = try await statuses("/99", "?surface=lock", "?upTo=none")
                #expect(refused == [404, 403, 400])
                let none = feed.take()
                #expect(none == Announcements.News())
                let done = try await statuses("/\(numbers[0])", "?upTo=\(numbers[1])")
                #expect(done == [204, 204])
                let (news, later, foreign) = (feed.take(), feed.take(), others.take())
                #expect(news.hasForgotten && news.events.isEmpty)
                #expect(later == Announcements.News() && foreign == Announcements.News())
            }
        }
    }

    /// The events without a number that come while the body runs.
    private func told(_ body: () async throws -> Void) async throws -> [String] {
        try await bench.center.announcements.withFeed(of: bench.me) { feed in
            try await body()
            return feed.take().events
        }
    }

    @Test func `the end of Do Not Disturb tells once what came meanwhile, also of a centre that died`() async throws {
        try await bench.center.adopt(owner: "me")
        try await deliver("a1")
        let off = #"{"doNotDisturb":{"mode":"off"}}"#
        let on = #"{"doNotDisturb":{"mode":"until","until":"2099-01-01T00:00:00.000Z"}}"#
        _ = try await bench.ask(.PATCH, "/v1/owner", on)
        let heard = try await told {
            try await QuietWatch(bench.center).look()
            try await deliver("a2", "b1", from: 2)
            try await QuietWatch(bench.center).look()
            _ = try await bench.ask(.PATCH, "/v1/owner", off)
        }
        #expect(heard == [])
        let next = Center(bench.center.store, clock: bench.time.clock, logger: Bench.logger)
        let missed = try await next.announcements.withFeed(of: bench.me) { feed in
            for _ in 0..<3 { try await QuietWatch(next).look() }
            return feed.take().events
        }
        #expect(missed == ["event: missed\ndata: {\"count\":2,\"apps\":[\"com.example.chat\"]}\n\n"])
    }

    @Test func `a spell in which nothing came is told of to nobody`() async throws {
        try await bench.center.adopt(owner: "me")
        try await deliver("a1")
        let heard = try await told {
            for mode in [#"{"mode":"until","until":"2099-01-01T00:00:00.000Z"}"#, #"{"mode":"off"}"#] {
                _ = try await bench.ask(.PATCH, "/v1/owner", #"{"doNotDisturb":\#(mode)}"#)
                try await QuietWatch(bench.center).look()
            }
        }
        #expect(heard == [])
    }

    @Test func `an hour of the summary tells the numbers in its order`() async throws {
        try await bench.center.adopt(owner: "me")
        let hour = Calendar.current.component(.hour, from: Date(timeIntervalSince1970: Double(Bench.now) / 1000))
        let next = (hour + 1) % 24
        let time = "\(next < 10 ? "0" : "")\(next):00"
        _ = try await bench.ask(.PATCH, "/v1/owner", #"{"summary":{"times":["\#(time)"],"apps":["com.example.chat"]}}"#)
        try await SummaryRelease(bench.center).look()
        try await deliver("a1", aps: ["relevance-score": 0.9])
        try await deliver("b1", "c1", from: 2)
        let heard = try await told {
            bench.time.advance(by: 3_600_000)
            try await SummaryRelease(bench.center).look()
        }
        #expect(try bench.titles() == ["a1", "c1", "b1"])
        let ids = try bench.list().map { "\"\($0.head.number)\"" }.joined(separator: ",")
        #expect(heard == ["event: summary\ndata: {\"count\":3,\"ids\":[\(ids)]}\n\n"])
    }

    @Test func `a watcher that reads slowly keeps the newest of what is told, and others' are not its own`()
        async throws
    {
        let other = try #require(OwnerName("other"))
        let heard = await bench.center.announcements.withFeed(of: bench.me) { feed in
            for number in 0..<70 { bench.center.announcements.tell(bench.me, "missed", ["n": .integer(Int64(number))]) }
            bench.center.announcements.tell(other, "missed", [:])
            return feed.take().events
        }
        #expect(heard.count == 64 && heard.first == "event: missed\ndata: {\"n\":6}\n\n")
    }
}
