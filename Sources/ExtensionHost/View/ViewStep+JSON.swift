// SPDX-License-Identifier: Apache-2.0

import ExtensionBuild
import NotificationPayload
import SceneModel

extension ViewStep {
    /// A step as JSON: `{"tap":NAME}`, `{"set":NAME,"value":VALUE}`, `{"respond":ACTION,"text":TEXT}`,
    /// `{"media":"play"}` or `{"show":PAYLOAD}`; the text alone may be absent.
    init(line: [UInt8]) throws(CommandError) {
        let object: JSONObject
        do { object = try JSONObject(parsing: line.span, depthLimit: Payload.depthLimit + 1) } catch {
            throw CommandError("a step is no JSON object: \(error)", hint: StepMembers.forms)
        }
        self.init(try StepMembers(object).act())
    }
}

/// The members of one step, each of which has its kind.
private struct StepMembers {
    static let forms =
        #"write {"tap":NAME}, {"set":NAME,"value":VALUE}, {"respond":ACTION}, {"media":"play"} or {"show":PAYLOAD}"#
    /// The members of which each makes another step, and those that it may have besides.
    private static let steps = [
        ("tap", []), ("set", ["value"]), ("respond", ["text"]), ("media", []), ("show", []),
    ]

    private let object: JSONObject
    /// The member that says which step it is.
    private let step: String

    init(_ object: JSONObject) throws(CommandError) {
        guard let (step, others) = Self.steps.first(where: { object[$0.0] != nil }) else {
            throw CommandError("a line is none of the steps", hint: Self.forms)
        }
        if let member = object.members.first(where: { $0.key != step && !others.contains($0.key) }) {
            throw CommandError("a step \"\(step)\" has no member \"\(member.key.prefix(100))\"", hint: Self.forms)
        }
        self.object = object
        self.step = step
    }

    func act() throws(CommandError) -> ViewStep.Act {
        switch step {
        case "tap": return .tap(try text("tap"))
        case "set":
            let name = try text("set")
            return .give(name, try sceneValue("value"))
        case "respond":
            let action = try text("respond")
            guard !action.isEmpty else { throw fault("respond", "is empty") }
            return .respond(action, object["text"] == nil ? nil : try text("text"))
        case "media":
            guard let press = ViewEvent.MediaPress(rawValue: try text("media")) else {
                throw fault("media", "is neither \"play\" nor \"pause\"")
            }
            return .media(press)
        default:
            guard let payload = object["show"]?.object else { throw wrongKind("show", "an object") }
            guard payload["aps"]?.object != nil else { throw fault("show", "has no object \"aps\"") }
            if let fault = Payload(payload).faultOfCategory { throw self.fault("show", fault) }
            return .show(Payload(payload))
        }
    }

    private func text(_ key: String) throws(CommandError) -> String {
        guard let text = object[key]?.string else { throw wrongKind(key, "a text") }
        return text
    }

    private func sceneValue(_ key: String) throws(CommandError) -> SceneValue {
        guard let value = object[key] else { throw fault(key, "is missing") }
        if let text = value.string { return .text(text) }
        if let flag = value.bool { return .flag(flag) }
        guard let number = value.double, number.isFinite else {
            throw wrongKind(key, "a number, a text or true or false")
        }
        return .number(number)
    }

    private func wrongKind(_ key: String, _ expected: String) -> CommandError {
        fault(key, "is \(object[key]?.kindInWords ?? "missing"), and not \(expected)")
    }

    private func fault(_ key: String, _ what: String) -> CommandError {
        CommandError("\"\(key)\" of a step \(what)", hint: Self.forms)
    }
}

extension Payload {
    /// The clause on a category of another kind; `nil` for a text and for none.
    var faultOfCategory: String? {
        guard let category = aps?["category"], category.string == nil else { return nil }
        return "has a \"category\" that is \(category.kindInWords), and not a text"
    }
}

extension JSON {
    /// The kind of the value for a sentence, such as "a number".
    var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .double: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
