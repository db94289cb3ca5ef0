// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterProtocol
import ExtensionBuild
import Foundation
import HostRuntime
import NotificationPayload
import SceneModel
import WorkerProtocol
import WorkerSupervisor

/// A view that is opened, worked step by step, and closed.
struct ViewSession: HostWork {
    let host: HostComposition
    let app: AppConfiguration
    let notification: Payload
    let environment: ViewEnvironment
    let steps: [ViewStep]
    let expectations: [ViewExpectation]
    let file: ReportFile?

    /// The longest wait for the scene that takes a step in: longer than a view has for its word on a response.
    private static let stepLimit = Duration.seconds(10)
    /// The wait for what comes behind the last step, such as a crash.
    private static let grace = Duration.milliseconds(500)

    /// A report of the view, or the end of the time for a step.
    private enum Arrival: Sendable {
        case report(ViewReport)
        /// The time of the step of that number is over.
        case late(Int)
    }

    func run() async throws {
        defer { host.folder.remove() }
        if let warning = SandboxChoice.warning(of: host.launcher) { Terminal.warning(warning) }
        for warning in host.grantWarnings { Terminal.warning(warning) }
        let failures = try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask(executorPreference: host.supervisor.loop) { await host.deadlines.run() }
            do {
                try await host.start()
                let failures = try await show()
                await host.end()
                return failures
            } catch {
                await host.end()
                throw error
            }
        }
        guard failures.isEmpty else {
            for failure in failures { Terminal.report(CommandError(failure)) }
            throw ExitCode.refused
        }
    }

    /// Returns what was not as expected.
    private func show() async throws -> [String] {
        let (arrivals, arrive) = AsyncStream.makeStream(of: Arrival.self)
        let view = await host.supervisor.openView(opening, of: app.topic) { report in
            arrive.yield(.report(report))
        }
        guard let view else { throw CommandError("the view was not opened", hint: "the host is ending") }
        var course = ViewCourse()
        var iterator = arrivals.makeAsyncIterator()
        // The first scene has its time from the host, which ends the view without one.
        while course.scene.isEmpty, course.end == nil, let arrival = await iterator.next() {
            if case .report(let report) = arrival { try course.take(report) }
        }
        try Output.write(course.text)
        for (number, step) in steps.enumerated() {
            if let end = course.end {
                throw CommandError("the view ended as \(end.rawValue) before \(step.text)", hint: end.advice)
            }
            try Output.write("> \(step.text)\n")
            let event = try step.event(
                in: course.scene,
                response: UInt64(number + 1),
                takesInteraction: takesInteraction
            )
            let seq: UInt64?
            do { seq = try await host.supervisor.send(.event(event), toView: view) } catch {
                throw CommandError("the scene does not take \(step.text): \(error.words)")
            }
            let before = course.text
            let late = host.deadlines.schedule(at: host.clock.now + Self.stepLimit) { arrive.yield(.late(number)) }
            // A view that ended meanwhile heard nothing, and its end is on its way.
            wait: while course.isBehind(seq, event), course.end == nil, let arrival = await iterator.next() {
                switch arrival {
                case .report(let report): try course.take(report)
                case .late(number): throw CommandError("no scene took in \(step.text) within 10 s")
                case .late: continue wait
                }
            }
            host.deadlines.cancel(late)
            if course.text != before { try Output.write(course.text) }
            if seq == nil, let end = course.end {
                throw CommandError("the view ended as \(end.rawValue) before \(step.text)", hint: end.advice)
            }
        }
        let over = host.deadlines.schedule(at: host.clock.now + Self.grace) { arrive.yield(.late(steps.count)) }
        rest: while course.end == nil, let arrival = await iterator.next() {
            switch arrival {
            case .report(let report): try course.take(report)
            case .late(steps.count): break rest
            case .late: continue rest
            }
        }
        host.deadlines.cancel(over)
        try file?.write(String(decoding: course.scene.whole.body.serialized, as: UTF8.self) + "\n")
        var failures = expectations.compactMap {
            $0.failure(course.scene, calls: course.calls, end: course.end?.rawValue)
        }
        if let end = course.end, end != .dismissed, !expectations.contains(where: \.isOfEnd) {
            failures.append("the view ended as \(end.rawValue)")
        }
        return failures
    }

    private var takesInteraction: Bool { app.contentBundle?.content?.takesInteraction == true }

    private var opening: ViewOpening {
        ViewOpening(
            notification: ShownNotification(
                identifier: UUID().uuidString.lowercased(),
                date: UTCTime.preciseText(of: Int64(Date().timeIntervalSince1970 * 1000)),
                payload: notification
            ),
            environment: environment
        )
    }
}

/// The scene of a view, its calls and its end, as reports told them.
private struct ViewCourse {
    private(set) var scene = SceneTree()
    private(set) var calls: [String] = []
    private(set) var end: ViewEnd?
    private var acknowledged: UInt64 = 0
    /// The responses on which the view has said what becomes of them.
    private var answered: Set<UInt64> = []
    /// True once the view asked for its own end, which follows.
    private var isClosing = false

    /// True while something of an event is still to come; the end alone, of an event that no view heard.
    func isBehind(_ seq: UInt64?, _ event: ViewEvent) -> Bool {
        if case .response(let response) = event, !answered.contains(response.number) { return true }
        return seq.map { acknowledged < $0 } ?? true || isClosing
    }

    mutating func take(_ report: ViewReport) throws {
        switch report {
        case .scene(let update):
            try scene.apply(update)
            acknowledged = max(acknowledged, update.acknowledged ?? 0)
            calls += update.calls.map(\.name)
            for case .option(_, let response) in update.calls { answered.insert(response) }
            isClosing = isClosing || update.calls.contains(where: \.closesView)
        // The lines of a scene have the number of a file; one that is refused is in the log.
        case .picture: break
        case .ended(let reason): end = reason
        }
    }

    /// The scene in lines, with what the view asked for and its end below it.
    var text: String {
        var lines = SceneLines(scene).lines.map { "  " + $0 }
        if !calls.isEmpty { lines.append("calls: \(calls.joined(separator: ", "))") }
        if let end { lines.append("ended: \(end.rawValue)") }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension ViewEnd {
    /// The next step of an author whose view ended so.
    fileprivate var advice: String? {
        switch self {
        case .closed, .dismissed, .idle: nil
        case .slow: "a view has 5 s for its first scene"
        case .crashed, .gone, .notStarted: "with --log-level debug the log has what it printed"
        case .memoryLimitExceeded: "--memory gives it more"
        case .cpu: "a view has 10 s of processor time, and half of 10 s without an event"
        case .protocolViolation: "the log has the rule that it broke"
        }
    }
}

extension EventFault {
    /// The reason as a clause.
    fileprivate var words: String {
        switch self {
        case .unknownNode: "the node has gone"
        case .inactive: "the control is hidden or disabled"
        case .notOfKind: "the control has no such event"
        case .badValue: "the control cannot have that value"
        }
    }
}
