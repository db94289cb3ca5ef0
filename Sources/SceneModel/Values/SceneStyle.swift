// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// The look that a node of any kind may have.
package struct SceneStyle: Sendable, Equatable {
    package struct Border: Sendable, Equatable {
        package var width: Double
        package var color: SceneColor

        package init(width: Double, color: SceneColor) {
            self.width = width
            self.color = color
        }
    }

    package struct Shadow: Sendable, Equatable {
        package var x: Double
        package var y: Double
        package var blur: Double
        package var color: SceneColor

        package init(x: Double, y: Double, blur: Double, color: SceneColor) {
            self.x = x
            self.y = y
            self.blur = blur
            self.color = color
        }
    }

    /// Two colours over the background, the first at the edge from which the angle points.
    package struct Gradient: Sendable, Equatable {
        package var from: SceneColor
        package var to: SceneColor
        /// Degrees clockwise; 0 goes from the bottom to the top, as in CSS.
        package var angle: Double

        package init(from: SceneColor, to: SceneColor, angle: Double = 180) {
            self.from = from
            self.to = to
            self.angle = angle
        }
    }

    /// 0 to 1; what is below it fades with it.
    package var opacity: Double
    package var background: SceneColor?
    package var gradient: Gradient?
    /// The radius of all corners, in points.
    package var radius: Double
    /// True if children are not drawn outside of the frame.
    package var clips: Bool
    package var border: Border?
    package var shadow: Shadow?
    /// An affine transform about the middle of the frame: a, b, c, d, tx and ty.
    package var transform: [Double]?
    /// True if the node and all below it are not drawn, and take no part in a row or column.
    package var isHidden: Bool

    package init(
        opacity: Double = 1,
        background: SceneColor? = nil,
        gradient: Gradient? = nil,
        radius: Double = 0,
        clips: Bool = false,
        border: Border? = nil,
        shadow: Shadow? = nil,
        transform: [Double]? = nil,
        isHidden: Bool = false
    ) {
        self.opacity = opacity
        self.background = background
        self.gradient = gradient
        self.radius = radius
        self.clips = clips
        self.border = border
        self.shadow = shadow
        self.transform = transform
        self.isHidden = isHidden
    }

    func write(to object: inout JSONObject) {
        if opacity != 1 { object["a"] = .double(opacity) }
        object["bg"] = background?.json
        object["gradient"] = gradient.map {
            ["from": $0.from.json, "to": $0.to.json, "angle": .double($0.angle)]
        }
        if radius != 0 { object["radius"] = .double(radius) }
        if clips { object["clip"] = true }
        object["border"] = border.map { ["width": .double($0.width), "color": $0.color.json] }
        object["shadow"] = shadow.map {
            ["x": .double($0.x), "y": .double($0.y), "blur": .double($0.blur), "color": $0.color.json]
        }
        object["t"] = transform.map(JSON.numbers)
        if isHidden { object["hidden"] = true }
    }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(
            opacity: try members.optionalNumber("a", SceneLimits.opacity) ?? 1,
            background: try members.optionalColor("bg"),
            gradient: try Self.gradient(&members),
            radius: try members.optionalNumber("radius", SceneLimits.extent) ?? 0,
            clips: try members.optionalFlag("clip") ?? false,
            border: try Self.border(&members),
            shadow: try Self.shadow(&members),
            transform: try members.optionalNumbers("t", count: 6, SceneLimits.number),
            isHidden: try members.optionalFlag("hidden") ?? false
        )
    }

    private static func gradient(_ members: inout Members) throws(MemberFault) -> Gradient? {
        guard var inner = try members.optionalMembers("gradient") else { return nil }
        let (from, to) = (try inner.color("from"), try inner.color("to"))
        let angle = try inner.number("angle", -360...360)
        try inner.end()
        return Gradient(from: from, to: to, angle: angle)
    }

    private static func border(_ members: inout Members) throws(MemberFault) -> Border? {
        guard var inner = try members.optionalMembers("border") else { return nil }
        let width = try inner.number("width", SceneLimits.extent)
        let color = try inner.color("color")
        try inner.end()
        return Border(width: width, color: color)
    }

    private static func shadow(_ members: inout Members) throws(MemberFault) -> Shadow? {
        guard var inner = try members.optionalMembers("shadow") else { return nil }
        let (x, y) = (try inner.number("x", SceneLimits.number), try inner.number("y", SceneLimits.number))
        let blur = try inner.number("blur", SceneLimits.extent)
        let color = try inner.color("color")
        try inner.end()
        return Shadow(x: x, y: y, blur: blur, color: color)
    }
}
