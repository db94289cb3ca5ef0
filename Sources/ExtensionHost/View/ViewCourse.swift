// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import ExtensionBuild
import HostRuntime
import NotificationPayload
import SceneModel
import WorkerProtocol
import WorkerSupervisor

/// The scene of a view, its calls and its end, as reports told them.
struct ViewCourse {
    private(set) var scene = SceneTree()
    private(set) var calls: [String] = []
    private(set) var end: ViewEnd?
    private var acknowledged: UInt64 = 0
    /// The responses on which the view has said what becomes of them.
    private var answered: Set<UInt64> = []
    /// True once the view asked for its own end, which follows.
    private var isClosing = false

    /// True while something of an event is still to come; the end alone, of an event that no view heard.
    func isBehind(_ seq: UInt64?, _ word: ViewWord) -> Bool {
        if case .event(.response(let response)) = word, !answered.contains(response.number) { return true }
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

    /// The state behind a number of steps as an object: `step`, `scene`, `calls`, and `ended` once there is an end.
    func json(step: Int) -> JSONObject {
        var object: JSONObject = [
            "step": .integer(Int64(step)), "scene": .object(scene.whole.body), "calls": .array(calls.map(JSON.string)),
        ]
        object["ended"] = end.map { .string($0.rawValue) }
        return object
    }

    /// The error of a step that comes behind the end.
    func failure(before step: ViewStep) -> CommandError? {
        end.map { CommandError("the view ended as \($0.rawValue) before \(step.text)", hint: $0.advice) }
    }
}

extension ViewEnd {
    /// The next step of an author whose view ended so.
    var advice: String? {
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
    var words: String {
        switch self {
        case .unknownNode: "the node has gone"
        case .inactive: "the control is hidden or disabled"
        case .notOfKind: "the control has no such event"
        case .badValue: "the control cannot have that value"
        }
    }
}
