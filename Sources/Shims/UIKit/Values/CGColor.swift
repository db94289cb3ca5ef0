// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import SceneModel

/// A colour of one style in sRGB, as layers take it.
///
/// Source: Apple, "CGColor". Of its colour spaces there is sRGB alone.
public final class CGColor: Hashable, Sendable {
    let rgba: ColorComponents

    init(_ components: ColorComponents) {
        rgba = components
    }

    /// Takes red, green, blue and opacity, each from 0 to 1.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(ColorComponents(red, green, blue, alpha))
    }

    /// Takes red, green, blue and opacity, each from 0 to 1.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(ColorComponents(red, green, blue, alpha))
    }

    /// Takes a grey from 0, black, to 1, white, and its opacity.
    public convenience init(gray: CGFloat, alpha: CGFloat) {
        self.init(ColorComponents(gray, gray, gray, alpha))
    }

    /// Takes a grey from 0, black, to 1, white, and its opacity.
    public convenience init(genericGrayGamma2_2Gray gray: CGFloat, alpha: CGFloat) {
        self.init(ColorComponents(gray, gray, gray, alpha))
    }

    /// Black.
    public static let black = CGColor(gray: 0, alpha: 1)
    /// White.
    public static let white = CGColor(gray: 1, alpha: 1)
    /// No colour.
    public static let clear = CGColor(gray: 0, alpha: 0)

    /// Red, green, blue and opacity.
    public var components: [CGFloat]? { [rgba.red, rgba.green, rgba.blue, rgba.alpha] }

    /// Four.
    public var numberOfComponents: Int { 4 }

    /// The opacity from 0 to 1.
    public var alpha: CGFloat { rgba.alpha }

    /// Returns the same colour.
    public func copy() -> CGColor? { self }

    /// Returns the colour with another opacity.
    public func copy(alpha: CGFloat) -> CGColor? { CGColor(rgba.with(alpha: alpha)) }

    /// Tells whether all four components are the same.
    public static func == (left: CGColor, right: CGColor) -> Bool { left.rgba == right.rgba }

    /// Feeds the components.
    public func hash(into hasher: inout Hasher) { hasher.combine(rgba) }

    /// The colour as a scene names it, the same in both styles.
    package var sceneColor: SceneColor { SceneColor(rgba.number) }
}
