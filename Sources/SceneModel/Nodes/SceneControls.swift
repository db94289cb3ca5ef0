// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// A push button.
package struct SceneButton: Sendable, Equatable {
    package var title: String
    /// The number of a file with a picture before the title.
    package var source: UInt32?
    /// A symbol in the place of a picture, as an image has it.
    package var symbol: String?
    package var font: SceneFont?
    package var color: SceneColor?
    package var isDisabled: Bool

    package init(
        title: String,
        source: UInt32? = nil,
        symbol: String? = nil,
        font: SceneFont? = nil,
        color: SceneColor? = nil,
        isDisabled: Bool = false
    ) {
        self.title = title
        self.source = source
        self.symbol = symbol
        self.font = font
        self.color = color
        self.isDisabled = isDisabled
    }

    func write(to object: inout JSONObject) {
        object["title"] = .string(title)
        object["src"] = source.map { .integer(Int64($0)) }
        object["symbol"] = symbol.map(JSON.string)
        object["font"] = font?.json
        object["color"] = color?.json
        if isDisabled { object["disabled"] = true }
    }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(
            title: try members.sceneText("title"),
            source: try members.optionalFile(),
            symbol: try members.optionalSymbol(),
            font: try members.optionalFont(),
            color: try members.optionalColor("color"),
            isDisabled: try members.optionalFlag("disabled") ?? false
        )
    }
}

/// A slider or a stepper: a value between two bounds.
package struct SceneRange: Sendable, Equatable {
    /// The chosen value, inside the bounds.
    package var value: Double
    package var minimum: Double
    /// The upper bound, which is not below the minimum.
    package var maximum: Double
    /// The distance between two values; 0 means any value of a slider, and 1 of a stepper.
    package var step: Double
    /// True if a stepper goes on at the other bound.
    package var wraps: Bool
    package var tint: SceneColor?
    package var isDisabled: Bool

    package init(
        value: Double,
        minimum: Double = 0,
        maximum: Double = 1,
        step: Double = 0,
        wraps: Bool = false,
        tint: SceneColor? = nil,
        isDisabled: Bool = false
    ) {
        self.value = value
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.wraps = wraps
        self.tint = tint
        self.isDisabled = isDisabled
    }

    func write(to object: inout JSONObject) {
        object["value"] = .double(value)
        if minimum != 0 { object["min"] = .double(minimum) }
        if maximum != 1 { object["max"] = .double(maximum) }
        if step != 0 { object["step"] = .double(step) }
        if wraps { object["wraps"] = true }
        object["tint"] = tint?.json
        if isDisabled { object["disabled"] = true }
    }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(
            value: try members.number("value", SceneLimits.number),
            minimum: try members.optionalNumber("min", SceneLimits.number) ?? 0,
            maximum: try members.optionalNumber("max", SceneLimits.number) ?? 1,
            step: try members.optionalNumber("step", 0...SceneLimits.number.upperBound) ?? 0,
            wraps: try members.optionalFlag("wraps") ?? false,
            tint: try members.optionalColor("tint"),
            isDisabled: try members.optionalFlag("disabled") ?? false
        )
        guard minimum <= maximum, (minimum...maximum).contains(value) else {
            throw .outOfRange(members.path(of: "value"))
        }
    }
}

/// A switch that is on or off.
package struct SceneSwitch: Sendable, Equatable {
    package var isOn: Bool
    package var tint: SceneColor?
    package var isDisabled: Bool

    package init(isOn: Bool, tint: SceneColor? = nil, isDisabled: Bool = false) {
        self.isOn = isOn
        self.tint = tint
        self.isDisabled = isDisabled
    }

    func write(to object: inout JSONObject) {
        object["on"] = .bool(isOn)
        object["tint"] = tint?.json
        if isDisabled { object["disabled"] = true }
    }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(
            isOn: try members.flag("on"),
            tint: try members.optionalColor("tint"),
            isDisabled: try members.optionalFlag("disabled") ?? false
        )
    }
}

/// Choices in a line, of which at most one is chosen.
package struct SceneSegments: Sendable, Equatable {
    package var titles: [String]
    /// The index of a title; `nil` means that none is chosen.
    package var chosen: Int?
    package var tint: SceneColor?
    package var isDisabled: Bool

    package init(titles: [String], chosen: Int? = nil, tint: SceneColor? = nil, isDisabled: Bool = false) {
        self.titles = titles
        self.chosen = chosen
        self.tint = tint
        self.isDisabled = isDisabled
    }

    func write(to object: inout JSONObject) {
        object["titles"] = .array(titles.map(JSON.string))
        object["value"] = chosen.map { .integer(Int64($0)) }
        object["tint"] = tint?.json
        if isDisabled { object["disabled"] = true }
    }

    init(_ members: inout Members) throws(MemberFault) {
        let bytes = 0...SceneLimits.nodeTextByteCount
        guard let titles = try members.optionalTexts("titles", bytes, atMost: SceneLimits.segmentCount) else {
            throw .missing(members.path(of: "titles"))
        }
        self.init(
            titles: titles,
            chosen: try members.optionalInteger("value", 0...Int64(SceneLimits.segmentCount)).map(Int.init),
            tint: try members.optionalColor("tint"),
            isDisabled: try members.optionalFlag("disabled") ?? false
        )
        if let chosen, chosen >= titles.count { throw .outOfRange(members.path(of: "value")) }
    }
}
