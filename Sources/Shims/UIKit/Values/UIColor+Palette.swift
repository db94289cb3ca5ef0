// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Colours that are the same in both styles.
///
/// Source: Apple, "Fixed colors".
extension UIColor {
    private static func fixed(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat) -> UIColor {
        UIColor(red: red, green: green, blue: blue, alpha: 1)
    }

    private static func grey(_ white: CGFloat) -> UIColor { UIColor(white: white, alpha: 1) }

    /// Black.
    public class var black: UIColor { grey(0) }
    /// A grey of a third of white's brightness.
    public class var darkGray: UIColor { grey(1 / 3) }
    /// A grey of two thirds of white's brightness.
    public class var lightGray: UIColor { grey(2 / 3) }
    /// White.
    public class var white: UIColor { grey(1) }
    /// A grey of half of white's brightness.
    public class var gray: UIColor { grey(0.5) }
    /// Red.
    public class var red: UIColor { fixed(1, 0, 0) }
    /// Green.
    public class var green: UIColor { fixed(0, 1, 0) }
    /// Blue.
    public class var blue: UIColor { fixed(0, 0, 1) }
    /// Cyan: green and blue.
    public class var cyan: UIColor { fixed(0, 1, 1) }
    /// Yellow: red and green.
    public class var yellow: UIColor { fixed(1, 1, 0) }
    /// Magenta: red and blue.
    public class var magenta: UIColor { fixed(1, 0, 1) }
    /// Orange.
    public class var orange: UIColor { fixed(1, 0.5, 0) }
    /// Purple.
    public class var purple: UIColor { fixed(0.5, 0, 0.5) }
    /// Brown.
    public class var brown: UIColor { fixed(0.6, 0.4, 0.2) }
    /// No colour.
    public class var clear: UIColor { UIColor(white: 0, alpha: 0) }
    /// The colour of text on a light background, whatever the style.
    public class var darkText: UIColor { grey(0) }
    /// The colour of text on a dark background, whatever the style.
    public class var lightText: UIColor { UIColor(white: 1, alpha: 0.6) }
}
