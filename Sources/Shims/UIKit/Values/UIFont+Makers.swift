// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The system's fonts; a size of 0 or less is 12.
extension UIFont {
    private static func system(_ fontSize: CGFloat, _ change: (inout FontFacts) -> Void = { _ in }) -> UIFont {
        var facts = FontFacts(size: fontSize > 0 ? fontSize : FontFacts.usualSize)
        change(&facts)
        return UIFont(facts)
    }

    /// Returns the regular font.
    public class func systemFont(ofSize fontSize: CGFloat) -> UIFont { system(fontSize) }

    /// Returns the font in a weight.
    public class func systemFont(ofSize fontSize: CGFloat, weight: UIFont.Weight) -> UIFont {
        system(fontSize) { $0.weight = weight }
    }

    /// Returns the font in a weight; letters keep their usual width.
    public class func systemFont(ofSize fontSize: CGFloat, weight: UIFont.Weight, width: UIFont.Width) -> UIFont {
        systemFont(ofSize: fontSize, weight: weight)
    }

    /// Returns the bold font.
    public class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { system(fontSize) { $0.weight = .bold } }

    /// Returns the slanted font.
    public class func italicSystemFont(ofSize fontSize: CGFloat) -> UIFont { system(fontSize) { $0.isItalic = true } }

    /// Returns the font in a weight; its digits are as wide as the usual ones.
    public class func monospacedDigitSystemFont(ofSize fontSize: CGFloat, weight: UIFont.Weight) -> UIFont {
        systemFont(ofSize: fontSize, weight: weight)
    }

    /// Returns the font in a weight; its letters are as wide as the usual ones.
    public class func monospacedSystemFont(ofSize fontSize: CGFloat, weight: UIFont.Weight) -> UIFont {
        system(fontSize) {
            $0.weight = weight
            $0.others = .traitMonoSpace
        }
    }

    /// Returns the font of a text style, as large as a person wants texts.
    public class func preferredFont(forTextStyle style: UIFont.TextStyle) -> UIFont {
        preferredFont(forTextStyle: style, compatibleWith: nil)
    }

    /// Returns the font of a text style, as large as texts are under `traitCollection`.
    public class func preferredFont(
        forTextStyle style: UIFont.TextStyle,
        compatibleWith traitCollection: UITraitCollection?
    ) -> UIFont {
        UIFont(
            descriptor: .preferredFontDescriptor(withTextStyle: style, compatibleWith: traitCollection),
            size: 0
        )
    }

    /// The size of labels: 17.
    public class var labelFontSize: CGFloat { 17 }
    /// The size of buttons: 18.
    public class var buttonFontSize: CGFloat { 18 }
    /// The size of small texts: 12.
    public class var smallSystemFontSize: CGFloat { 12 }
    /// The size of usual texts: 14.
    public class var systemFontSize: CGFloat { 14 }

    /// None: the one family has no name to ask for.
    public class var familyNames: [String] { [] }

    /// Returns none: the one family has no name to ask for.
    public class func fontNames(forFamilyName familyName: String) -> [String] { [] }
}
