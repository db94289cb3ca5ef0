// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// A text in lines that the worker broke at U+000A, or one that the page breaks.
package struct SceneText: Sendable, Equatable {
    /// A part of the text with a look of its own.
    package struct Run: Sendable, Equatable {
        package var text: String
        /// `nil` means the font of the whole.
        package var font: SceneFont?
        /// `nil` means the colour of the whole.
        package var color: SceneColor?
        package var background: SceneColor?
        package var isUnderlined: Bool
        package var isStruck: Bool

        package init(
            _ text: String,
            font: SceneFont? = nil,
            color: SceneColor? = nil,
            background: SceneColor? = nil,
            isUnderlined: Bool = false,
            isStruck: Bool = false
        ) {
            self.text = text
            self.font = font
            self.color = color
            self.background = background
            self.isUnderlined = isUnderlined
            self.isStruck = isStruck
        }
    }

    package var runs: [Run]
    package var font: SceneFont?
    package var color: SceneColor?
    package var alignment: SceneAlignment
    /// True if the page breaks lines at the width of the frame; false draws each line whole.
    package var wraps: Bool
    /// True if the text stands in the middle of the frame's height; false begins at its top.
    package var isCentered: Bool

    package init(
        _ runs: [Run],
        font: SceneFont? = nil,
        color: SceneColor? = nil,
        alignment: SceneAlignment = .natural,
        wraps: Bool = false,
        isCentered: Bool = false
    ) {
        self.runs = runs
        self.font = font
        self.color = color
        self.alignment = alignment
        self.wraps = wraps
        self.isCentered = isCentered
    }

    /// The text without its looks.
    package var plain: String { runs.map(\.text).joined() }

    /// Lines by every break that a browser knows, U+000A to U+000D, U+0085, U+2028 and U+2029, a pair counted twice.
    package var lineCount: Int { runs.reduce(1) { $0 + $1.lineBreakCount } }

    fileprivate static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}

/// The place of a text between the sides of its frame; `natural` is the side on which its language begins.
package enum SceneAlignment: String, Sendable, CaseIterable {
    case natural, left, center, right, justified
}

extension SceneText {
    /// One run without a look is written as `text`, others as `runs`.
    func write(to object: inout JSONObject) {
        if runs.count == 1, runs[0] == Run(runs[0].text) {
            object["text"] = .string(runs[0].text)
        } else {
            object["runs"] = .array(runs.map(\.json))
        }
        object["font"] = font?.json
        object["color"] = color?.json
        if alignment != .natural { object["align"] = .string(alignment.rawValue) }
        if wraps { object["wrap"] = true }
        if isCentered { object["middle"] = true }
    }

    init(_ members: inout Members) throws(MemberFault) {
        let runs: [Run]
        if let text = try members.optionalSceneText("text") {
            runs = [Run(text)]
        } else {
            runs = try members.elements("runs", atMost: SceneLimits.runCount) { inner throws(MemberFault) in
                try Run(&inner)
            }
        }
        self.init(
            runs,
            font: try members.optionalFont(),
            color: try members.optionalColor("color"),
            alignment: try members.optionalWord("align") ?? .natural,
            wraps: try members.optionalFlag("wrap") ?? false,
            isCentered: try members.optionalFlag("middle") ?? false
        )
    }
}

extension SceneText.Run {
    /// Breaks of lines in the part.
    var lineBreakCount: Int { text.unicodeScalars.count(where: SceneText.breaksLine) }

    fileprivate var json: JSON {
        var object: JSONObject = ["text": .string(text)]
        object["font"] = font?.json
        object["color"] = color?.json
        object["bg"] = background?.json
        if isUnderlined { object["underline"] = true }
        if isStruck { object["strike"] = true }
        return .object(object)
    }

    fileprivate init(_ members: inout Members) throws(MemberFault) {
        self.init(
            try members.sceneText("text"),
            font: try members.optionalFont(),
            color: try members.optionalColor("color"),
            background: try members.optionalColor("bg"),
            isUnderlined: try members.optionalFlag("underline") ?? false,
            isStruck: try members.optionalFlag("strike") ?? false
        )
    }
}
