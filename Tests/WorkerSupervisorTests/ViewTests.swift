// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Glibc
import HostRuntime
import Keychain
import Locking
import NotificationPayload
import SceneModel
import TestClock
import Testing
import WorkerProtocol

@testable import WorkerSupervisor

/// Views over the real launcher, with a process that does what the payload asks for.
@Suite(.timeLimit(.minutes(5)))
struct ViewTests {
    /// The clock stands still unless a test moves it: a busy machine makes no view slow.
    private func withHarness(
        _ time: ManualClock = ManualClock(),
        keychain: (@Sendable (KeychainCall, OwnedApp, Bool) -> KeychainAnswer)? = nil,
        center: CenterCaller? = nil,
        _ body: (SupervisorHarness) async throws -> Void
    ) async throws {
        try await SupervisorHarness.withHarness(
            script: ShownView.script,
            role: .content,
            clock: HostClock(time),
            keychain: keychain,
            center: center,
            body
        )
    }

    @Test func `a view has a scene, and what is done with it comes back`() async throws {
        try await withHarness { harness in
            let view = try #require(await ShownView("wait", harness))
            await view.untilShown()
            let seq = try await harness.supervisor.send(.event(.node(3, .value(.number(0.4)))), toView: view.number)
            #expect(seq == 1)
            await view.until { $0.count == 2 }
            #expect(try view.scene[3]?.kind == .slider(SceneRange(value: 0.4)))
            #expect(await harness.supervisor.scene(ofView: view.number) == (try view.scene.whole))
            let newer = ShownNotification(
                identifier: "b",
                date: "2026-11-21T03:00:01.000Z",
                payload: Payload(["aps": [:]])
            )
            _ = try await harness.supervisor.send(.notification(newer), toView: view.number)
            await view.until { $0.count == 3 }
            #expect(try view.text(4) == #"["notification", "seq"]"#)
            await harness.supervisor.closeView(view.number)
            #expect(try await view.end() == .closed)
            #expect(view.ends == [.closed])
        }
    }

    @Test func `what a scene does not offer reaches no view, and a view that is no more hears nothing`() async throws {
        try await withHarness { harness in
            let view = try #require(await ShownView("wait", harness))
            await view.untilShown()
            let supervisor = harness.supervisor
            await #expect(throws: EventFault.unknownNode) {
                _ = try await supervisor.send(.event(.node(9, .tap(at: nil))), toView: view.number)
            }
            await #expect(throws: EventFault.badValue) {
                _ = try await supervisor.send(.event(.node(3, .value(.number(2)))), toView: view.number)
            }
            await supervisor.closeView(view.number)
            _ = try await view.end()
            #expect(try await supervisor.send(.event(.node(2, .tap(at: nil))), toView: view.number) == nil)
            #expect(await supervisor.scene(ofView: view.number) == nil)
        }
    }

    @Test func `a person's click may start the app, and a look may not`() async throws {
        try await withHarness { harness in
            let looked = try #require(await ShownView("unasked", harness))
            await looked.until { $0.count >= 2 }
            #expect(looked.calls == [])
            let clicked = try #require(await ShownView("wait", harness))
            await clicked.untilShown()
            _ = try await harness.supervisor.send(.event(.node(2, .tap(at: nil))), toView: clicked.number)
            #expect(try await clicked.end() == .dismissed)
            #expect(clicked.calls == [.defaultAction])
            #expect(looked.ends == [])
        }
    }

    @Test func `a response has one answer`() async throws {
        try await withHarness { harness in
            let view = try #require(await ShownView("wait", harness))
            await view.untilShown()
            let response = ViewResponse(number: 7, action: "like")
            _ = try await harness.supervisor.send(.event(.response(response)), toView: view.number)
            await view.until { $0.count == 2 }
            #expect(view.calls == [.option(.doNotDismiss, response: 7)])
            #expect(view.ends == [])
        }
    }

    @Test(
        arguments: [
            ("exit", .gone), ("abort", .crashed), ("garbage", .protocolViolation), ("unknown", .protocolViolation),
            ("content", .protocolViolation), ("foreign", .protocolViolation), ("early answer", .protocolViolation),
            ("circle", .protocolViolation), ("shout", .protocolViolation),
            ("chatty", .protocolViolation),
        ] as [(String, ViewEnd)]
    )
    func `a view that does not do what it may ends by itself, told once`(behaviour: String, end: ViewEnd) async throws {
        try await withHarness { harness in
            let other = try #require(await ShownView("wait", harness))
            await other.untilShown()
            let view = try #require(await ShownView(behaviour, harness))
            #expect(try await view.end() == end)
            #expect(view.ends == [end])
            let left = await ShownView.processes(in: harness.supervisor)
            #expect(left == [try #require(await other.pid)])
            _ = try await harness.supervisor.send(.event(.node(3, .value(.number(0)))), toView: other.number)
            await other.until { $0.count == 2 }
        }
    }

    @Test func `one that takes more memory than it may ends at the next look`() async throws {
        let time = ManualClock()
        try await withHarness(time) { harness in
            let view = try #require(await ShownView("eat", harness))
            await view.untilShown()
            // It reads its first event behind the allocation.
            _ = try await harness.supervisor.send(.event(.node(3, .value(.number(0)))), toView: view.number)
            await view.until { $0.count == 2 }
            for _ in 1...2 {
                time.advance(by: .milliseconds(250))
                await view.settled()
            }
            #expect(try await view.end() == .memoryLimitExceeded)
            #expect(view.ends == [.memoryLimitExceeded])
        }
    }

    @Test func `one that is closed while it waits for its turn has no process`() async throws {
        try await withHarness { harness in
            let views = await ShownView.openThreeAndCloseTheLast(ShownView.opening("wait"), in: harness.supervisor)
            let ends = views.reports
            #expect(ends.withLock { $0 } == [.ended(.closed)])
            // The launcher has answered the others, whose places the next ones get.
            let next = try #require(await ShownView("wait", harness))
            await next.untilShown()
            #expect(await ShownView.numbers(in: harness.supervisor) == views.numbers.prefix(2) + [next.number])
        }
    }

    @Test(arguments: ["silent", "empty"])
    func `without a scene for five seconds it is slow`(behaviour: String) async throws {
        let time = ManualClock()
        try await withHarness(time) { harness in
            let view = try #require(await ShownView(behaviour, harness))
            await harness.until { $0.owners.views.all.contains { $0.life.takesEvents } }
            time.advance(to: .seconds(5) - .nanoseconds(1))
            await view.settled()
            #expect(view.ends == [])
            time.advance(to: .seconds(5))
            #expect(try await view.end() == .slow)
        }
    }

    @Test func `a response without a word for five seconds goes on, and the view ends`() async throws {
        let time = ManualClock()
        try await withHarness(time) { harness in
            let view = try #require(await ShownView("wait", harness))
            await view.untilShown()
            let response = ViewResponse(number: 7, action: "ignored")
            _ = try await harness.supervisor.send(.event(.response(response)), toView: view.number)
            time.advance(to: .seconds(5) - .nanoseconds(1))
            await view.settled()
            #expect(view.calls == [])
            time.advance(to: .seconds(5))
            #expect(try await view.end() == .dismissed)
            #expect(view.calls == [.option(.dismissAndForwardAction, response: 7)])
        }
    }

    @Test func `one that does not take an act of a person in for ten seconds is slow`() async throws {
        let time = ManualClock()
        try await withHarness(time) { harness in
            let view = try #require(await ShownView("deaf", harness))
            await view.untilShown()
            _ = try await harness.supervisor.send(.event(.node(3, .value(.number(0)))), toView: view.number)
            for second in 1...9 {
                time.advance(to: .seconds(second))
                await view.settled()
            }
            #expect(view.ends == [])
            // A look comes each quarter of a second, whenever the last one was.
            for quarter in 40...41 {
                time.advance(to: .milliseconds(250 * quarter))
                await view.settled()
            }
            #expect(try await view.end() == .slow)
        }
    }

    @Test func `what fits no view is refused and costs it nothing`() async throws {
        try await withHarness { harness in
            let view = try #require(await ShownView("wait", harness))
            await view.untilShown()
            let supervisor = harness.supervisor
            let long = ViewResponse(number: 1, action: "a", text: String(repeating: "a", count: 16_385))
            await #expect(throws: EventFault.badValue) {
                _ = try await supervisor.send(.event(.response(long)), toView: view.number)
            }
            let large = ShownNotification(
                identifier: "a",
                date: "d",
                payload: Payload(["a": .string(String(repeating: "a", count: 66_000))])
            )
            await #expect(throws: EventFault.badValue) {
                _ = try await supervisor.send(.notification(large), toView: view.number)
            }
            for event in [ViewEvent.close, .media(.play)] {
                await #expect(throws: EventFault.notOfKind) {
                    _ = try await supervisor.send(.event(event), toView: view.number)
                }
            }
            #expect(try await supervisor.send(.event(.node(3, .value(.number(0)))), toView: view.number) == 1)
        }
    }

    @Test func `when the launcher is lost each view ends, told once`() async throws {
        try await withHarness { harness in
            let view = try #require(await ShownView("wait", harness))
            await view.untilShown()
            kill(await harness.supervisor.launcherProcess, SIGKILL)
            await view.until { $0.contains(.ended(.crashed)) }
            #expect(view.ends == [.crashed])
            #expect(await ShownView("wait", harness) == nil)
        }
    }

    @Test func `fifteen minutes without an act of a person end it`() async throws {
        let time = ManualClock()
        try await withHarness(time) { harness in
            let view = try #require(await ShownView("wait", harness))
            await view.untilShown()
            time.advance(to: .seconds(600))
            _ = try await harness.supervisor.send(.event(.node(3, .value(.number(0)))), toView: view.number)
            // Ten seconds of this clock may pass before the process has had the processor once.
            await harness.until { $0.owners.views.all.allSatisfy { $0.life.unanswered == nil } }
            for second in 601...1499 {
                time.advance(to: .seconds(second))
                await view.settled()
            }
            #expect(view.ends == [])
            // A look comes each quarter of a second, whenever the last one was.
            for second in 1500...1502 {
                time.advance(to: .seconds(second))
                await view.settled()
            }
            #expect(try await view.end() == .idle)
        }
    }

    @Test func `one that does not go when it is asked is killed after two seconds`() async throws {
        let time = ManualClock()
        try await withHarness(time) { harness in
            let view = try #require(await ShownView("stubborn", harness))
            await view.untilShown()
            let pid = try #require(await view.pid)
            await harness.supervisor.closeView(view.number)
            await view.until { $0.contains(.ended(.closed)) }
            time.advance(to: .seconds(2) - .nanoseconds(1))
            await view.settled()
            #expect(await view.pid == pid)
            time.advance(to: .seconds(2))
            _ = try await view.end()
            #expect(await harness.isGone(pid))
        }
    }

    @Test func `one that closes its socket and lives on is killed after half a second`() async throws {
        let time = ManualClock()
        try await withHarness(time) { harness in
            let view = try #require(await ShownView("close", harness))
            await view.untilShown()
            let pid = try #require(await view.pid)
            await harness.until { $0.owners.views.all.contains { !$0.channel.isOpen } }
            time.advance(to: .milliseconds(500) - .nanoseconds(1))
            await view.settled()
            #expect(view.ends == [])
            time.advance(to: .milliseconds(500))
            #expect(try await view.end() == .gone)
            #expect(await harness.isGone(pid))
        }
    }

    @Test func `one that reads nothing ends when too much waits for it`() async throws {
        try await withHarness { harness in
            let view = try #require(await ShownView("deaf", harness))
            await view.untilShown()
            var sent = 0
            while sent < 2_000, view.ends == [] {
                _ = try await harness.supervisor.send(.event(.node(3, .value(.number(0)))), toView: view.number)
                sent += 1
            }
            #expect(try await view.end() == .protocolViolation)
            #expect(sent < 2_000)
        }
    }

    @Test func `a fifth view of an app closes the oldest, and there are places for thirty-two`() async throws {
        let apps = (1...9).map { "com.example.app\($0)" }
        let clock = HostClock(ManualClock())
        try await SupervisorHarness.withHarness(script: ShownView.script, apps: apps, role: .content, clock: clock) {
            harness in
            var views: [ShownView] = []
            for app in apps.dropLast() {
                for _ in 1...4 { views.append(try #require(await ShownView("wait", harness, app: app))) }
            }
            #expect(await ShownView("wait", harness, app: apps[8]) == nil)
            for view in views { await view.untilShown() }
            await harness.supervisor.closeView(views[31].number)
            _ = try await views[31].end()
            let fifth = try #require(await ShownView("wait", harness, app: apps[0]))
            #expect(try await views[0].end() == .closed)
            await fifth.untilShown()
            #expect(views[1].ends == [])
        }
    }

    @Test func `an app without a content extension has no view`() async throws {
        try await withHarness { harness in
            #expect(await ShownView("wait", harness, app: "com.example.other") == nil)
        }
        try await SupervisorHarness.withHarness { harness in #expect(await ShownView("wait", harness) == nil) }
    }

    @Test func `its keychain and its calls are those of the app`() async throws {
        let asked = Locked<[String]>([])
        try await withHarness(
            keychain: { call, app, isFirst in
                asked.withLock { $0.append("\(call) \(app.topic) \(isFirst)") }
                return .done
            },
            center: { call, _, app, answer in
                asked.withLock { $0.append("\(call.name) \(app.topic)") }
                answer(.done)
            }
        ) { harness in
            for (behaviour, told) in [("keychain", #"{"answer": "done"}"#), ("call", #"{"ok": {}}"#)] {
                let view = try #require(await ShownView(behaviour, harness))
                await view.untilShown()
                _ = try await harness.supervisor.send(.event(.node(2, .press)), toView: view.number)
                await view.until { $0.count == 2 }
                #expect(try view.text(4) == told)
            }
            #expect(asked.withLock { $0 } == ["remove(key: \"a\") com.example.chat true", "badge com.example.chat"])
        }
    }

    @Test func `when the host ends its views end, and no process is left`() async throws {
        let pid = Locked<Int32?>(nil)
        let ends = Locked<[ViewEnd]>([])
        try await withHarness { harness in
            let view = try #require(await ShownView("wait", harness))
            await view.untilShown()
            let own = try #require(await view.pid)
            pid.withLock { $0 = own }
            await harness.supervisor.end()
            ends.withLock { $0 = view.ends }
            #expect(await harness.isGone(own))
        }
        #expect(ends.withLock { $0 } == [.closed])
    }

    // MARK: Owners, and words before it is open

    @Test(arguments: [true, false])
    func `a further owner has views, before any push of its own`(hasService: Bool) async throws {
        let clock = HostClock(ManualClock())
        try await SupervisorHarness.withHarness(
            script: hasService ? SupervisorHarness.script : ShownView.script,
            contentScript: hasService ? ShownView.script : nil,
            role: hasService ? .service : .content,
            clock: clock
        ) { harness in
            let view = try #require(await ShownView("wait", harness, owner: "bob"))
            await view.untilShown()
            // What counts by sites has one for the owner.
            let activity = await harness.supervisor.activity
            #expect(activity.apps[SupervisorHarness.app] != nil)
            if hasService {
                let result = await harness.run("answer", owner: "bob")
                guard case .content = result.conclusion else {
                    Issue.record("bob's push has no worker")
                    return
                }
            }
            let mine = try #require(await ShownView("wait", harness))
            await mine.untilShown()
            #expect(view.ends == [])
        }
    }

    @Test func `what is said before a view is open is in what it opens with, or acknowledged`() async throws {
        try await withHarness { harness in
            let opening = ShownView.opening("wait")
            let told = await ShownView.open(
                opening,
                andPass: [
                    .event(.node(3, .value(.number(0)))), .notification(opening.notification),
                    .event(.environment(ViewEnvironment(width: 300))),
                ],
                in: harness.supervisor
            )
            await harness.until { _ in told.reports.withLock { $0.contains { $0.hasNodes } } }
            let acknowledged = told.reports.withLock { $0.prefix(3) }
            #expect(
                acknowledged == [
                    .scene(SceneUpdate(acknowledged: 1)), .scene(SceneUpdate(acknowledged: 2)),
                    .scene(SceneUpdate(acknowledged: 3)),
                ]
            )
            // The next one has the number behind those that were passed on.
            let next = try await harness.supervisor.send(.event(.node(3, .value(.number(0)))), toView: told.number)
            #expect(next == 4)
        }
    }

    @Test func `a response before a view is open goes on, and the view ends`() async throws {
        try await withHarness { harness in
            let response = ViewWord.event(.response(ViewResponse(number: 9, action: "a")))
            let told = await ShownView.open(ShownView.opening("wait"), andPass: [response], in: harness.supervisor)
            await harness.until { _ in told.reports.withLock { $0.contains(.ended(.closed)) } }
            let forwarded = ViewReport.scene(SceneUpdate(calls: [.option(.dismissAndForwardAction, response: 9)]))
            let reports = told.reports.withLock { $0 }
            #expect(reports == [.scene(SceneUpdate(acknowledged: 1)), forwarded, .ended(.closed)])
        }
    }
}
