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
        waiting: Duration = .seconds(2),
        extending: Duration? = .seconds(4),
        runner conclusion: ExtensionResult.Conclusion = .content(PushPipelineTests.worked, late: false)
    ) -> (pipeline: PushPipeline, opener: FakeOpener, runner: FakeRunner) {
        let opener = FakeOpener { [clock] in
            clock.advance(by: opening)
            return result
        }
        let runner = FakeRunner { [clock] _ in
            clock.advance(by: waiting)
            guard let extending else { return ExtensionResult(conclusion, worker: nil) }
            let taken = clock.now.offset
            clock.advance(by: extending)
            return ExtensionResult(conclusion, worker: nil, taken: taken)
        }
        return (PushPipelineTests.pipeline(app, opener: opener, runner: runner, clock: clock), opener, runner)
    }

    @Test func `opening has its own time, and takes none of the extension's`() async {
        let (pipeline, opener, runner) = pipeline(opening: .seconds(14))
        clock.advance(to: .seconds(100))
        _ = await pipeline.record(of: .sample(payload: PushPipelineTests.sealed))
        #expect(opener.calls.map(\.deadline) == [.seconds(115)])
        let time = ExtensionTime(wait: .seconds(30), budget: .seconds(30), grace: .seconds(2))
        #expect(runner.calls.map(\.time) == [time])
    }

    @Test func `wait, budget and grace are the app's own`() async {
        let app = HostedApp(
            topic: "com.example.chat",
            sealedFields: [],
            extension: HostedExtension(filtersNotifications: false),
            budget: .milliseconds(1500),
            grace: .milliseconds(250),
            wait: .seconds(7)
        )
        let (pipeline, _, runner) = pipeline(app)
        _ = await pipeline.record(of: .sample())
        #expect(
            runner.calls.map(\.time)
                == [ExtensionTime(wait: .seconds(7), budget: .milliseconds(1500), grace: .milliseconds(250))]
        )
    }

    @Test func `each step is timed, and the wait for a worker is a step`() async {
        let record = await pipeline().pipeline.record(of: .sample(payload: PushPipelineTests.sealed))
        #expect(
            record.timings
                == .init(open: .seconds(3), wait: .seconds(2), extension: .seconds(4), total: .seconds(9))
        )
    }

    @Test func `a step that did not run has no time`() async {
        let clear = await pipeline().pipeline.record(of: .sample())
        #expect(clear.timings == .init(open: nil, wait: .seconds(2), extension: .seconds(4), total: .seconds(6)))
        let opened = await pipeline(.sample(hasExtension: false)).pipeline
            .record(of: .sample(payload: PushPipelineTests.sealed))
        #expect(opened.timings == .init(open: .seconds(3), extension: nil, total: .seconds(3)))
        let plain = await pipeline().pipeline.record(of: .sample(payload: ["aps": ["alert": "Hi"]]))
        #expect(plain.timings == .init(open: nil, extension: nil, total: .zero))
    }

    @Test(arguments: [.refused(.notOpened), .unavailable] as [OpenResult])
    func `an opening that came to nothing took its time all the same`(result: OpenResult) async {
        let record = await pipeline(result: result).pipeline.record(of: .sample(payload: PushPipelineTests.sealed))
        #expect(record.timings == .init(open: .seconds(3), extension: nil, total: .seconds(3)))
    }

    @Test func `an extension that failed took its time all the same`() async {
        let record = await pipeline(extending: .seconds(30), runner: .failed(.budgetExceeded)).pipeline
            .record(of: .sample())
        #expect(record.timings == .init(open: nil, wait: .seconds(2), extension: .seconds(30), total: .seconds(32)))
    }

    @Test func `a push that no worker took has waited, and was not extended`() async {
        let record = await pipeline(waiting: .seconds(30), extending: nil, runner: .failed(.noWorker)).pipeline
            .record(of: .sample())
        #expect(record.outcome == .original(.failed(.noWorker)))
        #expect(record.timings == .init(open: nil, wait: .seconds(30), extension: nil, total: .seconds(30)))
    }
}
