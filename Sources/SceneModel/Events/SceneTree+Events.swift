// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The reason for which an event does not reach the view.
package enum EventFault: Error, Equatable {
    /// The node has gone meanwhile, or never was.
    case unknownNode
    /// The node or one above it is hidden, or it is disabled.
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
    /// does not offer. What a person does reaches nodes that are seen and work; what follows from it, or from a file,
    /// reaches each node that is there, since a node may go out of sight while it is pressed or plays.
    package func judge(_ event: NodeEvent, of id: UInt32) throws(EventFault) {
        guard let node = self[id] else { throw .unknownNode }
        guard node.hears(event.name) else { throw .notOfKind }
        if event.name.isAct {
            guard isSeen(node), node.kind.isDisabled != true else { throw .inactive }
        }
        guard case .value(let value) = event else { return }
        guard node.kind.allows(value) else { throw .badValue }
        if case .text(let text) = value, node.kind.writtenText != nil {
            guard text.utf8.count <= room(forTextOf: node) else { throw .badValue }
        }
    }

    /// True if neither the node nor one above it is hidden, or drawn too faintly to be seen.
    private func isSeen(_ node: SceneNode) -> Bool {
        var next: SceneNode? = node
        while let current = next {
            guard !current.style.isHidden, current.style.opacity >= SceneLimits.leastOpacity else { return false }
            next = self[current.up]
        }
        return true
    }
}

extension NodeEvent.Name {
    /// True for what a person does, in contrast to what follows from it.
    package var isAct: Bool {
        switch self {
        case .tap, .longPress, .press, .focus, .submit, .value: true
        case .release, .blur, .ready, .playing, .paused, .time, .ended, .failed, .measured: false
        }
    }
}

extension SceneNode {
    /// Tells whether the node has events of that name.
    fileprivate func hears(_ event: NodeEvent.Name) -> Bool {
        switch event {
        case .tap: isTappable || kind.name == .button
        case .longPress: isHoldable
        case .press, .release: kind.isDisabled != nil
        case .focus, .blur, .submit: kind.writtenText != nil
        case .value: kind.isDisabled != nil && kind.name != .button
        case .ready, .playing, .paused, .time, .ended: kind.name == .media
        case .failed: kind.source != nil
        case .measured: kind.isFlow && up == 0
        }
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

    /// The text that a person writes in it; `nil` for what is no field.
    package var writtenText: String? {
        switch self {
        case .field(let field), .editor(let field): field.value
        default: nil
        }
    }

    /// Tells whether the control can have a value.
    fileprivate func allows(_ value: SceneValue) -> Bool {
        switch (self, value) {
        case (.slider(let range), .number(let number)): range.allows(number, step: range.step)
        case (.stepper(let range), .number(let number)): range.allows(number, step: range.step == 0 ? 1 : range.step)
        case (.switch, .flag): true
        case (.segments(let segments), .number(let number)):
            Int(exactly: number).map(segments.titles.indices.contains) ?? false
        case (.field, .text(let text)): !text.unicodeScalars.contains(where: \.isNoTextOfAPerson)
        case (.editor, .text(let text)):
            !text.unicodeScalars.contains { $0.isNoTextOfAPerson && $0 != "\n" && $0 != "\t" }
        case (.date(let date), .number(let number)): Int64(exactly: number).map(date.allows) ?? false
        default: false
        }
    }
}

extension SceneRange {
    /// Tells whether a number is inside the bounds, and with a step on its grid, or the end of it.
    fileprivate func allows(_ number: Double, step: Double) -> Bool {
        guard (minimum...maximum).contains(number) else { return false }
        guard step > 0, number != maximum, number != value else { return true }
        // From the value as well as from the bound, since an app may set a value beside the grid.
        return [minimum, value].contains { start in
            let steps = (number - start) / step
            return abs(steps - steps.rounded()) < 1e-6
        }
    }
}

extension Unicode.Scalar {
    /// True for what no keyboard writes into a line.
    fileprivate var isNoTextOfAPerson: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
