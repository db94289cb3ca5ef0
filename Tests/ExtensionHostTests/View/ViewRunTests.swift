// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterProtocol
import ExtensionBuild
import Foundation
import HostRuntime
import Locking
import NotificationPayload
import SceneModel
import TestClock
import Testing
import WorkerProtocol
import WorkerSupervisor

@testable import ExtensionHost

/// The run of one view over a host that answers as a test says.
@Suite(.timeLimit(.minutes(1)))
struct ViewRunTests {
    private static let noControl = CommandError(
        "the scene has no control \"Fly\"",
        hint: "controls are called by their label, title or number, as the scene shows them"
    )

    /// A view with buttons of those titles, of which the first has the id 2.
    private static func scene(_ titles: String...) -> SceneUpdate {
        SceneUpdate(
            set: [SceneNode(id: 1, up: 0, .column(SceneFlow()))]
                + titles.enumerated().map { SceneNode(id: UInt32($0 + 2), up: 1, .button(SceneButton(title: $1))) }
        )
    }

    private func plan(
        _ steps: [ViewStep] = [],
        source: StepLines? = nil,
        _ expectations: [String] = []
    ) throws -> ViewPlan {
        ViewPlan(
            environment: ViewEnvironment(width: 360),
            takesInteraction: true,
            steps: steps,
            source: source,
            expectations: try expectations.map { text throws(CommandError) in try ViewExpectation(text) },
            format: .human,
            file: nil,
            extensionLog: ExtensionLog(keepsLines: false)
        )
    }

    /// Runs a view to its end while the time of its host passes, and returns its outcome and what was said, in order.
    private func said(_ plan: ViewPlan, _ views: FakeViews) async throws -> (ViewOutcome, [String]) {
        let log = Locked<[String]>([])
        let outlets = ViewOutput.Outlets(
            print: { text in log.withLock { $0.append(text) } },
            report: { error in log.withLock { $0.append("error: \(error.message)") } }
        )
        // All of it takes turns on one thread, the passing of time too: what is due comes before the next millisecond,
        // whatever the machine does.
        let loop = try EventLoop()
        defer { loop.stop() }
        let outcome = try await withTaskExecutorPreference(loop) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { await views.deadlines.run() }
                group.addTask {
                    while !Task.isCancelled {
                        views.time.advance(by: .milliseconds(1))
                        await Task.yield()
                    }
                }
                var run = ViewRun(plan, views, Payload(["aps": [:]]), named: "p.json", ViewOutput(plan.format, outlets))
                return try await run.run()
            }
        }
        return (outcome, log.withLock { $0 })
    }

    @Test func `a step that is not possible is said before what follows`() async throws {
        let views = FakeViews(Self.scene("Go")) { _, number, report in
            report(.scene(SceneUpdate(acknowledged: number, calls: [.dismiss])))
            report(.ended(.dismissed))
        }
        let steps = try StepFile("{\"tap\":\"Fly\"}\n{\"tap\":\"Go\"}\n")
        let (outcome, said) = try await said(try plan(source: steps.lines), views)
        #expect(
            said == [
                "  [1] Go\n", "> tap \"Fly\"\n", "error: the scene has no control \"Fly\"", "> tap \"Go\"\n",
                "  [1] Go\ncalls: dismiss\nended: dismissed\n",
            ]
        )
        #expect(outcome.failures == [Self.noControl])
        #expect(views.closed == [1])
    }

    @Test func `steps that cannot be read are a case that has failed`() async throws {
        let views = FakeViews(Self.scene("Go")) { _, _, _ in }
        // The file of this process's memory can be opened, and has nothing at its start.
        let (outcome, said) = try await said(try plan(source: try StepLines("/proc/self/mem")), views)
        #expect(outcome.failures.map(\.message) == ["the steps cannot be read: Input/output error"])
        #expect(said == ["  [1] Go\n", "error: the steps cannot be read: Input/output error"])
    }

    @Test func `a control that comes by a later scene is waited for`() async throws {
        let views = FakeViews(Self.scene("Go")) { word, number, report in
            guard case .event(.node(3, .tap)) = word else { return report(.ended(.crashed)) }
            report(.scene(SceneUpdate(acknowledged: number, calls: [.dismiss])))
            report(.ended(.dismissed))
        }
        views.later = [.milliseconds(400): Self.scene("Go", "Run"), .milliseconds(800): Self.scene("Go", "Fly")]
        let (outcome, _) = try await said(try plan([ViewStep(.tap("Fly"))]), views)
        #expect(outcome.failures.isEmpty)
        #expect(outcome.cases.map(\.name) == ["open", "tap \"Fly\"", "end"])
    }

    @Test func `a control that never comes is missing once the view rests`() async throws {
        let views = FakeViews(Self.scene("Go")) { _, _, _ in }
        let (outcome, _) = try await said(try plan([ViewStep(.set("Fly=1"))], ["call=dismiss"]), views)
        #expect(outcome.failures == [Self.noControl])
        #expect(outcome.cases.map(\.verdict) == [.passed, .failed(Self.noControl), .skipped])
        #expect(outcome.cases[1].duration >= ViewRun.rest)
        #expect(views.words.isEmpty)
    }

    @Test func `a view that never rests has ten seconds for a control`() async throws {
        let views = FakeViews(Self.scene("Go")) { _, _, _ in }
        for number in 1...100 { views.later[.milliseconds(400 * number)] = Self.scene("Go \(number)") }
        let (outcome, _) = try await said(try plan([ViewStep(.tap("Fly"))]), views)
        #expect(outcome.failures == [Self.noControl])
        #expect(outcome.cases[1].duration >= ViewRun.stepLimit)
    }

    @Test func `what a view does not take, or takes too long for, has its next step`() async throws {
        let silent = FakeViews(Self.scene("Go")) { _, _, _ in }
        let (late, _) = try await said(try plan([ViewStep(.tap("Go"))]), silent)
        #expect(
            late.failures == [
                CommandError(
                    "no scene took in tap \"Go\" within 10 s",
                    hint: "what the view does for it must return: see what waits, or keeps its main thread busy"
                )
            ]
        )
        let refusing = FakeViews(Self.scene("Go")) { _, _, _ throws(EventFault) in throw .inactive }
        let (refused, _) = try await said(try plan([ViewStep(.tap("Go"))]), refusing)
        #expect(
            refused.failures == [
                CommandError(
                    "the scene does not take tap \"Go\": the control is hidden or disabled",
                    hint: "a person cannot work it now: take a step first that shows or enables it"
                )
            ]
        )
        let crashing = FakeViews(Self.scene("Go")) { _, number, report in
            report(.scene(SceneUpdate(acknowledged: number)))
            report(.ended(.crashed))
        }
        let (crashed, _) = try await said(try plan([ViewStep(.tap("Go"))]), crashing)
        #expect(
            crashed.failures == [
                CommandError(
                    "the view ended as crashed",
                    hint: "with --log-level debug the log has what it printed"
                )
            ]
        )
    }

    @Test func `a view is closed when its task is cancelled, and the reading of steps ends`() async throws {
        let views = FakeViews(Self.scene("Go")) { _, _, _ in }
        let pipe = try NamedPipe()
        let (opened, isOpen) = AsyncStream.makeStream(of: Void.self)
        let running = Task { [plan = try plan(source: try StepLines(pipe.path))] in
            let outlets = ViewOutput.Outlets(print: { _ in isOpen.finish() })
            var run = ViewRun(plan, views, Payload(["aps": [:]]), named: "p.json", ViewOutput(plan.format, outlets))
            return try await run.run()
        }
        try pipe.leaveToReader()
        for await _ in opened {}
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(views.closed == [1])
        let isLeft = await pipe.isLeft()
        #expect(isLeft)
    }

    @Test func `a view is closed when nobody reads what it shows`() async throws {
        let views = FakeViews(Self.scene("Go")) { _, _, _ in }
        let outlets = ViewOutput.Outlets(print: { _ in throw ExitCode.readerGone })
        var run = ViewRun(try plan(), views, Payload(["aps": [:]]), named: "p.json", ViewOutput(.json, outlets))
        var status: Int32?
        do { _ = try await run.run() } catch let code as ExitCode { status = code.rawValue }
        #expect(status == 141)
        #expect(views.closed == [1])
    }
}

/// A host of one view, which shows a scene at once, others at their time, and answers words.
private final class FakeViews: ViewHosting {
    typealias Report = @Sendable (ViewReport) -> Void

    private struct State {
        var later: [Duration: SceneUpdate] = [:]
        var report: Report?
        var words: [ViewWord] = []
        var closed: [UInt64] = []
    }

    let time = ManualClock()
    let clock: HostClock
    let deadlines: DeadlineQueue
    private let first: SceneUpdate
    private let answer: @Sendable (ViewWord, UInt64, Report) throws(EventFault) -> Void
    private let state = Locked(State())

    init(_ first: SceneUpdate, _ answer: @escaping @Sendable (ViewWord, UInt64, Report) throws(EventFault) -> Void) {
        clock = HostClock(time)
        deadlines = DeadlineQueue(clock: clock)
        self.first = first
        self.answer = answer
    }

    var later: [Duration: SceneUpdate] {
        get { state.withLock(\.later) }
        set { state.withLock { $0.later = newValue } }
    }
    var words: [ViewWord] { state.withLock(\.words) }
    var closed: [UInt64] { state.withLock(\.closed) }

    func open(_ opening: ViewOpening, report: @escaping Report) async -> UInt64? {
        state.withLock { $0.report = report }
        let start = clock.now
        for (time, scene) in later { deadlines.schedule(at: start + time) { report(.scene(scene)) } }
        report(.scene(first))
        return 1
    }

    func send(_ word: ViewWord, to view: UInt64) async throws(EventFault) -> UInt64? {
        let (number, report) = state.withLock { state in
            state.words.append(word)
            return (UInt64(state.words.count), state.report)
        }
        if let report { try answer(word, number, report) }
        return number
    }

    func close(_ view: UInt64) async { state.withLock { $0.closed.append(view) } }
}

/// Steps in a file that goes with its last reference.
private final class StepFile {
    let lines: StepLines
    private let path = NSTemporaryDirectory() + "steps-\(UUID().uuidString)"

    init(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        lines = try StepLines(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
