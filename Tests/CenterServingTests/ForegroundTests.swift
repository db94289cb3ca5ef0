// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import Locking
import NotificationApp
import NotificationPayload
import PacketSockets
import TestClock
import Testing
import UserNotificationCenter
import UserNotifications

@testable import CenterServing

/// An app that a person looks at: its delegate says how what comes is shown.
@Suite(.timeLimit(.minutes(2)))
struct ForegroundTests {
    private let bench: Bench

    init() async throws {
        bench = try await Bench.with()
    }

    /// Serves apps and asks those in front until the body returns.
    private func serve(
        _ clock: any Clock<Duration> = ManualClock(),
        _ body: (UNUserNotificationCenter) async throws -> Void
    ) async throws {
        let presenter = Task { [bench] in await ForegroundPresenter(bench.center).run(clock) }
        try await bench.withApps(clock) {
            let app = bench.app()
            #expect(try await app.requestAuthorization(options: [.alert, .badge, .sound]))
            try await body(app)
        }
        presenter.cancel()
        await presenter.value
    }

    /// Has the app in front, and waits until the centre knows it.
    private func comeToFront(_ app: UNUserNotificationCenter, listens: Bool = true) async throws {
        RemoteNotifications(app).isInFront = true
        let key = try bench.chat
        let answer: ForegroundAnswer? = listens ? nil : .inFront([])
        while bench.center.foreground.answer(of: key) != answer { try await Task.turn() }
    }

    private func arrive(_ titles: String..., badge: Int? = nil) async throws {
        try await bench.withLink { link in
            for (index, title) in titles.enumerated() {
                var aps: JSONObject = ["sound": "default"]
                aps["badge"] = badge.map { .integer(Int64($0)) }
                _ = await link.send(Bench.record(Int64(index + 1), title: title, aps: aps))
            }
            _ = await link.answers(to: titles.count)
        }
    }

    private func arrive(_ title: String, identifier: String, number: Int64 = 1) async throws {
        try await bench.withLink { link in
            _ = await link.send(Bench.record(number, title: title, identifier: identifier))
            _ = await link.answers(to: 1)
        }
    }

    private func settle() async throws {
        while try !bench.center.store.waiting(after: 0, limit: 1).isEmpty { try await Task.turn() }
    }

    private func badge() throws -> Int { try bench.center.store.installation(bench.chat)?.badge ?? 0 }

    @Test func `the delegate hears what comes, and its answer is how it is shown`() async throws {
        try await serve { app in
            let delegate = Presenting { $0.request.content.title == "Alice" ? [.list, .banner] : [] }
            app.delegate = delegate
            try await comeToFront(app)
            try await arrive("Alice", "Bob", badge: 7)
            try await settle()
            let shown = try bench.list()
            #expect(try bench.titles() == ["Alice"])
            #expect(shown.first?.head.presentation.flags == [.banner, .list, .lock, .remote])
            #expect(shown.first?.head.date == Bench.now)
            #expect(try badge() == 0)
            #expect(delegate.heard.withLock(\.self) == ["Alice", "Bob"])
        }
    }

    @Test func `one that its app is asked about is counted as such, and again when it is shown`() async throws {
        try await serve { app in
            let delegate = Presenting { _ in [.banner, .list] }
            app.delegate = delegate
            try await comeToFront(app)
            try await arrive("Alice")
            let name = "nestbox_center_notifications_total"
            // The store has it a moment before it is counted.
            while bench.samples(name).count < 2 { try await Task.turn() }
            #expect(
                bench.samples(name) == [
                    #"{topic="com.example.chat",source="inFront",result="presented"} 1"#,
                    #"{topic="com.example.chat",source="record",result="asked"} 1"#,
                ]
            )
            #expect(bench.samples("nestbox_center_will_present_seconds_count") == [#"{result="answered"} 1"#])
            #expect(bench.samples("nestbox_center_watchers{") == [#"kind="app"} 1"#])
        }
    }

    @Test func `alert of old apps is banner and list`() async throws {
        try await serve { app in
            let delegate = Presenting { _ in [.alert] }
            app.delegate = delegate
            try await comeToFront(app)
            try await arrive("Alice", badge: 7)
            try await settle()
            #expect(try bench.list().first?.head.presentation.flags == [.banner, .list, .lock, .remote])
            #expect(try badge() == 0)
        }
    }

    @Test func `in front without a delegate nothing is shown, nor in a list, nor as a badge`() async throws {
        try await serve { app in
            try await comeToFront(app, listens: false)
            try await arrive("Alice", badge: 7)
            #expect(try bench.list().isEmpty)
            #expect(try badge() == 0)
        }
    }

    @Test func `what its app does not answer within 5 s is shown as in the background`() async throws {
        let clock = ManualClock()
        try await serve(clock) { app in
            let delegate = Silent()
            app.delegate = delegate
            try await comeToFront(app)
            try await arrive("Alice", badge: 7)
            await clock.sleeper(until: .seconds(5))
            #expect(try bench.list().isEmpty)
            clock.advance(by: .seconds(5))
            try await settle()
            #expect(try bench.titles() == ["Alice"])
            #expect(try badge() == 7)
            // A late answer has no effect and breaks no rule.
            delegate.answerAll()
            #expect(await app.deliveredNotifications().count == 1)
        }
    }

    @Test func `an app that goes while it is asked has its notification shown`() async throws {
        try await serve { app in
            let raw = try await RawApp(bench)
            _ = try await raw.hello()
            try raw.send(.init(.presence, body: ["inFront": true, "listens": true, "silent": false]))
            let key = try bench.chat
            while bench.center.foreground.answer(of: key) != nil { try await Task.turn() }
            try await arrive("Alice")
            #expect(try await raw.receive()?.type == .willPresent)
            #expect(try bench.list().isEmpty)
            raw.socket.shutDown()
            try await settle()
            #expect(try bench.titles() == ["Alice"])
        }
    }

    @Test func `a list keeps the order in which notifications came, whichever is answered first`() async throws {
        try await serve { app in
            let raw = try await RawApp(bench)
            _ = try await raw.hello()
            try raw.send(.init(.presence, body: ["inFront": true, "listens": true, "silent": false]))
            let key = try bench.chat
            while bench.center.foreground.answer(of: key) != nil { try await Task.turn() }
            try await arrive("A", "B", "C")
            var ids: [UInt64] = []
            for _ in 0..<3 { ids.append(try #require(try await raw.receive()).id) }
            #expect(ids == [1, 2, 3])
            for id in ids.reversed() {
                #expect(try bench.list().isEmpty)
                try raw.send(.init(.present, id: id, body: ["options": ["list"]]))
            }
            try await settle()
            #expect(try bench.titles() == ["C", "B", "A"])
        }
    }

    @Test func `what waited when the centre died is shown by the next one`() async throws {
        let content = NotificationContent(
            identifier: "a",
            trigger: ["type": "push"],
            payload: ["aps": ["alert": ["title": "Alice"], "badge": 3]]
        )
        _ = try #require(try await bench.center.install(bench.chat))
        let arrival = NotificationArrival(
            installation: try bench.chat,
            source: .call,
            fate: .waits(content),
            date: Bench.now
        )
        _ = try await bench.center.perform([.arrive(arrival)])
        try await serve { _ in
            try await settle()
            #expect(try bench.titles() == ["Alice"])
            #expect(try bench.list().first?.head.presentation.flags.contains(.remote) == true)
            #expect(try badge() == 3)
        }
    }

    @Test func `a request of the app's own is asked about as well, and what is not allowed is not`() async throws {
        try await serve { app in
            let delegate = Presenting { _ in [.list] }
            app.delegate = delegate
            try await comeToFront(app)
            let content = UNMutableNotificationContent()
            content.title = "Own"
            try await app.add(UNNotificationRequest(identifier: "own", content: content, trigger: nil))
            try await settle()
            #expect(try bench.titles() == ["Own"])
            _ = try await bench.center.decide(.allow(false), bench.chat)
            try await arrive("Alice")
            #expect(try bench.titles() == ["Own"])
            #expect(delegate.heard.withLock(\.self) == ["Own"])
        }
    }

    @Test func `what an extension took away sets the badge, also where its app has no delegate`() async throws {
        try await serve { app in
            try await comeToFront(app, listens: false)
            try await bench.withLink { link in
                _ = await link.send(Bench.record(1, aps: ["badge": 4], course: RecordCourse(outcome: "suppressed")))
                _ = await link.send(Bench.record(2, aps: ["badge": 5]))
                _ = await link.answers(to: 2)
            }
            #expect(try badge() == 4)
        }
    }

    @Test func `what an extension took away sets the badge in its turn, and its app is not asked`() async throws {
        try await serve(ManualClock()) { app in
            let delegate = Silent()
            app.delegate = delegate
            try await comeToFront(app)
            let suppressed = RecordCourse(outcome: "suppressed")
            try await bench.withLink { link in
                _ = await link.send(Bench.record(1, aps: ["badge": 4], course: suppressed))
                _ = await link.answers(to: 1)
                try await settle()
                #expect(try badge() == 4)
                _ = await link.send(Bench.record(2, aps: ["badge": 7]))
                _ = await link.send(Bench.record(3, aps: ["badge": 5], course: suppressed))
                _ = await link.answers(to: 2)
            }
            while delegate.openCount < 1 { try await Task.turn() }
            #expect(try badge() == 4)
            delegate.answerAll([.badge])
            try await settle()
            #expect(try badge() == 5)
            #expect(try bench.list().count == 0)
            #expect(delegate.openCount == 1)
            let name = "nestbox_center_notifications_total"
            // The store has them a moment before they are counted.
            while !bench.samples(name).contains(where: { $0.hasSuffix(#"result="notShown"} 3"#) }) {
                try await Task.turn()
            }
            #expect(
                bench.samples(name) == [
                    #"{topic="com.example.chat",source="inFront",result="notShown"} 3"#,
                    #"{topic="com.example.chat",source="record",result="asked"} 1"#,
                ]
            )
        }
    }

    @Test func `what comes while older ones wait comes behind them, though the app is in front no more`() async throws {
        let clock = ManualClock()
        try await serve(clock) { app in
            let delegate = Silent()
            app.delegate = delegate
            try await comeToFront(app)
            try await arrive("old", identifier: "lunch")
            await clock.sleeper(until: .seconds(5))
            RemoteNotifications(app).isInFront = false
            let key = try bench.chat
            while bench.center.foreground.standing(of: key) != .background { try await Task.turn() }
            try await arrive("new", identifier: "lunch", number: 2)
            #expect(try bench.list().isEmpty)
            clock.advance(by: .seconds(5))
            try await settle()
            #expect(try bench.titles() == ["new"])
            while bench.center.foreground.answer(of: key) != .background { try await Task.turn() }
        }
    }

    @Test func `a delegate that is gone shows nothing, and uses no question up`() async throws {
        try await serve { app in
            do {
                let delegate = Silent()
                app.delegate = delegate
                try await comeToFront(app)
            }
            for number in 1...20 { try await arrive("\(number)", identifier: "\(number)", number: Int64(number)) }
            try await settle()
            #expect(try bench.list().isEmpty)
            let delegate = Presenting { _ in [.list] }
            app.delegate = delegate
            try await arrive("heard", identifier: "heard", number: 21)
            try await settle()
            #expect(try bench.titles() == ["heard"])
        }
    }

    @Test func `what lay with the host for 30 s is a row, and its app is not asked`() async throws {
        try await serve { app in
            let delegate = Presenting { _ in [.list, .banner] }
            app.delegate = delegate
            try await comeToFront(app)
            bench.time.advance(by: 20_000)
            try await arrive("Alice", identifier: "alice")
            bench.time.advance(by: 20_000)
            try await arrive("Bob", identifier: "bob", number: 2)
            try await settle()
            #expect(try bench.titles() == ["Bob", "Alice"])
            #expect(try bench.list().first?.head.presentation.flags == [.list, .lock, .remote])
            #expect(delegate.heard.withLock(\.self).contains("Bob") == false)
        }
    }

    @Test func `an app that answers nothing is asked sixteen times, and shown the rest without`() async throws {
        let clock = ManualClock()
        try await serve(clock) { app in
            let delegate = Silent()
            app.delegate = delegate
            try await comeToFront(app)
            try await bench.withLink { link in
                for number in 1...20 { _ = await link.send(Bench.record(Int64(number), title: "\(number)")) }
                _ = await link.answers(to: 20)
            }
            while delegate.openCount < 16 { try await Task.turn() }
            while try !bench.center.store.waiting(after: 0, limit: 1).isEmpty {
                clock.advance(by: .seconds(5))
                try await Task.turn()
            }
            #expect(try bench.titles() == (1...20).reversed().map { "\($0)" })
            #expect(delegate.openCount == 16)
        }
    }
}
