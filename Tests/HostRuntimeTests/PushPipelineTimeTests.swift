// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import NotificationPayload
import TestClock
import Testing

/// Budgets and timings, by a clock that stands still unless a fake moves it.
struct PushPipelineTimeTests {
    private let clock = ManualClock()

    private func pipeline(
        _ app: HostedApp = .sample(),
        opening: Duration = .seconds(3),
        result: OpenResult = .opened(PushPipelineTests.openedPayload),
        extending: Duration = .seconds(4),
        runner conclusion: ExtensionResult.Conclusion = .content(PushPipelineTests.worked, late: false)
    ) -> (pipeline: PushPipeline, opener: FakeOpener, runner: FakeRunner) {
        let opener = FakeOpener { [clock] in
            clock.advance(by: opening)
            return result
        }
        let runner = FakeRunner { [clock] _ in
            clock.advance(by: extending)
            return ExtensionResult(conclusion, worker: nil)
        }
        return (PushPipelineTests.pipeline(app, opener: opener, runner: runner, clock: clock), opener, runner)
    }

    @Test func `the budget begins before opening and is handed to both`() async {
        let (pipeline, opener, runner) = pipeline()
        clock.advance(to: .seconds(100))
        _ = await pipeline.conclude(.sample(payload: PushPipelineTests.sealed))
        #expect(opener.calls.map(\.deadline) == [.seconds(130)])
        #expect(runner.calls.map(\.window) == [BudgetWindow(expiry: .seconds(128), end: .seconds(130))])
    }

    @Test func `budget and grace are the app's own`() async {
        let app = HostedApp(
            topic: "com.example.chat",
            sealedFields: [],
            extension: HostedExtension(filtersNotifications: false),
            budget: .milliseconds(1500),
            grace: .milliseconds(250)
        )
        let (pipeline, _, runner) = pipeline(app)
        _ = await pipeline.conclude(.sample())
        #expect(runner.calls.map(\.window) == [BudgetWindow(expiry: .milliseconds(1250), end: .milliseconds(1500))])
    }

    @Test func `each step is timed`() async {
        let record = await pipeline().pipeline.conclude(.sample(payload: PushPipelineTests.sealed))
        #expect(record.timings == .init(open: .seconds(3), extension: .seconds(4), total: .seconds(7)))
    }

    @Test func `a step that did not run has no time`() async {
        let clear = await pipeline().pipeline.conclude(.sample())
        #expect(clear.timings == .init(open: nil, extension: .seconds(4), total: .seconds(4)))
        let opened = await pipeline(.sample(hasExtension: false)).pipeline
            .conclude(.sample(payload: PushPipelineTests.sealed))
        #expect(opened.timings == .init(open: .seconds(3), extension: nil, total: .seconds(3)))
        let plain = await pipeline().pipeline.conclude(.sample(payload: ["aps": ["alert": "Hi"]]))
        #expect(plain.timings == .init(open: nil, extension: nil, total: .zero))
    }

    @Test(arguments: [.refused(.notOpened), .unavailable] as [OpenResult])
    func `an opening that came to nothing took its time all the same`(result: OpenResult) async {
        let record = await pipeline(result: result).pipeline.conclude(.sample(payload: PushPipelineTests.sealed))
        #expect(record.timings == .init(open: .seconds(3), extension: nil, total: .seconds(3)))
    }

    @Test func `an extension that failed took its time all the same`() async {
        let record = await pipeline(extending: .seconds(30), runner: .failed(.budgetExceeded)).pipeline
            .conclude(.sample())
        #expect(record.timings == .init(open: nil, extension: .seconds(30), total: .seconds(30)))
    }
}
