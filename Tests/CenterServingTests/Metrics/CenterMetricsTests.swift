// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import Locking
import NIOHTTP1
import NotificationPayload
import TestClock
import Testing
import UserNotificationCenter

@testable import CenterLink
@testable import CenterServing

/// The numbers of the centre: each counts what its row in docs/metrics.md says.
@Suite(.timeLimit(.minutes(2)))
struct CenterMetricsTests {
    private let bench: Bench

    init() throws {
        bench = try Bench()
    }

    private static let notifications = "nestbox_center_notifications_total"

    @Test func `the table of metrics has every metric of the centre, with its kind and in its order`() throws {
        let said = bench.center.metrics.text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
            .map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let document = try String(contentsOf: root.appendingPathComponent("docs/metrics.md"), encoding: .utf8)
        let written = document.split(separator: "\n").filter { $0.hasPrefix("| `nestbox_center_") }.map { row in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return cells[0].filter { $0 != "`" } + " " + (cells[1].split(separator: " ").first ?? "")
        }
        #expect(written == said)
    }

    @Test func `a record is counted by its app and what became of it, and one that comes again as such`() async throws {
        try await bench.deliver([
            Bench.record(1), Bench.record(2, aps: ["interruption-level": "passive"]),
            Bench.record(3, pushType: "background"),
        ])
        try await bench.deliver([Bench.record(1)])
        #expect(
            bench.samples(Self.notifications) == [
                #"{topic="com.example.chat",source="record",result="listed"} 1"#,
                #"{topic="com.example.chat",source="record",result="presented"} 1"#,
                #"{topic="com.example.chat",source="record",result="repeated"} 1"#,
                #"{topic="com.example.chat",source="record",result="silent"} 1"#,
            ]
        )
        let answer = try await bench.center.decide(.allow(false), bench.chat)
        guard case .decided = answer else { throw Undecided() }
        try await bench.deliver([Bench.record(4)])
        let last = bench.samples(Self.notifications)
        #expect(last.contains(#"{topic="com.example.chat",source="record",result="notShown"} 1"#))
    }

    @Test func `records that cannot be taken are counted by the reason`() async throws {
        try await bench.deliver([Bench.record(1, topic: "com.example.nobody"), Bench.record(2)])
        #expect(bench.samples("nestbox_center_link_refused_total") == [#"{reason="unknownApp"} 1"#])
        #expect(bench.sample("nestbox_center_link_inflight") == "0")
    }

    @Test func `a host is there while its link is`() async throws {
        #expect(bench.sample("nestbox_center_link_hosts") == "0")
        try await bench.withLink { link in
            #expect(await link.send(Bench.record(1)))
            _ = await link.answers(to: 1)
            #expect(bench.sample("nestbox_center_link_hosts") == "1")
        }
        #expect(bench.sample("nestbox_center_link_hosts") == "0")
    }

    @Test func `apps that nobody has named in the configuration are one`() async throws {
        let desk = CallDesk(bench.center)
        for name in ["com.example.one", "com.example.two"] {
            let key = try #require(InstallationKey(owner: bench.me, app: name))
            #expect(await desk.answer(.authorize([.alert, .provisional]), of: key) == .granted(true))
            let request = NotificationRequest(
                identifier: "a",
                payload: Payload(["aps": ["alert": "canary"]]),
                trigger: nil
            )
            #expect(await desk.answer(.add(request), of: key) == .done)
        }
        #expect(bench.samples(Self.notifications) == [#"{topic="other",source="call",result="listed"} 2"#])
        #expect(!bench.center.metrics.text.contains("com.example"))
        #expect(!bench.center.metrics.text.contains("canary"))
    }

    @Test func `labels of apps have a bound, and an app that is named again has its counters`() {
        let metrics = CenterMetrics().notifications
        let first = metrics.counts(of: (0..<300).map { "com.example.app\($0)" })
        #expect(first.count == NotificationMetrics.topicLimit)
        let second = metrics.counts(of: ["com.example.app7", "com.example.other"])
        #expect(second.keys.sorted() == ["com.example.app7"])
        #expect(second["com.example.app7"] === first["com.example.app7"])
    }

    @Test func `a transaction is counted with its pieces, and one that fails is not`() async throws {
        try await bench.center.adopt(Bench.registry())
        let before = bench.sample("nestbox_center_batch_rows_count")
        _ = try await bench.center.perform([.seen(bench.me, number: 1), .setBadge(try bench.chat, 2)])
        let after = bench.sample("nestbox_center_batch_rows_count").flatMap { Int($0) }
        #expect(after == before.flatMap { Int($0) }.map { $0 + 1 })
        #expect(bench.sample("nestbox_center_batch_rows_sum") == "2")
        #expect(bench.sample("nestbox_center_commit_seconds_count") == "1")
        try await bench.center.close()
        let failure = await #expect(throws: (any Error).self) {
            try await bench.center.perform([.seen(bench.me, number: 2)])
        }
        #expect("\(failure.debugDescription)".contains("it is closed"))
        #expect(bench.sample("nestbox_center_commit_seconds_count") == "1")
    }

    @Test func `what is stored is told as the store has it`() async throws {
        try await bench.deliver([Bench.record(1), Bench.record(2)])
        #expect(bench.sample("nestbox_center_stored") == "2")
        let byteCount = bench.center.store.statistics.byteCount
        #expect(byteCount > 0)
        #expect(bench.sample("nestbox_center_bytes") == "\(byteCount)")
    }

    @Test func `whoever removes a notification is counted, and what replaces one`() async throws {
        try await bench.deliver((1...4).map { Bench.record($0) } + [Bench.record(5, identifier: "push-1")])
        let numbers = try bench.list().map(\.head.number)
        _ = try await bench.center.perform([.remove(bench.me, numbers: Array(numbers.prefix(2)), by: .user)])
        _ = try await bench.center.perform([.removeAll(try bench.chat, upTo: nil, by: .app)])
        #expect(
            bench.samples("nestbox_center_removed_total") == [
                #"{by="app"} 2"#, #"{by="replaced"} 1"#, #"{by="user"} 2"#,
            ]
        )
    }

    @Test func `what goes by its age is counted as well`() async throws {
        try await bench.deliver([Bench.record(1)])
        bench.time.advance(by: 31 * 24 * 60 * 60 * 1000)
        let clock = ManualClock()
        let upkeep = Task { await bench.center.maintain(clock) }
        await clock.sleeper(until: .seconds(1))
        #expect(bench.samples("nestbox_center_removed_total") == [#"{by="retention"} 1"#])
        upkeep.cancel()
        clock.advance(by: .seconds(1))
        await upkeep.value
    }

    @Test func `a request that fires late says by how much, and one over its app's limit is dropped`() async throws {
        var registry = Bench.registry()
        registry.apps[0].pendingLimit = 1
        try await bench.center.adopt(registry)
        let desk = CallDesk(bench.center)
        func add(_ name: String, in seconds: Double) async throws -> CallAnswer {
            let payload = Payload(["aps": ["alert": "a"]])
            let trigger = RequestTrigger.interval(seconds: seconds, repeats: false)
            let request = NotificationRequest(identifier: name, payload: payload, trigger: trigger)
            return await desk.answer(.add(request), of: try bench.chat)
        }
        #expect(try await add("later", in: 60) == .done)
        #expect(try await add("sooner", in: 5) == .done)
        #expect(
            bench.samples("nestbox_center_trigger_dropped_total") == [#"{topic="com.example.chat"} 1"#]
        )
        #expect(bench.sample("nestbox_center_pending") == "1")
        bench.time.advance(by: 7_000)
        #expect(try await Scheduler(bench.center).fire())
        #expect(bench.sample("nestbox_center_trigger_lateness_seconds_sum") == "2")
        #expect(
            bench.samples(Self.notifications) == [#"{topic="com.example.chat",source="trigger",result="presented"} 1"#]
        )
    }

    @Test func `an answer is counted when it is given, handed over and done with, with the time of its wait`()
        async throws
    {
        try await bench.deliver([Bench.record(1)])
        let number = try #require(try bench.list().first).head.number
        let answered = try await bench.ask(.POST, "/v1/notifications/\(number)/responses", #"{"action":"default"}"#)
        #expect(answered.status == 201)
        bench.time.advance(by: 3_000)
        let heard = Signal()
        let stream = try bench.stream { _ in heard.raise() }
        let reading = Task { try await stream.run() }
        await heard.wait()
        while bench.sample("nestbox_center_response_wait_seconds_count") == "0" { try await Task.turn() }
        #expect(bench.sample("nestbox_center_response_wait_seconds_sum") == "3")
        let done = try await bench.ask(.POST, "/v1/app/\(Bench.topic)/answers/\(number)", "{}")
        #expect(done.status == 204)
        reading.cancel()
        _ = try? await reading.value
        #expect(
            bench.samples("nestbox_center_responses_total") == [#"{result="answered"} 1"#, #"{result="completed"} 1"#]
        )
        #expect(bench.samples("nestbox_center_removed_total") == [#"{by="response"} 1"#])
    }

    @Test func `calls are counted by their name, their carrier and their end`() async throws {
        try await bench.center.adopt(Bench.registry(.ask))
        let key = try bench.chat
        let desk = CallDesk(bench.center, nil, by: .app)
        #expect(await desk.answer(.badge(1), of: key) == .failed(.notAllowed))
        guard case .settings = await desk.answer(.settings, of: key) else { throw Undecided() }
        #expect(await CallDesk(bench.center).answer(.register, of: key) == .failed(.noHost))
        let worker = CallDesk(bench.center, nil, by: .link)
        #expect(await worker.answerWorker(.authorize([.alert]), of: key) == .granted(false))
        #expect(
            bench.samples("nestbox_center_calls_total") == [
                #"{call="authorize",carrier="link",result="done"} 1"#,
                #"{call="badge",carrier="app",result="refused"} 1"#,
                #"{call="register",carrier="http",result="failed"} 1"#,
                #"{call="settings",carrier="app",result="done"} 1"#,
            ]
        )
    }

    @Test func `events are counted by the first who watches, with the time that they took, and by none who comes back`()
        async throws
    {
        try await bench.deliver([Bench.record(1)])
        let name = "nestbox_center_event_seconds"
        let heard = Signal()
        let stream = EventStream(center: bench.center, owner: bench.me, hiding: nil, clock: ContinuousClock())
        let time = bench.time
        let reading = Task {
            try await stream.run(after: 0) { text in
                // Its connection takes half a second.
                if text.contains("Bob") { time.advance(by: 500) }
                heard.raise()
            }
        }
        await heard.wait()
        while bench.center.watcherCount == 0 { try await Task.turn() }
        #expect(bench.sample(name + "_count") == "0")
        try await bench.deliver([Bench.record(2, title: "Bob")])
        while bench.sample(name + "_count") == "0" { try await Task.turn() }
        #expect(bench.sample(name + "_sum") == "0.5")
        reading.cancel()
        _ = try? await reading.value
    }

    @Test func `a stream that must begin anew is counted, and one that is read is there`() async throws {
        let heard = Signal()
        let stream = EventStream(center: bench.center, owner: bench.me, hiding: nil, clock: ContinuousClock())
        try await stream.run(after: 999) { _ in }
        #expect(bench.sample("nestbox_center_watchers_dropped_total") == "1")
        let reading = Task { try await stream.run(after: 0) { _ in heard.raise() } }
        while bench.center.watcherCount == 0 { try await Task.turn() }
        #expect(bench.samples("nestbox_center_watchers") == [#"{kind="events"} 1"#, "_dropped_total 1"])
        reading.cancel()
        _ = try? await reading.value
        #expect(bench.samples("nestbox_center_watchers{") == [])
    }
}

/// A centre that answered otherwise than the test needs.
private struct Undecided: Error {}
