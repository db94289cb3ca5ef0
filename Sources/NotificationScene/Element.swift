// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel

/// One element: a node of the scene without an id, and what is done at its events.
@MainActor struct Element {
    /// The place in its parent's description, by which an element stays the same node when the scene is drawn anew.
    struct Identity: Hashable {
        /// Indices in the description, from the innermost outwards, unless `name` takes their place; none for what
        /// stands alone.
        var path: [Int] = []
        /// The name that `id(_:)` gives.
        var name: AnyHashable?
    }

    /// Calls what an author wants done at an event of the node.
    typealias Act = @MainActor (NodeEvent) -> Void

    var identity = Identity()
    /// Makes the node's kind for the place of the view.
    var kind: (ViewEnvironment) -> SceneKind
    /// The picture that an image shows.
    var file: URL?
    var style = SceneStyle()
    var size: SceneSize?
    var grow = 0.0
    var label: String?
    var isDisabled = false
    var children: [Element] = []
    /// The functions that are called at the node's events, by their names.
    var acts: [NodeEvent.Name: Act] = [:]

    init(_ kind: SceneKind, children: [Element] = []) {
        self.kind = { _ in kind }
        self.children = children
    }

    init(_ kind: @escaping (ViewEnvironment) -> SceneKind) {
        self.kind = kind
    }

    /// A control that hands each value on which a person gives it.
    static func control(
        _ kind: @escaping (ViewEnvironment) -> SceneKind,
        _ take: @escaping @MainActor (SceneValue) -> Void
    ) -> Element {
        var element = Element(kind)
        element.acts[.value] = { event in
            if case .value(let value) = event { take(value) }
        }
        return element
    }

    /// The element as the one at an index of a list.
    func at(_ index: Int) -> Element {
        var element = self
        element.identity.path.append(index)
        return element
    }

    /// The node of the element under an id, without an order of children.
    ///
    /// `isDead` says that a row or column around it lets no control take anything.
    func node(_ id: UInt32, in up: UInt32, _ kind: SceneKind, isDead: Bool) -> SceneNode {
        let isControl = kind.isDisabled != nil
        return SceneNode(
            id: id,
            up: up,
            isDead ? kind.fitted(beside: label).disabled : kind.fitted(beside: label),
            frame: size.map { SceneFrame(0, 0, $0.width, $0.height) },
            style: style,
            grow: grow,
            // A control has its own ways to be worked.
            isTappable: !isControl && acts[.tap] != nil,
            isHoldable: !isControl && acts[.longPress] != nil,
            label: label
        )
    }
}

extension SceneKind {
    /// The same control as one that takes nothing.
    fileprivate var disabled: SceneKind {
        func changed<Control>(_ control: Control, _ path: WritableKeyPath<Control, Bool>) -> Control {
            var control = control
            control[keyPath: path] = true
            return control
        }
        return switch self {
        case .button(let button): .button(changed(button, \.isDisabled))
        case .slider(let range): .slider(changed(range, \.isDisabled))
        case .stepper(let range): .stepper(changed(range, \.isDisabled))
        case .switch(let control): .switch(changed(control, \.isDisabled))
        case .segments(let segments): .segments(changed(segments, \.isDisabled))
        case .field(let field): .field(changed(field, \.isDisabled))
        case .editor(let field): .editor(changed(field, \.isDisabled))
        case .date(let date): .date(changed(date, \.isDisabled))
        case .view, .text, .image, .progress, .spinner, .media, .scroll, .row, .column: self
        }
    }

    fileprivate func fitted(beside label: String?) -> SceneKind {
        switch self {
        case .field(let field): .field(field.fitted(beside: label))
        case .editor(let field): .editor(field.fitted(beside: label))
        default: self
        }
    }
}

extension SceneField {
    /// The field with a text that it can show: a longer one is cut, and cannot be changed, because what a person would
    /// write into it would take the place of the whole.
    fileprivate func fitted(beside label: String?) -> SceneField {
        let room = SceneLimits.nodeTextByteCount - placeholder.utf8.count - (label ?? "").utf8.count
        guard value.utf8.count > room else { return self }
        var field = self
        field.value = value.cut(toByteCount: room)
        field.isDisabled = true
        return field
    }
}
