// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The shadow of a text, which a page does not draw.
///
/// Source: Apple, "NSShadow".
open class NSShadow: NSObject, NSCopying {
    // The first stored property: see `AttributeMark`.
    private let mark = AttributeMark()
    /// Points to the right and down.
    open var shadowOffset = CGSize.zero
    /// Points over which the shadow fades.
    open var shadowBlurRadius: CGFloat = 0
    /// The colour, a `UIColor`; nil is no shadow.
    open var shadowColor: Any? = UIColor(white: 0, alpha: 1 / 3)

    /// Makes a shadow of black with a third of its opacity, below the text itself.
    public override init() {}

    /// Returns a shadow of the same look.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSShadow()
        (copy.shadowOffset, copy.shadowBlurRadius, copy.shadowColor) = (shadowOffset, shadowBlurRadius, shadowColor)
        return copy
    }

    /// Compares the three parts.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSShadow else { return false }
        return other.shadowOffset == shadowOffset && other.shadowBlurRadius == shadowBlurRadius
            && other.shadowColor as? UIColor == shadowColor as? UIColor
    }

    /// The same for equal shadows.
    open override var hash: Int { shadowBlurRadius.hashValue }
}
