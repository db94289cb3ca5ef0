// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// A scene as lines for a terminal, with a number before each control that a person can work.
///
/// Texts of the worker are spelt out where they could move, colour or hide what a terminal shows.
package struct SceneLines: Sendable {
    /// The lines, from the top of the box to its bottom.
    package private(set) var lines: [String] = []
    /// The ids of controls; the control that is written as `[1]` comes first.
    package private(set) var controls: [UInt32] = []
    private let tree: SceneTree

    package init(_ tree: SceneTree) {
        self.tree = tree
        for node in [tree.root, tree.strip] { lines += node.map { write($0) } ?? [] }
    }

    /// Returns the control of that label or title, byte for byte, if exactly one has it, as of a calculator's keys;
    /// else the one of that number, `12` or as it is written, `[12]`; else the first one of that label or title; else
    /// the one that is alone of that kind, as `slider`.
    package func control(named text: String) -> UInt32? {
        let named = controls.filter { tree[$0]?.name?.isWord(text) == true }
        if named.count == 1 { return named[0] }
        let ofKind = controls.filter { tree[$0]?.kind.name.rawValue == text }
        return control(numbered: text) ?? named.first ?? (ofKind.count == 1 ? ofKind[0] : nil)
    }

    /// Returns what a click does on the control of that name, or on the segment that alone has that title; it turns a
    /// switch.
    package func click(on text: String) -> (id: UInt32, event: NodeEvent)? {
        if let id = control(named: text) {
            if case .switch(let control)? = tree[id]?.kind { return (id, .value(.flag(!control.isOn))) }
            return (id, .tap(at: nil))
        }
        let segments = controls.flatMap { id in
            guard case .segments(let control)? = tree[id]?.kind else { return [(UInt32, Int)]() }
            return control.titles.indices.filter { control.titles[$0] == text }.map { (id, $0) }
        }
        guard segments.count == 1 else { return nil }
        return (segments[0].0, .value(.number(Double(segments[0].1))))
    }

    private func control(numbered text: String) -> UInt32? {
        let digits = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
        // A number with a sign is none that is written.
        guard digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let number = Int(digits),
            controls.indices.contains(number - 1)
        else { return nil }
        return controls[number - 1]
    }

    private mutating func write(_ node: SceneNode) -> [String] {
        guard !node.style.isHidden, node.style.opacity >= SceneLimits.leastOpacity else { return [] }
        var own = node.kind.ownLines(label: node.spokenLabel)
        if case .image = node.kind, node.style.opacity < 1 {
            own = [
                "(picture\(node.spokenLabel.map { ": \(ForeignText.visible($0))" } ?? ""), "
                    + "\(Int((node.style.opacity * 100).rounded())) %)"
            ]
        }
        if node.isTappable || node.isHoldable || node.kind.isDisabled == false, node.kind.isDisabled != true {
            controls.append(node.id)
            if own.isEmpty { own = [node.spokenLabel.map(ForeignText.visible) ?? "(tap)"] }
            own[0] = "[\(controls.count)] \(own[0])"
        }
        var below: [[String]] = []
        for child in inReadingOrder(node) { below.append(write(child)) }
        // What stands side by side is read side by side, as long as each is one line.
        if case .row = node.kind, below.allSatisfy({ $0.count < 2 }) {
            let side = below.flatMap { $0 }.joined(separator: "  ")
            return side.isEmpty ? own : own + [side]
        }
        return own + below.flatMap { $0 }
    }

    /// The children in the order in which a reader sees them, where they have frames: from top to bottom, and from left
    /// to right what stands beside the highest of them, as a label beside a button, or lines of text beside a picture.
    private func inReadingOrder(_ node: SceneNode) -> [SceneNode] {
        let children = tree.children(of: node.id)
        guard !node.kind.isFlow else { return children }
        // A view without a word, as a bar of a chart or a line between columns, says nothing of what stands beside it.
        let speaking = children.filter { speaks($0) }
        return Self.inReadingOrder(
            speaking.enumerated().sorted { left, right in
                // A node without a frame has the whole of its parent.
                let (first, second) = (left.element.frame ?? .whole, right.element.frame ?? .whole)
                return (first.y, first.x, left.offset) < (second.y, second.x, right.offset)
            }
            .map(\.element)
        )
    }

    /// True if the node or something in it may have a line.
    private func speaks(_ node: SceneNode) -> Bool {
        if node.kind.name != .view || node.isTappable || node.isHoldable { return true }
        return tree.children(of: node.id).contains { speaks($0) }
    }

    /// Puts nodes that are sorted by their tops into order.
    private static func inReadingOrder(_ nodes: [SceneNode]) -> [SceneNode] {
        guard let first = nodes.first else { return [] }
        var (left, right, rest): ([SceneNode], [SceneNode], [SceneNode]) = ([], [], [])
        for node in nodes.dropFirst() {
            guard let place = first.frame, let frame = node.frame, place.hasMiddle(of: frame) else {
                rest.append(node)
                continue
            }
            if frame.x + frame.width <= place.x {
                left.append(node)
            } else if place.x + place.width <= frame.x {
                right.append(node)
            } else {
                rest.append(node)
            }
        }
        return inReadingOrder(left) + [first] + inReadingOrder(right) + inReadingOrder(rest)
    }
}

extension SceneFrame {
    fileprivate static let whole = SceneFrame(0, 0, 0, 0)

    /// True if the other one's middle is neither above this one nor below it.
    fileprivate func hasMiddle(of other: SceneFrame) -> Bool {
        let middle = other.y + other.height / 2
        return y <= middle && middle <= y + height
    }
}

extension SceneNode {
    /// The label, unless it is empty.
    fileprivate var spokenLabel: String? { label.flatMap { $0.isEmpty ? nil : $0 } }

    /// The text by which a person, a screen reader or a test calls a control.
    package var name: String? {
        if let spokenLabel { return spokenLabel }
        return switch kind {
        case .button(let button): button.title
        case .text(let text): text.plain
        case .field(let field), .editor(let field): field.placeholder
        default: nil
        }
    }
}

extension SceneKind {
    fileprivate func ownLines(label: String?) -> [String] {
        let before = label.map { "\(ForeignText.visible($0)) " } ?? ""
        switch self {
        case .view, .scroll, .row, .column: return []
        case .text(let block):
            return block.plain.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
                // A text is not taken for a control.
                (line.first == "[" ? " " : "") + ForeignText.visible(String(line))
            }
        case .image: return ["(picture\(label.map { ": \(ForeignText.visible($0))" } ?? ""))"]
        case .button(let button): return [ForeignText.visible(label ?? button.title)]
        case .slider(let range):
            let share =
                range.maximum > range.minimum
                ? (range.value - range.minimum) / (range.maximum - range.minimum) : 0
            return ["\(before)\(Self.bar(share)) \(Self.text(of: range.value))"]
        case .stepper(let range): return ["\(before)- \(Self.text(of: range.value)) +"]
        case .switch(let control): return ["\(before)\(control.isOn ? "on" : "off")"]
        case .segments(let segments):
            let titles = segments.titles.enumerated().map { index, title in
                index == segments.chosen ? "<\(ForeignText.visible(title))>" : ForeignText.visible(title)
            }
            return [before + titles.joined(separator: " | ")]
        case .progress(let progress): return ["\(before)\(Self.bar(progress.value))"]
        case .spinner(let spinner): return spinner.isTurning ? ["\(before)…"] : []
        case .field(let field), .editor(let field):
            guard !field.isSecure else { return ["\(before)(the app cannot ask for passwords here)"] }
            let shown = field.value.isEmpty ? field.placeholder : field.value
            return ["\(before)_\(ForeignText.visible(shown))_"]
        case .date(let date): return ["\(before)\(UTCTime.preciseText(of: date.value))"]
        case .media(let media): return ["\(before)(\(media.isPlaying ? "playing" : "paused"))"]
        }
    }

    /// Eight characters of which a share is full.
    private static func bar(_ share: Double) -> String {
        let full = Int((share * 8).rounded())
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: 8 - full) + "]"
    }

    /// A number with three places at most, and no more than it needs.
    private static func text(of number: Double) -> String {
        let rounded = (number * 1000).rounded() / 1000
        return Int64(exactly: rounded).map { String($0) } ?? "\(rounded)"
    }
}
