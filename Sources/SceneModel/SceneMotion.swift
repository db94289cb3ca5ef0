// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// The time over which a page moves what an update has changed.
package struct SceneMotion: Sendable, Equatable {
    package enum Curve: String, Sendable, CaseIterable {
        case linear, easeIn, easeOut, easeInOut
    }

    package static let times = 0.0...10.0

    package var seconds: Double
    package var delay: Double
    package var curve: Curve

    package init(seconds: Double, delay: Double = 0, curve: Curve = .easeInOut) {
        self.seconds = seconds
        self.delay = delay
        self.curve = curve
    }

    var json: JSON {
        var object: JSONObject = ["seconds": .double(seconds)]
        if delay != 0 { object["delay"] = .double(delay) }
        if curve != .easeInOut { object["curve"] = .string(curve.rawValue) }
        return .object(object)
    }

    static func optional(_ members: inout Members) throws(MemberFault) -> SceneMotion? {
        guard var inner = try members.optionalMembers("motion") else { return nil }
        let motion = SceneMotion(
            seconds: try inner.number("seconds", Self.times),
            delay: try inner.optionalNumber("delay", Self.times) ?? 0,
            curve: try inner.optionalWord("curve") ?? .easeInOut
        )
        try inner.end()
        return motion
    }
}

extension String {
    /// The text as it may stand outside of a view's box: one line, in the direction of the page, and short.
    package var asSceneTitle: String {
        var kept = ""
        var byteCount = 0
        for character in prefix(SceneLimits.titleCharacterCount) {
            let seen = String(String.UnicodeScalarView(character.unicodeScalars.filter { !$0.leavesItsLine }))
            byteCount += seen.utf8.count
            guard byteCount <= SceneLimits.titleByteCount else { break }
            kept += seen
        }
        return kept
    }
}

extension Unicode.Scalar {
    /// True for what ends a line, controls a terminal, or turns the direction of what stands beside it.
    var leavesItsLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: break
        }
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return true
        default: return false
        }
    }
}
