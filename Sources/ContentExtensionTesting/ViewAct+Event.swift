// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationServiceTesting
import SceneModel

extension ViewAct {
    /// The event of an act in a scene as it stands, judged as a host judges it.
    ///
    /// Throws `ViewProblem` for one that the scene does not offer.
    func event(in tree: SceneTree, response: UInt64) throws(ViewProblem) -> ViewEvent {
        switch self {
        case .tap(let name):
            guard let (id, event) = SceneLines(tree).click(on: name) else { throw Self.missing(name) }
            return try judged(event, of: id, in: tree)
        case .set(let name, let value):
            guard let node = SceneLines(tree).control(named: name).flatMap({ tree[$0] }) else {
                throw Self.missing(name)
            }
            return try judged(.value(Self.value(value, for: node)), of: node.id, in: tree)
        case .respond(let action, let text):
            return .response(ViewResponse(number: response, action: action, text: text))
        case .media(let press):
            guard tree.mediaButton != nil else {
                throw ViewProblem(
                    "the view has no button that plays",
                    hint: "mediaPlayPauseButtonType says that it has"
                )
            }
            return .media(press)
        case .show: throw ViewProblem("a notification is no event", hint: nil)
        }
    }

    /// The act as a person says it.
    var text: String {
        switch self {
        case .tap(let name): "tap \"\(name)\""
        case .set(let name, _): "set \(name)"
        case .respond(let action, _): "respond \(action)"
        case .media(let press): "media \(press.rawValue)"
        case .show: "show another notification"
        }
    }

    private func judged(_ event: NodeEvent, of id: UInt32, in tree: SceneTree) throws(ViewProblem) -> ViewEvent {
        do throws(EventFault) { try tree.judge(event, of: id) } catch {
            throw ViewProblem("the scene does not take \(text): \(error.clause)", hint: nil)
        }
        return .node(id, event)
    }

    private static func missing(_ name: String) -> ViewProblem {
        ViewProblem(
            "the scene has no control \"\(name)\"",
            hint: "controls are called by their label, title or number, as the scene shows them"
        )
    }

    /// A segment by its title is the one of its place.
    private static func value(_ value: SceneValue, for node: SceneNode) -> SceneValue {
        guard case .text(let text) = value, case .segments(let segments) = node.kind,
            let place = segments.titles.firstIndex(of: text)
        else { return value }
        return .number(Double(place))
    }
}

extension EventFault {
    fileprivate var clause: String {
        switch self {
        case .unknownNode: "the node has gone"
        case .inactive: "the control is hidden or disabled"
        case .notOfKind: "the control has no such event"
        case .badValue: "the control cannot have that value"
        }
    }
}
