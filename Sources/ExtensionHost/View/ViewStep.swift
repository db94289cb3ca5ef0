// SPDX-License-Identifier: Apache-2.0

import ExtensionBuild
import Locking
import SceneModel

/// One thing that `view` does with a scene, in the order of the command line.
struct ViewStep: Sendable {
    enum Act: Sendable, Equatable {
        /// A click on the control of that name or number.
        case tap(String)
        /// NAME=VALUE: a value for the control of that name or number.
        case set(String)
        /// A response by that action, with the text that a person wrote.
        case respond(String, String?)
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
        case .respond(let action, _): "respond \(action)"
        }
    }

    /// Every way to read NAME=VALUE, since both may have an equals sign; the shortest name first.
    static func pairs(_ text: String) -> [(name: String, value: String)] {
        text.indices.filter { text[$0] == "=" && $0 != text.startIndex }.map { index in
            (String(text[..<index]), String(text[text.index(after: index)...]))
        }
    }

    /// The event of a step, for the scene as it stands.
    func event(
        in scene: SceneTree,
        response: UInt64,
        takesInteraction: Bool
    ) throws(CommandError) -> ViewEvent {
        if case .respond = act {
        } else if !takesInteraction {
            throw CommandError(
                "the view takes no clicks",
                hint:
                    "UNNotificationExtensionUserInteractionEnabled in its Info.plist is not true: a click in it is the "
                    + "default action"
            )
        }
        switch act {
        case .tap(let name): return .node(try control(name, in: scene).id, .tap(at: nil))
        case .set(let text):
            let pairs = Self.pairs(text)
            let (name, value) = pairs.first { Self.find($0.name, in: scene) != nil } ?? pairs[0]
            let node = try control(name, in: scene)
            return .node(node.id, .value(try Self.value(value, for: node, name)))
        case .respond(let action, let text):
            return .response(ViewResponse(number: response, action: action, text: text))
        }
    }

    private func control(_ name: String, in scene: SceneTree) throws(CommandError) -> SceneNode {
        if let node = Self.find(name, in: scene) { return node }
        throw CommandError(
            "the scene has no control \"\(name)\"",
            hint: "controls are called by their label, title or number, as the scene shows them"
        )
    }

    /// The control of that name or number; one that is alone of its kind is called by that as well.
    private static func find(_ name: String, in scene: SceneTree) -> SceneNode? {
        let lines = SceneLines(scene)
        if let id = lines.control(named: name), let node = scene[id] { return node }
        let ofKind = lines.controls.compactMap { scene[$0] }.filter { $0.kind.name.rawValue == name }
        return ofKind.count == 1 ? ofKind[0] : nil
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
