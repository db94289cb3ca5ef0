// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NotificationPayload
import SceneModel

/// A rectangle of a view's scene, as it was when the test asked for it.
public struct ShownNode: Sendable, Equatable, CustomStringConvertible {
    private let node: SceneNode

    init(_ node: SceneNode) {
        self.node = node
    }

    /// The kind, such as `text`, `image`, `button`, `slider` or `switch`: PROTOCOL.md, "Scenes".
    public var kind: String { node.kind.name.rawValue }

    /// The label for screen readers; `nil` means the node's own text.
    public var label: String? { node.label }

    /// The text that is read: of a text, a button's title, what stands in a field, the segment that is chosen.
    public var text: String? {
        switch node.kind {
        case .text(let text): text.plain
        case .button(let button): button.title
        case .field(let field), .editor(let field): field.value
        case .segments(let segments): segments.chosen.map { segments.titles[$0] }
        default: nil
        }
    }

    /// The value of a slider, a stepper, a progress bar, 0 to 1, or a date picker, in milliseconds since 1970.
    public var value: Double? {
        switch node.kind {
        case .slider(let range), .stepper(let range): range.value
        case .progress(let progress): progress.value
        case .date(let date): Double(date.value)
        default: nil
        }
    }

    /// True for a switch that is on; `nil` for what is no switch.
    public var isOn: Bool? {
        if case .switch(let control) = node.kind { control.isOn } else { nil }
    }

    /// The place in the parent in points; `nil` for the whole of it, and for what the page measures.
    public var frame: CGRect? {
        node.frame.map { CGRect(x: $0.x, y: $0.y, width: $0.width, height: $0.height) }
    }

    /// 0 to 1.
    public var opacity: Double { node.style.opacity }

    /// True for one that is not drawn.
    public var isHidden: Bool { node.style.isHidden }

    /// True for a control that a person can work.
    public var isEnabled: Bool { node.kind.isDisabled == false }

    /// The node as JSON, in the form of PROTOCOL.md, "Scenes".
    public var description: String {
        var bytes: [UInt8] = []
        node.json.write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
