// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Red, green, blue and opacity in sRGB; 0 to 1, or beyond for colours that sRGB does not have.
struct ColorComponents: Hashable, Sendable {
    var red: CGFloat
    var green: CGFloat
    var blue: CGFloat
    var alpha: CGFloat

    init(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat, _ alpha: CGFloat = 1) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Takes the four bytes of `0xRRGGBBAA`.
    init(number: UInt32) {
        let bytes = [24, 16, 8, 0].map { CGFloat(number >> UInt32($0) & 0xFF) / 255 }
        self.init(bytes[0], bytes[1], bytes[2], bytes[3])
    }

    /// Takes a place on the colour wheel, where 0 and 1 are both red; what lies beyond 0 to 1 is held to it.
    init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        let sixths = Self.held(hue) * 6
        let (saturation, brightness) = (Self.held(saturation), Self.held(brightness))
        let chroma = brightness * saturation
        func component(_ offset: CGFloat) -> CGFloat {
            let place = (offset + sixths).truncatingRemainder(dividingBy: 6)
            return brightness - chroma * max(0, min(place, 4 - place, 1))
        }
        self.init(component(5), component(3), component(1), alpha)
    }

    /// Takes components of Display P3, which has the transfer curve of sRGB and other primaries.
    ///
    /// Source: SMPTE RP 431-2 and IEC 61966-2-1, both with the white of D65.
    init(displayP3 red: CGFloat, _ green: CGFloat, _ blue: CGFloat, _ alpha: CGFloat) {
        let (red, green, blue) = (Self.linear(red), Self.linear(green), Self.linear(blue))
        self.init(
            Self.encoded(1.2249401763 * red - 0.2249401763 * green),
            Self.encoded(-0.0420569547 * red + 1.0420569547 * green),
            Self.encoded(-0.0196375546 * red - 0.0786360454 * green + 1.0982736 * blue),
            alpha
        )
    }

    /// The colour as `0xRRGGBBAA`, each component held to 0 to 1 and rounded to its byte.
    var number: UInt32 {
        [red, green, blue, alpha].reduce(0) { $0 << 8 | UInt32((Self.held($1) * 255).rounded()) }
    }

    /// The brightness of the colour as a grey, with the weights of ITU-R BT.709.
    var white: CGFloat { red == green && green == blue ? red : 0.2126 * red + 0.7152 * green + 0.0722 * blue }

    /// The place on the colour wheel; a grey has the hue 0.
    var wheel: (hue: CGFloat, saturation: CGFloat, brightness: CGFloat) {
        let (highest, lowest) = (max(red, green, blue), min(red, green, blue))
        let chroma = highest - lowest
        guard chroma > 0, highest > 0 else { return (0, 0, highest) }
        let sixths =
            switch highest {
            case red: (green - blue) / chroma
            case green: (blue - red) / chroma + 2
            default: (red - green) / chroma + 4
            }
        return ((sixths < 0 ? sixths + 6 : sixths) / 6, chroma / highest, highest)
    }

    func with(alpha: CGFloat) -> ColorComponents { ColorComponents(red, green, blue, alpha) }

    /// The number itself from 0 to 1, the nearer end outside, and 0 for what is no number.
    private static func held(_ component: CGFloat) -> CGFloat { component > 0 ? min(component, 1) : 0 }

    private static func linear(_ value: CGFloat) -> CGFloat {
        let size = abs(value)
        let linear = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
        return value < 0 ? -linear : linear
    }

    private static func encoded(_ value: CGFloat) -> CGFloat {
        let size = abs(value)
        let encoded = size <= 0.0031308 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055
        return value < 0 ? -encoded : encoded
    }
}
