// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`.
/// Four numbers that name a colour; nothing is drawn with it.
open class UIColor: NSObject, @unchecked Sendable {
    private let components: [CGFloat]

    /// Red, green, blue and opacity, each from 0 to 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        components = [red, green, blue, alpha]
    }

    /// A grey from 0, black, to 1, white, and its opacity.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// Writes the components where the pointers point; true.
    @discardableResult
    open func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?,
        green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?,
        alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        for (place, component) in zip([red, green, blue, alpha], components) { place?.pointee = component }
        return true
    }

    /// The colour with another opacity.
    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: components[0], green: components[1], blue: components[2], alpha: alpha)
    }

    /// Compares the four components.
    open override func isEqual(_ object: Any?) -> Bool { (object as? UIColor)?.components == components }

    /// The same for equal colours.
    open override var hash: Int { components.hashValue }

    private static func rgb(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat) -> UIColor {
        UIColor(red: red, green: green, blue: blue, alpha: 1)
    }

    /// Black.
    public class var black: UIColor { rgb(0, 0, 0) }
    /// White.
    public class var white: UIColor { rgb(1, 1, 1) }
    /// A grey of half brightness.
    public class var gray: UIColor { rgb(0.5, 0.5, 0.5) }
    /// Red.
    public class var red: UIColor { rgb(1, 0, 0) }
    /// Green.
    public class var green: UIColor { rgb(0, 1, 0) }
    /// Blue.
    public class var blue: UIColor { rgb(0, 0, 1) }
    /// Yellow.
    public class var yellow: UIColor { rgb(1, 1, 0) }
    /// Orange.
    public class var orange: UIColor { rgb(1, 0.5, 0) }
    /// No colour.
    public class var clear: UIColor { UIColor(white: 0, alpha: 0) }
    /// The blue of Apple's interface, in its light form.
    public class var systemBlue: UIColor { rgb(0, 122 / 255, 1) }
    /// The red of Apple's interface, in its light form.
    public class var systemRed: UIColor { rgb(1, 59 / 255, 48 / 255) }
    /// The green of Apple's interface, in its light form.
    public class var systemGreen: UIColor { rgb(52 / 255, 199 / 255, 89 / 255) }
}
