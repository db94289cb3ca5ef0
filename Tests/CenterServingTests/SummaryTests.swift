// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Locking
import NIOHTTP1
import NotificationPayload
import Testing
import UserNotificationCenter

@testable import CenterLink
@testable import CenterServing

/// The summary of an owner: notifications are held for it, and come at its hours.
@Suite(.timeLimit(.minutes(2)))
struct SummaryTests {
    private let bench: Bench

    init() async throws {
        bench = try await Bench.with()
    }

    private func change(_ wishes: String) async throws {
        #expect(try await bench.ask(.PATCH, "/v1/owner", wishes).status == 200)
    }

    private func arrive(_ title: String, _ number: Int64 = 1, aps: JSONObject = ["sound": "default"]) async throws {
        try await bench.withLink { link in
            _ = await link.send(Bench.record(number, title: title, aps: aps))
            _ = await link.answers(to: 1)
        }
    }

    private func flags() throws -> [HeadFlags] { try bench.list().map(\.head.presentation.flags) }

    private func summarize(_ minutesFromNow: Int) async throws {
        try await change(#"{"zone":"Etc/GMT"}"#)
        let now = try bench.center.wishes(of: bench.me).minute(at: Bench.now)
        let time = try #require(MinuteOfDay((now.number + minutesFromNow) % MinuteOfDay.perDay))
        let plan = #"{"times":["\#(time.text)"],"apps":["\#(Bench.topic)"]}"#
        try await change(#"{"summary":\#(plan)}"#)
    }

    @Test func `what is held comes at the hour, the most relevant first`() async throws {
        try await summarize(10)
        let release = SummaryRelease(bench.center)
        try await release.look()
        try await arrive("low", 1, aps: ["relevance-score": 0.1])
        try await arrive("high", 2, aps: ["relevance-score": 0.9])
        try await arrive("middle", 3, aps: ["relevance-score": 0.5])
        #expect(try flags() == [[.held, .remote], [.held, .remote], [.held, .remote]])
        bench.time.advance(by: 9 * 60_000)
        try await release.look()
        #expect(try flags().allSatisfy { $0.contains(.held) })
        bench.time.advance(by: 60_000)
        try await release.look()
        #expect(try bench.titles() == ["high", "middle", "low"])
        #expect(try flags() == [[.list, .remote], [.list, .remote], [.list, .remote]])
        let position = try #require(try bench.center.store.owner(bench.me)).position
        // An empty summary is none.
        bench.time.advance(by: 24 * 60 * 60_000)
        try await release.look()
        #expect(try bench.center.store.owner(bench.me)?.position == position)
    }

    @Test func `an hour that passed while no centre ran counts when the next one starts`() async throws {
        try await summarize(10)
        try await SummaryRelease(bench.center).look()
        try await arrive("held")
        bench.time.advance(by: 3 * 24 * 60 * 60_000)
        let next = Center(bench.center.store, clock: bench.time.clock, logger: Bench.logger)
        try await SummaryRelease(next).look()
        #expect(try flags() == [[.list, .remote]])
    }

    @Test func `an app that its owner holds no more is released at once`() async throws {
        try await summarize(10)
        let release = SummaryRelease(bench.center)
        try await release.look()
        try await arrive("held")
        try await change(#"{"summary":null}"#)
        #expect(bench.center.wishesChanged.isRaised)
        try await release.look()
        #expect(try flags() == [[.list, .remote]])
    }

    @Test func `the hour that comes twice in autumn releases nothing before its time`() async throws {
        try await change(#"{"zone":"Europe/Madrid"}"#)
        let plan = #"{"times":["08:00"],"apps":["\#(Bench.topic)"]}"#
        try await change(#"{"summary":\#(plan)}"#)
        // 02:59:50 of summer, ten seconds before the clocks go back.
        let before = try #require(Moment("2026-10-25T00:59:50.000Z")).milliseconds
        bench.time.setWall(by: before - Bench.now)
        let release = SummaryRelease(bench.center)
        try await release.look()
        try await arrive("held")
        bench.time.advance(by: 30_000)
        try await release.look()
        #expect(try flags() == [[.held, .remote]])
        bench.time.advance(by: 6 * 60 * 60_000)
        try await release.look()
        #expect(try flags() == [[.list, .remote]])
    }
}
