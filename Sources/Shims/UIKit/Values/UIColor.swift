// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog
package import SceneModel

// SAFETY: immutable after `init`; a provider is called where its colour is resolved, as Apple's is.
/// A colour in the light and in the dark style; nothing is drawn with it here, the page does.
///
/// Colours of one style hold the same components twice. What asks for components without traits has those of
/// `UITraitCollection.current`.
open class UIColor: NSObject, @unchecked Sendable, _ExpressibleByColorLiteral {
    private enum Shade {
        case pair(light: ColorComponents, dark: ColorComponents)
        case made(by: (UITraitCollection) -> UIColor)
    }

    // The first stored property: see `AttributeMark`.
    private let mark = AttributeMark()
    // Set in `init` alone. A convenience initialiser sets it, because a designated one that is not public would take
    // the inherited initialisers from an author's subclass.
    private var shade: Shade

    convenience init(light: ColorComponents, dark: ColorComponents) {
        self.init(red: light.red, green: light.green, blue: light.blue, alpha: light.alpha)
        shade = .pair(light: light, dark: dark)
    }

    /// Makes a colour without light or opacity.
    public override convenience init() {
        self.init(white: 0, alpha: 0)
    }

    /// Takes red, green, blue and opacity, each from 0 to 1; more is kept and drawn as 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        let components = ColorComponents(red, green, blue, alpha)
        shade = .pair(light: components, dark: components)
    }

    /// Takes a function that is called for the light and for the dark style whenever the colour is drawn.
    public init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
        shade = .made(by: dynamicProvider)
    }

    /// Takes a grey from 0, black, to 1, white, and its opacity.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// Takes a place on the colour wheel, its saturation and brightness, each from 0 to 1.
    public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        let components = ColorComponents(hue: hue, saturation: saturation, brightness: brightness, alpha: alpha)
        self.init(light: components, dark: components)
    }

    /// Takes components of Display P3, which become those of sRGB.
    public convenience init(displayP3Red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        let components = ColorComponents(displayP3: displayP3Red, green, blue, alpha)
        self.init(light: components, dark: components)
    }

    /// Takes the components of a colour of Core Graphics, the same for both styles.
    public convenience init(cgColor: CGColor) {
        self.init(light: cgColor.rgba, dark: cgColor.rgba)
    }

    /// Stands for `#colorLiteral(red:green:blue:alpha:)`.
    public required convenience init(_colorLiteralRed red: Float, green: Float, blue: Float, alpha: Float) {
        self.init(red: CGFloat(red), green: CGFloat(green), blue: CGFloat(blue), alpha: CGFloat(alpha))
    }

    /// Draws an image over and over.
    @available(*, unavailable, message: "a colour is a number here, not an image: put a UIImageView behind the view")
    public convenience init(patternImage: UIImage) {
        self.init(white: 0, alpha: 0)
    }

    /// Returns the colour of one style; traits without a style have the style in which the view is shown.
    open func resolvedColor(with traitCollection: UITraitCollection) -> UIColor {
        let components = components(traitCollection)
        return UIColor(light: components, dark: components)
    }

    /// Returns the colour with another opacity, in both styles.
    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        switch shade {
        case .pair(let light, let dark): UIColor(light: light.with(alpha: alpha), dark: dark.with(alpha: alpha))
        case .made(let provider): UIColor { provider($0).withAlphaComponent(alpha) }
        }
    }

    /// Tells whether both styles have the same components; colours of a provider equal themselves alone.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        if other === self { return true }
        guard case .pair(let light, let dark) = shade, case .pair(let otherLight, let otherDark) = other.shade else {
            return false
        }
        return light == otherLight && dark == otherDark
    }

    /// The same for equal colours.
    open override var hash: Int {
        guard case .pair(let light, let dark) = shade else { return ObjectIdentifier(self).hashValue }
        return [light, dark].hashValue
    }

    /// The colour as a scene names it, with its light and its dark form.
    package var sceneColor: SceneColor {
        if case .pair(let light, let dark) = shade { return SceneColor(light.number, dark: dark.number) }
        return SceneColor(components(.current(in: .light)).number, dark: components(.current(in: .dark)).number)
    }

    /// The components in the style of `traits`.
    func components(_ traits: UITraitCollection) -> ColorComponents {
        var color = self
        // A provider may name another one's colour; one that names itself without end has no components.
        for _ in 0..<16 {
            switch color.shade {
            case .pair(let light, let dark): return traits.isDark ? dark : light
            case .made(let provider): color = provider(traits)
            }
        }
        HostLog.warnOnce("a UIColor's dynamicProvider leads to sixteen others: the colour is clear")
        return ColorComponents(0, 0, 0, 0)
    }
}

/// The type of `#colorLiteral`.
public typealias _ColorLiteralType = UIColor
