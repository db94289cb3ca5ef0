// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`.
/// The description of a font, from which fonts of any size are made.
///
/// Source: Apple, "UIFontDescriptor". Attributes other than name, family, face, size, text style and traits change
/// nothing.
open class UIFontDescriptor: NSObject, @unchecked Sendable {
    let facts: FontFacts

    init(_ facts: FontFacts) {
        self.facts = facts
    }

    /// Takes attributes; those that are not there are the system font's.
    public convenience init(fontAttributes attributes: [UIFontDescriptor.AttributeName: Any] = [:]) {
        self.init(FontFacts(size: 0).adding(attributes))
    }

    /// Takes the name of a font and a size.
    public convenience init(name fontName: String, size: CGFloat) {
        self.init(FontFacts(name: fontName, size: size))
    }

    /// Returns the description of the font of a text style, as large as a person wants texts.
    open class func preferredFontDescriptor(withTextStyle style: UIFont.TextStyle) -> UIFontDescriptor {
        preferredFontDescriptor(withTextStyle: style, compatibleWith: nil)
    }

    /// Returns the description of the font of a text style, as large as texts are under `traitCollection`.
    open class func preferredFontDescriptor(
        withTextStyle style: UIFont.TextStyle,
        compatibleWith traitCollection: UITraitCollection?
    ) -> UIFontDescriptor {
        var facts = FontFacts(
            size: style.size(in: traitCollection ?? .current),
            weight: style == .headline ? .semibold : .regular
        )
        facts.textStyle = style
        return UIFontDescriptor(facts)
    }

    /// The size in points; 0 when it is not said.
    open var pointSize: CGFloat { facts.size }
    /// The name of the font.
    open var postscriptName: String { facts.fontName }
    /// Bold, slanted and the like.
    open var symbolicTraits: SymbolicTraits { facts.traits }
    /// Name, size, text style and traits.
    open var fontAttributes: [UIFontDescriptor.AttributeName: Any] {
        var attributes: [UIFontDescriptor.AttributeName: Any] = [
            .name: facts.fontName, .size: facts.size,
            .traits: [
                UIFontDescriptor.TraitKey.weight: facts.weight.rawValue, .symbolic: facts.traits.rawValue,
            ] as [UIFontDescriptor.TraitKey: Any],
        ]
        attributes[.textStyle] = facts.textStyle
        return attributes
    }

    /// Returns one of the attributes; nil when it is not said.
    open func object(forKey anAttribute: UIFontDescriptor.AttributeName) -> Any? { fontAttributes[anAttribute] }

    /// Returns the description in another size.
    open func withSize(_ newPointSize: CGFloat) -> UIFontDescriptor { changed { $0.size = newPointSize } }

    /// Returns the description with these traits instead of its own.
    open func withSymbolicTraits(_ symbolicTraits: SymbolicTraits) -> UIFontDescriptor? {
        changed { $0.traits = symbolicTraits }
    }

    /// Returns the description of a family's regular font in the same size.
    open func withFamily(_ newFamily: String) -> UIFontDescriptor {
        UIFontDescriptor(FontFacts(name: newFamily, size: facts.size))
    }

    /// Returns the description with the weight and slant that the name of a face tells.
    open func withFace(_ newFace: String) -> UIFontDescriptor { addingAttributes([.face: newFace]) }

    /// Returns the description in another design; letters are drawn in the usual one.
    open func withDesign(_ design: SystemDesign) -> UIFontDescriptor? { changed { $0.design = design } }

    /// Returns the description with these attributes beside its own, or instead of them.
    open func addingAttributes(_ attributes: [UIFontDescriptor.AttributeName: Any] = [:]) -> UIFontDescriptor {
        UIFontDescriptor(facts.adding(attributes))
    }

    /// Compares size, weight, slant and name.
    open override func isEqual(_ object: Any?) -> Bool { (object as? UIFontDescriptor)?.facts == facts }

    /// The same for equal descriptions.
    open override var hash: Int { facts.hashValue }

    private func changed(_ change: (inout FontFacts) -> Void) -> UIFontDescriptor {
        var facts = facts
        change(&facts)
        return UIFontDescriptor(facts)
    }
}
