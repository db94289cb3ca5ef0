// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import NotificationPayload

/// A colour in the light and in the dark scheme, each `0xRRGGBBAA` in sRGB.
///
/// JSON: one integer for both schemes, or a list of two, light and dark. No text of a worker becomes a colour.
package struct SceneColor: Sendable, Equatable {
    package var light: UInt32
    package var dark: UInt32

    package init(_ light: UInt32, dark: UInt32? = nil) {
        self.light = light
        self.dark = dark ?? light
    }

    package var json: JSON {
        let light = JSON.integer(Int64(light))
        return self.light == dark ? light : .array([light, .integer(Int64(dark))])
    }

    /// Reads a colour; `nil` for any other value.
    package init?(reading value: JSON) {
        switch value.array {
        case nil:
            guard let both = Self.number(value) else { return nil }
            self.init(both)
        case let pair? where pair.count == 2:
            guard let light = Self.number(pair[0]), let dark = Self.number(pair[1]) else { return nil }
            self.init(light, dark: dark)
        default: return nil
        }
    }

    private static func number(_ value: JSON) -> UInt32? { value.integer.flatMap(UInt32.init(exactly:)) }
}
