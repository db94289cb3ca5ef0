// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// A field of one line, or an editor of several, in which a person writes.
package struct SceneField: Sendable, Equatable {
    /// The purpose of a field, by which a browser chooses a keyboard.
    package enum Keyboard: String, Sendable, CaseIterable {
        case text, email, number, decimal, phone, url
    }

    package var value: String
    package var placeholder: String
    package var keyboard: Keyboard
    /// True for a password: the page draws it dead, since an app cannot ask for one here.
    package var isSecure: Bool
    /// True for a text without a border and a background of its own.
    package var isPlain: Bool
    package var font: SceneFont?
    package var color: SceneColor?
    package var alignment: SceneAlignment
    package var isDisabled: Bool

    package init(
        value: String = "",
        placeholder: String = "",
        keyboard: Keyboard = .text,
        isSecure: Bool = false,
        isPlain: Bool = false,
        font: SceneFont? = nil,
        color: SceneColor? = nil,
        alignment: SceneAlignment = .natural,
        isDisabled: Bool = false
    ) {
        self.value = value
        self.placeholder = placeholder
        self.keyboard = keyboard
        self.isSecure = isSecure
        self.isPlain = isPlain
        self.font = font
        self.color = color
        self.alignment = alignment
        self.isDisabled = isDisabled
    }

    func write(to object: inout JSONObject) {
        object["value"] = .string(value)
        if !placeholder.isEmpty { object["placeholder"] = .string(placeholder) }
        if keyboard != .text { object["keyboard"] = .string(keyboard.rawValue) }
        if isSecure { object["secure"] = true }
        if isPlain { object["plain"] = true }
        object["font"] = font?.json
        object["color"] = color?.json
        if alignment != .natural { object["align"] = .string(alignment.rawValue) }
        if isDisabled { object["disabled"] = true }
    }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(
            value: try members.optionalSceneText("value") ?? "",
            placeholder: try members.optionalSceneText("placeholder") ?? "",
            keyboard: try members.optionalWord("keyboard") ?? .text,
            isSecure: try members.optionalFlag("secure") ?? false,
            isPlain: try members.optionalFlag("plain") ?? false,
            font: try members.optionalFont(),
            color: try members.optionalColor("color"),
            alignment: try members.optionalWord("align") ?? .natural,
            isDisabled: try members.optionalFlag("disabled") ?? false
        )
    }
}

/// A field for a moment, which the page shows in the zone of the view's environment.
package struct SceneDate: Sendable, Equatable {
    /// The part of the moment that a person chooses.
    package enum Mode: String, Sendable, CaseIterable {
        case date, time, dateAndTime
    }

    /// The years 1 to 9999, in milliseconds since 1970.
    package static let moments: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Milliseconds since 1970, inside the bounds.
    package var value: Int64
    package var mode: Mode
    package var minimum: Int64?
    /// The upper bound, which is not below the minimum.
    package var maximum: Int64?
    package var isDisabled: Bool

    package init(
        value: Int64,
        mode: Mode = .dateAndTime,
        minimum: Int64? = nil,
        maximum: Int64? = nil,
        isDisabled: Bool = false
    ) {
        self.value = value
        self.mode = mode
        self.minimum = minimum
        self.maximum = maximum
        self.isDisabled = isDisabled
    }

    /// Tells whether a person may choose the moment.
    package func allows(_ moment: Int64) -> Bool {
        Self.moments.contains(moment) && (minimum ?? moment) <= moment && moment <= (maximum ?? moment)
    }

    func write(to object: inout JSONObject) {
        object["value"] = .integer(value)
        if mode != .dateAndTime { object["mode"] = .string(mode.rawValue) }
        object["min"] = minimum.map(JSON.integer)
        object["max"] = maximum.map(JSON.integer)
        if isDisabled { object["disabled"] = true }
    }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(
            value: try members.integer("value", Self.moments),
            mode: try members.optionalWord("mode") ?? .dateAndTime,
            minimum: try members.optionalInteger("min", Self.moments),
            maximum: try members.optionalInteger("max", Self.moments),
            isDisabled: try members.optionalFlag("disabled") ?? false
        )
        guard allows(value) else { throw .outOfRange(members.path(of: "value")) }
    }
}
