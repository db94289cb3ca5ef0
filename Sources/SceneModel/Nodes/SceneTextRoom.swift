// SPDX-License-Identifier: Apache-2.0

/// The room that a scene has for the lines and bytes of its texts, each of which has one line at least.
package struct SceneTextRoom: Sendable {
    /// Lines beyond the first of each text.
    private var lines: Int
    /// Bytes of UTF-8; the rest of a scene's is for titles, labels and fields.
    private var bytes = 60_000

    /// The room of a scene with so many texts.
    package init(texts: Int) {
        lines = max(0, SceneLimits.lineCount - texts)
    }

    /// Cuts a text to what is left, so that no text of a message, however long, is beyond a limit.
    ///
    /// The text of a field that has no room is cut as well, and nobody can change it then.
    package mutating func fitted(_ kind: SceneKind, label: String? = nil) -> SceneKind {
        let node = SceneLimits.nodeTextByteCount - (label ?? "").utf8.count
        return switch kind {
        case .text(let text): .text(fitted(text, in: node))
        case .field(let field): .field(fitted(field, in: node))
        case .editor(let field): .editor(fitted(field, in: node))
        default: kind
        }
    }

    private mutating func fitted(_ field: SceneField, in node: Int) -> SceneField {
        var field = field
        let room = max(3, min(bytes, node - field.placeholder.utf8.count))
        if field.value.utf8.count > room {
            field.value = field.value.cut(toByteCount: room)
            field.isDisabled = true
        }
        bytes -= field.value.utf8.count
        return field
    }

    private mutating func fitted(_ text: SceneText, in node: Int) -> SceneText {
        var (text, rest) = (text, node)
        for index in text.runs.indices {
            text.runs[index].text = text.runs[index].text.cut(toLineCount: max(0, lines) + 1)
                .cut(toByteCount: max(3, min(bytes, rest)))
            lines -= text.runs[index].lineBreakCount
            bytes -= text.runs[index].text.utf8.count
            rest -= text.runs[index].text.utf8.count
        }
        return text
    }
}
