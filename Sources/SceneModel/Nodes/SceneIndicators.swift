// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// A bar that shows how much is done.
package struct SceneProgress: Sendable, Equatable {
    /// 0 to 1.
    package var value: Double
    package var tint: SceneColor?

    package init(value: Double, tint: SceneColor? = nil) {
        self.value = value
        self.tint = tint
    }

    func write(to object: inout JSONObject) {
        object["value"] = .double(value)
        object["tint"] = tint?.json
    }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(value: try members.number("value", 0...1), tint: try members.optionalColor("tint"))
    }
}

/// A wheel that turns while something is waited for.
package struct SceneSpinner: Sendable, Equatable {
    package var isTurning: Bool
    package var color: SceneColor?

    package init(isTurning: Bool, color: SceneColor? = nil) {
        self.isTurning = isTurning
        self.color = color
    }

    func write(to object: inout JSONObject) {
        object["running"] = .bool(isTurning)
        object["color"] = color?.json
    }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(isTurning: try members.flag("running"), color: try members.optionalColor("color"))
    }
}

/// A part of the scene that is larger than its frame, and that the page scrolls.
package struct SceneScroll: Sendable, Equatable {
    package var content: SceneSize

    package init(content: SceneSize) {
        self.content = content
    }

    func write(to object: inout JSONObject) {
        object["content"] = content.json
    }

    init(_ members: inout Members) throws(MemberFault) {
        // What is scrolled may be far larger than what is seen.
        guard let numbers = try members.optionalNumbers("content", count: 2, 0...SceneLimits.number.upperBound) else {
            throw .missing(members.path(of: "content"))
        }
        self.init(content: SceneSize(numbers[0], numbers[1]))
    }
}

/// A row or a column, whose children the page places one after the other.
package struct SceneFlow: Sendable, Equatable {
    /// The place of children across the direction.
    package enum Alignment: String, Sendable, CaseIterable {
        case start, center, end, stretch
    }

    /// Points between two children.
    package var gap: Double
    package var alignment: Alignment
    /// Points between the children and each side of the frame.
    package var padding: Double

    package init(gap: Double = 0, alignment: Alignment = .stretch, padding: Double = 0) {
        self.gap = gap
        self.alignment = alignment
        self.padding = padding
    }

    func write(to object: inout JSONObject) {
        if gap != 0 { object["gap"] = .double(gap) }
        if alignment != .stretch { object["align"] = .string(alignment.rawValue) }
        if padding != 0 { object["pad"] = .double(padding) }
    }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(
            gap: try members.optionalNumber("gap", SceneLimits.extent) ?? 0,
            alignment: try members.optionalWord("align") ?? .stretch,
            padding: try members.optionalNumber("pad", SceneLimits.extent) ?? 0
        )
    }
}
