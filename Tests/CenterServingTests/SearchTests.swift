// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import HostRuntime
import Locking
import NIOHTTP1
import NotificationPayload
import Testing

@testable import CenterLink
@testable import CenterServing

/// A text that is sought in the list.
@Suite(.timeLimit(.minutes(2)))
struct SearchTests {
    private let bench: Bench

    init() throws {
        bench = try Bench()
    }

    /// Asks page by page, as long as there is a next one; returns the numbers of the pushes, and how many requests that
    /// took.
    private func found(
        _ text: String,
        limit: Int = 50,
        more: String = ""
    ) async throws -> (pushes: [Int], pages: Int) {
        var pushes: [Int] = []
        var pages = 0
        var before = ""
        while true {
            let target = "/v1/notifications?limit=\(limit)&text=\(text)\(before)\(more)"
            let page = try await bench.ask(.GET, target)
            #expect(page.status == 200)
            pages += 1
            let items = try #require(page.body["items"]?.array)
            #expect(items.count <= limit)
            pushes += items.compactMap { $0.object?["identifier"]?.string?.dropFirst("push-".count) }.compactMap {
                Int($0)
            }
            guard let next = page.body["next"]?.string else { return (pushes, pages) }
            before = "&before=\(next)"
        }
    }

    /// The owner's number of a push.
    private func number(ofPush push: Int) throws -> Int64 {
        let page = try bench.center.store.page(PageQuery(limit: 1000), of: bench.me)
        return try #require(page?.items.first { $0.content?.identifier == "push-\(push)" }?.head.number)
    }

    private static func record(_ number: Int64, alert: JSON) throws -> OutboxRecord {
        var record = try JSONObject(parsing: Bench.record(number).record.span)
        record["payload"] = ["aps": ["alert": alert]]
        return Bench.record(number, record.serialized)
    }

    @Test(arguments: [
        ("lunch", [3, 1]), ("LUNCH", [3, 1]), ("caf%C3%A9", [2]), ("cafe", [2]), ("Cafe%CC%81", [2]),
        ("at%20one", [3]), ("%20at%20one%20", [3]), ("below", [3]), ("plain", [4]), ("chat", []), ("aps", []),
    ])
    func `title, subtitle and body are sought, without capital letters and accents`(
        text: String,
        pushes: [Int]
    ) async throws {
        try await bench.deliver([
            Bench.record(1, title: "Lunch"), Bench.record(2, title: "At the café"),
            try Self.record(3, alert: ["title": "Lunch", "subtitle": "Below", "body": "At one"]),
            try Self.record(4, alert: "Plain"),
        ])
        #expect(try await found(text).pushes == pushes)
    }

    @Test func `pages join without a gap, of any size`() async throws {
        try await bench.deliver((1...450).map { Bench.record($0, title: $0 % 7 == 0 ? "needle" : "hay") })
        let all = Array((1...450).filter { $0 % 7 == 0 }.reversed())
        for limit in [1, 13, 64, 200] {
            let (pushes, pages) = try await found("needle", limit: limit)
            #expect(pushes == all && pages <= all.count / limit + 2, "\(limit)")
        }
        #expect(try await found("needle", more: "&app=com.example.other").pushes == [])
        let middle = try number(ofPush: 400)
        #expect(try await found("needle", more: "&after=\(middle)").pushes == all.filter { $0 > 400 })
    }

    @Test func `a request scans for so long, and the next one goes on`() async throws {
        try await bench.deliver((1...450).map { Bench.record($0, title: $0 == 1 ? "needle" : "hay") })
        // Each look at the clock is 150 ms later than the one before.
        let looks = Locked(0)
        let clock = CenterClock(
            wall: { Bench.now },
            boot: { 0 },
            measure: {
                looks.withLock { looks in
                    looks += 1
                    return .milliseconds(150 * looks)
                }
            },
            bootID: "boot"
        )
        let center = Center(bench.center.store, clock: clock, logger: Bench.logger)
        let search = SearchAPI(api: CenterAPI(center: center, owner: bench.me, clock: ContinuousClock()))
        let first = try Bench.object(of: try await search.answer(to: PageQuery(limit: 50), text: "needle"))
        let last = try number(ofPush: 251)
        #expect(first["items"]?.array?.isEmpty == true && first["next"]?.string == "\(last)")
        var query = PageQuery(limit: 50)
        query.before = try number(ofPush: 101)
        let rest = try Bench.object(of: try await search.answer(to: query, text: "needle"))
        #expect(rest["items"]?.array?.count == 1 && rest["next"] == .null)
    }

    @Test(arguments: ["", "%20", "%09%0A", String(repeating: "a", count: 201)])
    func `a text that is none or too long is refused`(text: String) async throws {
        let answer = try await bench.ask(.GET, "/v1/notifications?text=\(text)")
        #expect(answer.status == 400 && answer.body["reason"]?.string == "badParameter")
        #expect(answer.body["message"]?.string == "\"text\" must have 1 to 200 characters")
    }

    @Test func `on a lock view nothing is sought`() async throws {
        let answer = try await bench.ask(.GET, "/v1/notifications?text=lunch&surface=lock")
        #expect(answer.status == 403 && answer.body["reason"]?.string == "needsAuthentication")
    }
}
