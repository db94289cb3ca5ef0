// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// The purpose of a field, by which a browser chooses a keyboard.
public enum Keyboard: Sendable {
    /// Any text.
    case text
    /// An address of mail.
    case email
    /// Digits.
    case number
    /// Digits with a point.
    case decimal
    /// A telephone number.
    case phone
    /// An address of a page.
    case url

    fileprivate var scene: SceneField.Keyboard {
        switch self {
        case .text: .text
        case .email: .email
        case .number: .number
        case .decimal: .decimal
        case .phone: .phone
        case .url: .url
        }
    }
}

/// A field in which a person writes one line.
///
/// Text, placeholder and label have 8,192 bytes of UTF-8 together. A longer text is shown as far as it goes, and cannot
/// be changed.
public struct TextField: SceneContent {
    /// The field as one element.
    public let elements: SceneElements

    /// A field with a text that stands in it while it is empty; `onSubmit` is called at the return key.
    public init(
        _ placeholder: String,
        text: Binding<String>,
        keyboard: Keyboard = .text,
        onSubmit: (@MainActor () -> Void)? = nil
    ) {
        let field = SceneField(placeholder, text, keyboard: keyboard.scene)
        var element = Element.written(text) { .field(field.sized($0)) }
        if let onSubmit { element.acts[.submit] = { _ in onSubmit() } }
        elements = SceneElements(list: [element])
    }
}

/// A field in which a person writes several lines.
///
/// The limit of its text is that of a ``TextField``.
public struct TextEditor: SceneContent {
    /// The field as one element.
    public let elements: SceneElements

    /// A field with a text that stands in it while it is empty.
    public init(_ placeholder: String, text: Binding<String>) {
        let field = SceneField(placeholder, text, keyboard: .text)
        elements = SceneElements(list: [.written(text) { .editor(field.sized($0)) }])
    }
}

extension Element {
    /// A control that takes a text.
    fileprivate static func written(
        _ text: Binding<String>,
        _ kind: @escaping (ViewEnvironment) -> SceneKind
    ) -> Element {
        control(kind) { value in
            if case .text(let written) = value { text.wrappedValue = written }
        }
    }
}

extension SceneField {
    @MainActor fileprivate init(_ placeholder: String, _ text: Binding<String>, keyboard: SceneField.Keyboard) {
        self.init(
            value: text.wrappedValue,
            placeholder: placeholder.cut(toByteCount: SceneLimits.titleByteCount),
            keyboard: keyboard
        )
    }

    /// The field with letters as large as a person wants them.
    fileprivate func sized(_ place: ViewEnvironment) -> SceneField {
        var field = self
        field.font = Font?.none.scene(place.textSize)
        return field
    }
}

/// A field for a moment, in the time zone of whoever looks at it.
public struct DatePicker: SceneContent {
    /// The part of a moment that a person chooses.
    public enum Components: Sendable {
        /// The day.
        case date
        /// The time of the day.
        case time
        /// The day and the time.
        case dateAndTime
    }

    /// The field as one element.
    public let elements: SceneElements

    /// A field for moments between two others, or for any of the years 1 to 9999.
    public init(
        selection: Binding<Date>,
        in bounds: ClosedRange<Date>? = nil,
        components: Components = .dateAndTime
    ) {
        let lower = bounds.map { $0.lowerBound.milliseconds }
        let upper = bounds.map { $0.upperBound.milliseconds }
        let value = selection.wrappedValue.milliseconds
        let date = SceneDate(
            value: min(max(value, lower ?? value), upper ?? value),
            mode: components.scene,
            minimum: lower,
            maximum: upper
        )
        let element = Element.control({ _ in .date(date) }) { value in
            guard case .number(let milliseconds) = value else { return }
            selection.wrappedValue = Date(timeIntervalSince1970: milliseconds / 1000)
        }
        elements = SceneElements(list: [element])
    }
}

extension DatePicker.Components {
    fileprivate var scene: SceneDate.Mode {
        switch self {
        case .date: .date
        case .time: .time
        case .dateAndTime: .dateAndTime
        }
    }
}

extension Date {
    /// Milliseconds since 1970, of the nearest moment that a scene knows.
    fileprivate var milliseconds: Int64 {
        let bounds = Double(SceneDate.moments.lowerBound)...Double(SceneDate.moments.upperBound)
        return Int64((timeIntervalSince1970 * 1000).rounded().within(bounds))
    }
}
