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
public struct TextField: SceneContent {
    /// The field as one element.
    public let elements: SceneElements

    /// A field with a text that stands in it while it is empty; `onSubmit` is called at the return key.
    public init(
        _ placeholder: String,
        text: Binding<String>,
        keyboard: Keyboard = .text,
        isDisabled: Bool = false,
        onSubmit: (@MainActor () -> Void)? = nil
    ) {
        let field = SceneField(placeholder, text, keyboard: keyboard.scene, isDisabled: isDisabled)
        var element = Element.control(.field(field)) { value in
            if case .text(let written) = value { text.wrappedValue = written }
        }
        if let onSubmit { element.acts[.submit] = { _ in onSubmit() } }
        elements = SceneElements(list: [element])
    }
}

/// A field in which a person writes several lines.
public struct TextEditor: SceneContent {
    /// The field as one element.
    public let elements: SceneElements

    /// A field with a text that stands in it while it is empty.
    public init(_ placeholder: String, text: Binding<String>, isDisabled: Bool = false) {
        let field = SceneField(placeholder, text, keyboard: .text, isDisabled: isDisabled)
        let element = Element.control(.editor(field)) { value in
            if case .text(let written) = value { text.wrappedValue = written }
        }
        elements = SceneElements(list: [element])
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
        /// Both.
        case dateAndTime
    }

    /// The field as one element.
    public let elements: SceneElements

    /// A field for moments between two others, or for any of the years 1 to 9999.
    public init(
        selection: Binding<Date>,
        in bounds: ClosedRange<Date>? = nil,
        components: Components = .dateAndTime,
        isDisabled: Bool = false
    ) {
        let lower = bounds.map { $0.lowerBound.milliseconds }
        let upper = bounds.map { $0.upperBound.milliseconds }
        let value = selection.wrappedValue.milliseconds
        let date = SceneDate(
            value: min(max(value, lower ?? value), upper ?? value),
            mode: components.scene,
            minimum: lower,
            maximum: upper,
            isDisabled: isDisabled
        )
        let element = Element.control(.date(date)) { value in
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
        return Int64((timeIntervalSince1970 * 1000).rounded(.down).within(bounds))
    }
}

extension SceneField {
    @MainActor fileprivate init(_ placeholder: String, _ text: Binding<String>, keyboard: Keyboard, isDisabled: Bool) {
        self.init(
            value: text.wrappedValue.cut(toByteCount: Element.textByteCount - SceneLimits.titleByteCount),
            placeholder: placeholder.cut(toByteCount: SceneLimits.titleByteCount),
            keyboard: keyboard,
            isDisabled: isDisabled
        )
    }
}
