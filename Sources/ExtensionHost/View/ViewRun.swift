// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import ExtensionBuild
import HostRuntime
import NotificationPayload
import SceneModel
import WorkerProtocol
import WorkerSupervisor

/// The view of one notification, from its opening to what is expected of its end.
struct ViewRun {
    /// The longest wait for the control of a step and for the scene that takes the step in: longer than a view has for
    /// its word on a response.
    static let stepLimit = Duration.seconds(10)
    /// The time without a new scene after which a view rests: so long a step waits for its control, and the end for
    /// what comes behind the last step, such as a crash.
    static let rest = Duration.milliseconds(500)

    /// A report of the view, a step, or the end of a time.
    private enum Arrival: Sendable {
        case report(ViewReport)
        /// The time of that number is over.
        case late(Int)
        /// The step of a line, or its error; `nil` behind the last one.
        case step(Result<ViewStep, CommandError>?)
    }

    private let plan: ViewPlan
    private let host: any ViewHosting
    private let payload: Payload
    private let arrive: AsyncStream<Arrival>.Continuation
    private var arrivals: AsyncStream<Arrival>.AsyncIterator
    private var course = ViewCourse()
    private var outcome: ViewOutcome
    private var output: ViewOutput
    /// The steps that were begun.
    private var stepCount = 0
    /// The times that were begun.
    private var timeCount = 0

    /// Prepares the view of a payload with the path under which it was given.
    init(_ plan: ViewPlan, _ host: any ViewHosting, _ payload: Payload, named name: String, _ output: ViewOutput) {
        self.plan = plan
        self.host = host
        self.payload = payload
        self.output = output
        let stream: AsyncStream<Arrival>
        (stream, arrive) = AsyncStream.makeStream(of: Arrival.self)
        arrivals = stream.makeAsyncIterator()
        outcome = ViewOutcome(name: name)
    }

    /// Opens the view, takes the steps and judges what was expected; what a view does is no error of this function.
    ///
    /// Throws when nobody reads what it prints, and `CancellationError`; the view is closed then as well.
    mutating func run() async throws -> ViewOutcome {
        try output.begin()
        let start = host.clock.now
        let view = await host.open(opening) { [arrive] report in arrive.yield(.report(report)) }
        guard let view else {
            throw CommandError("the view was not opened", hint: "the host is ending: start it again")
        }
        do { try await work(view, since: start) } catch {
            plan.source?.stop()
            await host.close(view)
            throw error
        }
        // Others follow, and an app has four views at most.
        plan.source?.stop()
        await host.close(view)
        try plan.file?.write(String(decoding: course.scene.whole.body.serialized, as: UTF8.self) + "\n")
        judge()
        return outcome
    }

    private mutating func work(_ view: UInt64, since start: Duration) async throws {
        // The first scene has its time from the host, which ends the view without one.
        while course.scene.isEmpty, course.end == nil {
            if case .report(let report) = try await next() { try take(report) }
        }
        try output.show(course, step: 0)
        add("open", since: start, isOpen ? nil : endFailure)
        for step in plan.steps {
            guard !hasFailedStep else {
                outcome.cases.append(ViewCase(name: step.text, verdict: .skipped))
                continue
            }
            try await take(step, view)
        }
        if let source = plan.source { try await takeSteps(of: source, view) } else { try await waitForTheEnd() }
    }

    /// Returns what comes next; throws `CancellationError`.
    private mutating func next() async throws -> Arrival {
        guard let arrival = await arrivals.next(isolation: #isolation) else { throw CancellationError() }
        return arrival
    }

    /// Begins a time, which arrives as late under the number that is returned.
    private mutating func begin(_ time: Duration) -> (number: Int, deadline: DeadlineQueue.ID) {
        timeCount += 1
        let number = timeCount
        return (
            number,
            host.deadlines.schedule(at: host.clock.now + time) { [arrive] in arrive.yield(.late(number)) }
        )
    }

    // MARK: Steps

    /// Takes the steps that come, and prints what the view shows between them.
    private mutating func takeSteps(of source: StepLines, _ view: UInt64) async throws {
        source.read { [arrive] in arrive.yield(.step($0)) }
        source.next()
        steps: while true {
            switch try await next() {
            case .report(let report):
                try take(report)
                // Nobody reads of a picture.
                if case .picture = report { continue }
                try output.showUnasked(course, step: stepCount)
            case .late: break
            case .step(nil): break steps
            case .step(.success(let step)):
                try await take(step, view)
                source.next()
            case .step(.failure(let error)):
                stepCount += 1
                try output.show(course, step: stepCount, failure: error)
                add("a step", since: host.clock.now, error)
                source.next()
            }
        }
    }

    /// Takes a step, and waits for what it leads to; what is not possible is a case that has failed.
    private mutating func take(_ step: ViewStep, _ view: UInt64) async throws {
        stepCount += 1
        let start = host.clock.now
        try output.announce(step)
        var failure = course.failure(before: step)
        if failure == nil {
            do { try await perform(step, view) } catch let error as CommandError { failure = error }
        }
        try output.show(course, step: stepCount, failure: failure)
        add(step.text, since: start, failure)
    }

    private mutating func perform(_ step: ViewStep, _ view: UInt64) async throws {
        let time = begin(Self.stepLimit)
        defer { host.deadlines.cancel(time.deadline) }
        try await waitForControl(of: step, until: time.number)
        let word = try step.word(
            in: course.scene,
            response: UInt64(stepCount),
            takesInteraction: plan.takesInteraction
        )
        let seq: UInt64?
        do throws(EventFault) { seq = try await host.send(word, to: view) } catch {
            throw CommandError(
                "the scene does not take \(step.text): \(error.words)",
                hint: step.advice(on: error, of: word, in: course.scene)
            )
        }
        // A view that ended meanwhile heard nothing, and its end is on its way.
        while course.isBehind(seq, word), course.end == nil {
            switch try await next() {
            case .report(let report): try take(report)
            case .late(time.number):
                throw CommandError(
                    "no scene took in \(step.text) within 10 s",
                    hint: "what the view does for it must return: see what waits, or keeps its main thread busy"
                )
            // The next line is asked for behind the step.
            case .late, .step: continue
            }
        }
        if seq == nil, let error = course.failure(before: step) { throw error }
    }

    /// Waits for a control that is to come by a later scene, as long as the view does not rest and the time of that
    /// number is not over; the step then says that there is none.
    private mutating func waitForControl(of step: ViewStep, until limit: Int) async throws {
        guard plan.takesInteraction else { return }
        while step.lacksControl(in: course.scene) {
            let calm = begin(Self.rest)
            defer { host.deadlines.cancel(calm.deadline) }
            var isNew = false
            while !isNew {
                switch try await next() {
                case .report(.picture): continue
                case .report(let report):
                    try take(report)
                    if let error = course.failure(before: step) { throw error }
                    isNew = true
                case .late(calm.number), .late(limit): return
                case .late, .step: continue
                }
            }
        }
    }

    private mutating func take(_ report: ViewReport) throws(CommandError) {
        do { try course.take(report) } catch {
            throw CommandError(
                "the scene cannot be read: \(error)",
                hint: "that is a fault of the host: report it with the extension"
            )
        }
    }

    private mutating func waitForTheEnd() async throws {
        let over = begin(Self.rest)
        defer { host.deadlines.cancel(over.deadline) }
        while course.end == nil {
            switch try await next() {
            case .report(let report): try take(report)
            case .late(over.number): return
            case .late, .step: continue
            }
        }
    }

    // MARK: What was expected

    private mutating func judge() {
        let isSkipped = hasFailedStep
        for expectation in plan.expectations {
            guard !isSkipped else {
                outcome.cases.append(ViewCase(name: "expect \(expectation.text)", verdict: .skipped))
                continue
            }
            let failure = expectation.failure(course.scene, calls: course.calls, end: course.end?.rawValue)
            add("expect \(expectation.text)", since: host.clock.now, failure.map { CommandError($0) })
        }
        if isOpen, !isSkipped { add("end", since: host.clock.now, endFailure) }
    }

    /// True if the view had a scene.
    private var isOpen: Bool { !course.scene.isEmpty }

    private var hasFailedStep: Bool { outcome.cases.dropFirst().contains { $0.failure != nil } }

    /// The error of an end that nobody expected and the view did not ask for.
    private var endFailure: CommandError? {
        guard let end = course.end, end != .dismissed, !plan.expectations.contains(where: \.isOfEnd) else {
            return nil
        }
        return CommandError("the view ended as \(end.rawValue)", hint: end.advice)
    }

    /// Adds a case with what the extension said since the last one, and says at once why it failed.
    private mutating func add(_ name: String, since start: Duration, _ failure: CommandError?) {
        if let failure { output.report(failure) }
        let lines = plan.extensionLog.keepsLines ? plan.extensionLog.take().lines : []
        outcome.cases.append(
            ViewCase(
                name: name,
                verdict: failure.map { .failed($0) } ?? .passed,
                duration: host.clock.now - start,
                lines: lines
            )
        )
    }

    private var opening: ViewOpening {
        ViewOpening(notification: ShownNotification(deliveredNow: payload), environment: plan.environment)
    }
}
