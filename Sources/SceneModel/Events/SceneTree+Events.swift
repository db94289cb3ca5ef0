// SPDX-License-Identifier: Apache-2.0

import CenterProtocol

/// The reason for which an event does not reach the view.
package enum EventFault: Error, Equatable {
    /// The node has gone meanwhile, or never was.
    case unknownNode
    /// The node, or one above it, is hidden, or it is disabled.
    case inactive
    /// The node is of a kind that has no such event.
    case notOfKind
    /// The value is none that the control can have.
    case badValue
}

extension SceneTree {
    /// Judges an event of a node before the view hears of it.
    ///
    /// The centre asks it for the page's events and the host once more, so that a worker gets nothing that its scene
    /// does not offer.
    package func judge(_ event: NodeEvent, of id: UInt32) throws(EventFault) {
        guard let node = self[id] else { throw .unknownNode }
        guard isShown(node) else { throw .inactive }
        switch event {
        case .tap:
            if node.isTappable { return }
            guard case .button(let button) = node.kind else { throw .notOfKind }
            guard !button.isDisabled else { throw .inactive }
        case .longPress:
            guard node.isTappable else { throw .notOfKind }
        case .press, .release, .focus, .blur, .submit: try node.kind.judge(event.name)
        case .value(let value): try node.kind.judge(value)
        case .time, .ended:
            guard case .media = node.kind else { throw .notOfKind }
        case .failed:
            guard node.kind.source != nil else { throw .notOfKind }
        case .measured:
            guard node.kind.isFlow, node.up == 0 else { throw .notOfKind }
        }
    }

    /// True if neither the node nor one above it is hidden.
    private func isShown(_ node: SceneNode) -> Bool {
        var next: SceneNode? = node
        while let current = next {
            guard !current.style.isHidden else { return false }
            next = self[current.up]
        }
        return true
    }
}

extension SceneKind {
    /// True for a control that takes nothing now; `nil` for what is no control.
    package var isDisabled: Bool? {
        switch self {
        case .button(let button): button.isDisabled
        case .slider(let range), .stepper(let range): range.isDisabled
        case .switch(let control): control.isDisabled
        case .segments(let segments): segments.isDisabled
        case .field(let field), .editor(let field): field.isDisabled || field.isSecure
        case .date(let date): date.isDisabled
        case .view, .text, .image, .progress, .spinner, .media, .scroll, .row, .column: nil
        }
    }

    fileprivate func judge(_ event: NodeEvent.Name) throws(EventFault) {
        guard let isDisabled else { throw .notOfKind }
        let isWritten =
            switch self {
            case .field, .editor: true
            default: false
            }
        guard isWritten || event == .press || event == .release else { throw .notOfKind }
        guard !isDisabled else { throw .inactive }
    }

    fileprivate func judge(_ value: SceneValue) throws(EventFault) {
        guard let isDisabled else { throw .notOfKind }
        guard let isPossible = isPossible(value) else { throw .notOfKind }
        guard !isDisabled else { throw .inactive }
        guard isPossible else { throw .badValue }
    }

    /// Tells whether the control can have a value; `nil` for a control without one.
    private func isPossible(_ value: SceneValue) -> Bool? {
        switch (self, value) {
        case (.slider(let range), .number(let number)), (.stepper(let range), .number(let number)):
            (range.minimum...range.maximum).contains(number)
        case (.switch, .flag): true
        case (.segments(let segments), .number(let number)):
            Int(exactly: number).map(segments.titles.indices.contains) ?? false
        case (.field, .text(let text)): !text.utf8.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        case (.editor, .text): true
        case (.date(let date), .text(let text)):
            Moment(text).map { (date.minimum ?? $0) <= $0 && $0 <= (date.maximum ?? $0) } ?? false
        case (.slider, _), (.stepper, _), (.switch, _), (.segments, _), (.field, _), (.editor, _), (.date, _): false
        default: nil
        }
    }
}
