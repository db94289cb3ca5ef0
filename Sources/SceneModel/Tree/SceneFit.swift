// SPDX-License-Identifier: Apache-2.0

/// The nodes of a whole scene, cut so that no limit of its texts and bytes is broken, however much an author has set.
///
/// The nodes stand in the order of drawing, each behind the one that it is in. What comes first has room first: a text
/// that has none left is cut and ends with "…", one beyond 400 texts becomes a plain rectangle, and what is beyond the
/// bytes of a scene is left out with all that follows. A field whose text is cut takes nothing, since a person would
/// write on with a part of it.
package struct SceneFit {
    /// Bytes that titles, names and placeholders have beside what the long texts take.
    private static let reserve = 8_000
    /// Bytes of JSON in all, less than the limit by what a motion may add to the looks of nodes.
    private static let byteCount = SceneLimits.byteCount - 16_000

    package private(set) var nodes: [SceneNode]
    /// True if something is missing.
    package private(set) var isCut = false
    private var texts = SceneLimits.lineCount
    /// Lines beyond the first of each text.
    private var lines: Int
    private var bytes = SceneLimits.textByteCount

    /// Fits the nodes of a scene.
    package init(_ nodes: [SceneNode]) {
        self.nodes = nodes
        lines = SceneLimits.lineCount - min(SceneLimits.lineCount, nodes.count { $0.kind.name == .text })
        for index in nodes.indices {
            var node = nodes[index]
            fit(&node)
            self.nodes[index] = node
        }
        cutBytes()
    }

    private mutating func fit(_ node: inout SceneNode) {
        var rest = SceneLimits.nodeTextByteCount
        node.label = node.label.map { short($0, &rest) }
        switch node.kind {
        case .text(let text):
            if texts == 0 {
                (node.kind, isCut) = (.view, true)
            } else {
                texts -= 1
                node.kind = .text(fitted(text, &rest))
            }
        case .field(let field): node.kind = .field(fitted(field, &rest))
        case .editor(let field): node.kind = .editor(fitted(field, &rest))
        case .button(var button):
            button.title = short(button.title, &rest)
            node.kind = .button(button)
        case .segments(var segments):
            segments.titles = segments.titles.prefix(SceneLimits.segmentCount).map { short($0, &rest) }
            if let chosen = segments.chosen, !segments.titles.indices.contains(chosen) { segments.chosen = nil }
            node.kind = .segments(segments)
        case .view, .image, .slider, .switch, .stepper, .progress, .spinner, .date, .media, .scroll, .row, .column:
            break
        }
    }

    /// Cuts a word or two: a title, a name.
    private mutating func short(_ text: String, _ rest: inout Int) -> String {
        cut(text, to: min(SceneLimits.titleByteCount, rest, bytes), &rest)
    }

    /// Cuts a text that may be long.
    private mutating func long(_ text: String, _ rest: inout Int) -> String {
        cut(text, to: min(rest, bytes - Self.reserve), &rest)
    }

    private mutating func cut(_ text: String, to limit: Int, _ rest: inout Int) -> String {
        var text = text.hasControls ? text.shown : text
        if text.utf8.count > limit {
            text = limit < "…".utf8.count ? "" : text.cut(toByteCount: limit)
            isCut = true
        }
        bytes -= text.utf8.count
        rest -= text.utf8.count
        return text
    }

    private mutating func fitted(_ field: SceneField, _ rest: inout Int) -> SceneField {
        var field = field
        field.placeholder = short(field.placeholder, &rest)
        let value = long(field.value, &rest)
        if value != field.value { (field.value, field.isDisabled) = (value, true) }
        return field
    }

    private mutating func fitted(_ text: SceneText, _ rest: inout Int) -> SceneText {
        var text = text
        if text.runs.count > SceneLimits.runCount {
            text.runs.removeSubrange(SceneLimits.runCount...)
            isCut = true
        }
        for index in text.runs.indices {
            var part = text.runs[index].text
            if text.runs[index].lineBreakCount > lines {
                part = part.shown.cut(toLineCount: lines + 1)
                isCut = true
            }
            text.runs[index].text = long(part, &rest)
            lines -= text.runs[index].lineBreakCount
        }
        return text
    }

    /// Leaves out what is beyond the bytes of a scene, from the last node on.
    private mutating func cutBytes() {
        // The exact count is dear: most scenes are far below.
        let guess = nodes.reduce(0) { $0 + $1.greatestByteCount }
        guard guess > Self.byteCount else { return }
        var (room, count) = (Self.byteCount, 0)
        for node in nodes {
            room -= node.byteCount
            guard room >= 0 else { break }
            count += 1
        }
        guard count < nodes.count else { return }
        isCut = true
        nodes.removeSubrange(count...)
        let kept = Set(nodes.map(\.id))
        for index in nodes.indices where !nodes[index].order.isEmpty {
            nodes[index].order.removeAll { !kept.contains($0) }
        }
    }
}

extension String {
    /// True for a text that has more than letters and ends of lines.
    fileprivate var hasControls: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t" }
            || unicodeScalars.contains { $0 == "\u{2028}" || $0 == "\u{2029}" }
    }
}

extension SceneNode {
    /// A number of bytes that the node has at most as JSON: each byte of a text may need a second one.
    fileprivate var greatestByteCount: Int {
        var runs = 0
        if case .text(let text) = kind { runs = text.runs.count }
        return 800 + 11 * order.count + 2 * textByteCount + 220 * runs
    }
}
