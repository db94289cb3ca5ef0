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
    /// The longest wait for the scene that takes a step in: longer than a view has for its word on a response.
    private static let stepLimit = Duration.seconds(10)
    /// The wait for what comes behind the last step, such as a crash.
    private static let grace = Duration.milliseconds(500)

    /// A report of the view, a step, or the end of the time for one.
    private enum Arrival: Sendable {
        case report(ViewReport)
        /// The time of the step of that number is over.
        case late(Int)
        /// The step of a line, or its error; `nil` behind the last one.
        case step(Result<ViewStep, CommandError>?)
    }

    private let session: ViewSession
    private let payload: Payload
    private let arrive: AsyncStream<Arrival>.Continuation
    private var arrivals: AsyncStream<Arrival>.AsyncIterator
    private var course = ViewCourse()
    private var outcome: ViewOutcome
    private var output: ViewOutput
    /// The steps that were begun.
    private var stepCount = 0

    private var host: HostComposition { session.host }

    /// Prepares the view of a payload with the path under which it was given.
    init(_ session: ViewSession, _ payload: Payload, named name: String) {
        self.session = session
        self.payload = payload
        let stream: AsyncStream<Arrival>
        (stream, arrive) = AsyncStream.makeStream(of: Arrival.self)
        arrivals = stream.makeAsyncIterator()
        outcome = ViewOutcome(name: name)
        output = ViewOutput(session.format)
    }

    /// Opens the view, takes the steps and judges what was expected; what a view does is no error of this function.
    mutating func run() async throws -> ViewOutcome {
        if session.notifications.count > 1 { try output.begin(outcome.name) }
        let start = host.clock.now
        let view = await host.supervisor.openView(opening, session.attachments, of: session.app.topic) {
            [arrive] report in
            arrive.yield(.report(report))
        }
        guard let view else { throw CommandError("the view was not opened", hint: "the host is ending") }
        // The first scene has its time from the host, which ends the view without one.
        while course.scene.isEmpty, course.end == nil, let arrival = await arrivals.next(isolation: #isolation) {
            if case .report(let report) = arrival { try course.take(report) }
        }
        try output.show(course, step: 0)
        add("open", since: start, isOpen ? nil : endFailure)
        for step in session.steps {
            guard !hasFailedStep else {
                outcome.cases.append(ViewCase(name: step.text, verdict: .skipped))
                continue
            }
            try await take(step, view)
        }
        if let source = session.source { try await takeSteps(of: source, view) }
        if session.source == nil { try await waitForTheEnd() }
        // Others follow, and an app has four views at most.
        await host.supervisor.closeView(view)
        try session.file?.write(String(decoding: course.scene.whole.body.serialized, as: UTF8.self) + "\n")
        judge()
        return outcome
    }

    /// Takes the steps that come, and prints what the view shows between them.
    private mutating func takeSteps(of source: StepLines, _ view: UInt64) async throws {
        source.read { [arrive] in arrive.yield(.step($0)) }
        source.next()
        steps: while let arrival = await arrivals.next(isolation: #isolation) {
            switch arrival {
            case .report(let report):
                try course.take(report)
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
                add("a step", since: host.clock.now, error)
                try output.show(course, step: stepCount, failure: error)
                source.next()
            }
        }
    }

    /// Takes a step, and waits for what it leads to; what is not possible is a case that has failed.
    private mutating func take(_ step: ViewStep, _ view: UInt64) async throws {
        stepCount += 1
        let start = host.clock.now
        var failure = course.failure(before: step)
        if failure == nil {
            try output.announce(step)
            do throws(CommandError) { try await perform(step, view) } catch { failure = error }
        }
        try output.show(course, step: stepCount, failure: failure)
        add(step.text, since: start, failure)
    }

    private mutating func perform(_ step: ViewStep, _ view: UInt64) async throws(CommandError) {
        let word = try step.word(
            in: course.scene,
            response: UInt64(stepCount),
            takesInteraction: session.app.contentBundle?.content?.takesInteraction == true
        )
        let seq: UInt64?
        do { seq = try await host.supervisor.send(word, toView: view) } catch {
            throw CommandError("the scene does not take \(step.text): \(error.words)")
        }
        let number = stepCount
        let late = host.deadlines.schedule(at: host.clock.now + Self.stepLimit) { [arrive] in
            arrive.yield(.late(number))
        }
        defer { host.deadlines.cancel(late) }
        // A view that ended meanwhile heard nothing, and its end is on its way.
        while course.isBehind(seq, word), course.end == nil, let arrival = await arrivals.next(isolation: #isolation) {
            switch arrival {
            case .report(let report):
                do { try course.take(report) } catch { throw CommandError("the scene cannot be read: \(error)") }
            case .late(number): throw CommandError("no scene took in \(step.text) within 10 s")
            // The next line is asked for behind the step.
            case .late, .step: continue
            }
        }
        if seq == nil, let error = course.failure(before: step) { throw error }
    }

    private mutating func waitForTheEnd() async throws {
        let over = host.deadlines.schedule(at: host.clock.now + Self.grace) { [arrive] in arrive.yield(.late(.max)) }
        defer { host.deadlines.cancel(over) }
        while course.end == nil, let arrival = await arrivals.next(isolation: #isolation) {
            switch arrival {
            case .report(let report): try course.take(report)
            case .late(.max): return
            case .late, .step: continue
            }
        }
    }

    // MARK: What was expected

    private mutating func judge() {
        let isSkipped = hasFailedStep
        for expectation in session.expectations {
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
        guard let end = course.end, end != .dismissed, !session.expectations.contains(where: \.isOfEnd) else {
            return nil
        }
        return CommandError("the view ended as \(end.rawValue)")
    }

    /// Adds a case with what the extension said since the last one.
    private mutating func add(_ name: String, since start: Duration, _ failure: CommandError?) {
        let lines = session.extensionLog.keepsLines ? session.extensionLog.take().lines : []
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
        ViewOpening(notification: ShownNotification(deliveredNow: payload), environment: session.environment)
    }
}
