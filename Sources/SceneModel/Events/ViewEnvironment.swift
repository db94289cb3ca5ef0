// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import NotificationPayload

/// The place in which a view is shown, which may change while it is open.
package struct ViewEnvironment: Sendable, Equatable {
    package enum Style: String, Sendable, CaseIterable {
        case light, dark
    }

    package enum Direction: String, Sendable, CaseIterable {
        case leftToRight, rightToLeft
    }

    package static let widths = 280.0...420.0
    package static let scales = 0.25...8.0
    package static let textSizes = 0.8...3.1

    /// Points from one side of the box to the other.
    package var width: Double
    /// Pixels of the screen to a point.
    package var scale: Double
    package var style: Style
    /// The factor by which a person wants texts larger; for fonts of text styles alone.
    package var textSize: Double
    package var direction: Direction
    /// A language tag of BCP 47, as `pt-BR`.
    package var language: String
    /// The name of a zone of the tz database, as `America/Sao_Paulo`.
    package var timeZone: String
    package var reducedMotion: Bool

    package init(
        width: Double = 360,
        scale: Double = 2,
        style: Style = .light,
        textSize: Double = 1,
        direction: Direction = .leftToRight,
        language: String = "en",
        timeZone: String = "UTC",
        reducedMotion: Bool = false
    ) {
        self.width = width
        self.scale = scale
        self.style = style
        self.textSize = textSize
        self.direction = direction
        self.language = language
        self.timeZone = timeZone
        self.reducedMotion = reducedMotion
    }

    package var json: JSONObject {
        [
            "width": .double(width), "scale": .double(scale), "style": .string(style.rawValue),
            "textSize": .double(textSize), "direction": .string(direction.rawValue),
            "language": .string(language), "timeZone": .string(timeZone), "reducedMotion": .bool(reducedMotion),
        ]
    }

    package init(_ members: inout Members) throws(MemberFault) {
        self.init(
            width: try members.number("width", Self.widths),
            scale: try members.number("scale", Self.scales),
            style: try members.word("style"),
            textSize: try members.number("textSize", Self.textSizes),
            direction: try members.word("direction"),
            language: try members.shape("language") { Self.isLanguage($0) ? $0 : nil },
            timeZone: try members.shape("timeZone") { Self.isZone($0) ? $0 : nil },
            reducedMotion: try members.flag("reducedMotion")
        )
    }

    /// Letters, digits and hyphens, 35 at most, which a tag of registered parts never goes beyond.
    private static func isLanguage(_ text: String) -> Bool {
        (1...35).contains(text.utf8.count) && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }

    /// Letters, digits, `/`, `_`, `+` and `-`, 64 at most.
    private static func isZone(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { isAlphanumeric($0) || "/_+-".utf8.contains($0) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
