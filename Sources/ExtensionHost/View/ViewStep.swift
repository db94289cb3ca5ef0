// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import ExtensionBuild
import Foundation
import Locking
import NotificationPayload
import SceneModel
import WorkerProtocol

/// One thing that `view` does with a scene, in the order of the command line.
struct ViewStep: Sendable {
    enum Act: Sendable, Equatable {
        /// A click on the control of that name or number.
        case tap(String)
        /// NAME=VALUE: a value for the control of that name or number.
        case set(String)
        /// A value for the control of that name or number.
        case give(String, SceneValue)
        /// A response by that action, with the text that a person wrote.
        case respond(String, String?)
        /// A press of the page's button for what the view plays.
        case media(ViewEvent.MediaPress)
        /// A newer notification.
        case show(Payload)

        /// True for what needs a view that takes clicks.
        var isInteraction: Bool {
            switch self {
            case .tap, .set, .give: true
            case .respond, .media, .show: false
            }
        }
    }

    let act: Act
    /// The place of the option among all steps.
    let place: Int

    private static let count = Locked(0)

    init(_ act: Act) {
        self.act = act
        // Options of one name are a list of their own; what counts is the order in which all of them were read.
        place = Self.count.withLock { count in
            count += 1
            return count
        }
    }

    /// The step as a person wrote it.
    var text: String {
        switch act {
        case .tap(let name): "tap \"\(name)\""
        case .set(let text): "set \(text)"
        case .give(let name, _): "set \(name)"
        case .respond(let action, _): "respond \(action)"
        case .media(let press): "media \(press.rawValue)"
        case .show: "show another notification"
        }
    }

    /// Every way to read NAME=VALUE, since both may have an equals sign; the shortest name first.
    static func pairs(_ text: String) -> [(name: String, value: String)] {
        text.indices.filter { text[$0] == "=" && $0 != text.startIndex }.map { index in
            (String(text[..<index]), String(text[text.index(after: index)...]))
        }
    }

    /// The word of a step to the view, for the scene as it stands.
    func word(
        in scene: SceneTree,
        response: UInt64,
        takesInteraction: Bool
    ) throws(CommandError) -> ViewWord {
        guard takesInteraction || !act.isInteraction else {
            throw CommandError(
                "the view takes no clicks",
                hint:
                    "UNNotificationExtensionUserInteractionEnabled in its Info.plist is not true: a click in it is the "
                    + "default action"
            )
        }
        switch act {
        case .tap(let name):
            guard let (id, event) = SceneLines(scene).click(on: name) else { throw Self.missing(name) }
            return .event(.node(id, event))
        case .set(let text):
            let pairs = Self.pairs(text)
            let (name, value) = pairs.first { Self.find($0.name, in: scene) != nil } ?? pairs[0]
            let node = try control(name, in: scene)
            return .event(.node(node.id, .value(try Self.value(value, for: node, name))))
        case .give(let name, let value):
            let node = try control(name, in: scene)
            if case .text(let text) = value {
                return .event(.node(node.id, .value(try Self.value(text, for: node, name))))
            }
            return .event(.node(node.id, .value(value)))
        case .respond(let action, let text):
            return .event(.response(ViewResponse(number: response, action: action, text: text)))
        case .media(let press): return .event(.media(press))
        case .show(let payload): return .notification(ShownNotification(deliveredNow: payload))
        }
    }

    /// True while the control that the step works is not in the scene, or not to be worked.
    func lacksControl(in scene: SceneTree) -> Bool {
        switch act {
        case .tap(let name): SceneLines(scene).click(on: name) == nil
        case .give(let name, _): Self.find(name, in: scene) == nil
        case .set(let text): !Self.pairs(text).contains { Self.find($0.name, in: scene) != nil }
        case .respond, .media, .show: false
        }
    }

    private func control(_ name: String, in scene: SceneTree) throws(CommandError) -> SceneNode {
        guard let node = Self.find(name, in: scene) else { throw Self.missing(name) }
        return node
    }

    private static func missing(_ name: String) -> CommandError {
        CommandError(
            "the scene has no control \"\(name)\"",
            hint: "controls are called by their label, title or number, as the scene shows them"
        )
    }

    private static func find(_ name: String, in scene: SceneTree) -> SceneNode? {
        SceneLines(scene).control(named: name).flatMap { scene[$0] }
    }

    private static func value(_ text: String, for node: SceneNode, _ name: String) throws(CommandError) -> SceneValue {
        switch node.kind {
        case .switch:
            if ["on", "true"].contains(text) { return .flag(true) }
            if ["off", "false"].contains(text) { return .flag(false) }
            throw CommandError("\"\(text)\" is no value of the switch \"\(name)\"", hint: "write on or off")
        case .field, .editor: return .text(text)
        case .segments(let segments):
            if let index = segments.titles.firstIndex(of: text) { return .number(Double(index)) }
        default: break
        }
        guard let number = Double(text), number.isFinite else {
            throw CommandError("\"\(text)\" is no value of \"\(name)\"", hint: "write a number, such as 0.4")
        }
        return .number(number)
    }
}

extension ShownNotification {
    /// A notification as it is delivered at this moment, under an identifier of its own.
    init(deliveredNow payload: Payload) {
        self.init(
            identifier: UUID().uuidString.lowercased(),
            date: UTCTime.preciseText(of: Int64(Date().timeIntervalSince1970 * 1000)),
            payload: payload
        )
    }
}
