// SPDX-License-Identifier: Apache-2.0

public import Foundation

// What Foundation on Linux lacks of attributed texts: UIKit's attributes of `AttributedString`, and the way between it
// and `NSAttributedString`.

extension AttributeScopes {
    /// The attributes of UIKit, and those of Foundation.
    ///
    /// Source: Apple, "AttributeScopes.UIKitAttributes".
    public struct UIKitAttributes: AttributeScope {
        /// The font of letters.
        public let font: FontAttribute
        /// The colour of letters.
        public let foregroundColor: ForegroundColorAttribute
        /// The colour behind letters.
        public let backgroundColor: BackgroundColorAttribute
        /// The line below letters.
        public let underlineStyle: UnderlineStyleAttribute
        /// The line through letters.
        public let strikethroughStyle: StrikethroughStyleAttribute
        /// The look of paragraphs.
        public let paragraphStyle: ParagraphStyleAttribute
        /// Points between letters.
        public let kern: KernAttribute
        /// The attributes of Foundation.
        public let foundation: FoundationAttributes

        /// The font of letters.
        public enum FontAttribute: AttributedStringKey {
            /// The type of the value.
            public typealias Value = UIFont
            /// The name that `NSAttributedString` has for it.
            public static let name = NSAttributedString.Key.font.rawValue
        }
        /// The colour of letters.
        public enum ForegroundColorAttribute: AttributedStringKey {
            /// The type of the value.
            public typealias Value = UIColor
            /// The name that `NSAttributedString` has for it.
            public static let name = NSAttributedString.Key.foregroundColor.rawValue
        }
        /// The colour behind letters.
        public enum BackgroundColorAttribute: AttributedStringKey {
            /// The type of the value.
            public typealias Value = UIColor
            /// The name that `NSAttributedString` has for it.
            public static let name = NSAttributedString.Key.backgroundColor.rawValue
        }
        /// The line below letters.
        public enum UnderlineStyleAttribute: AttributedStringKey {
            /// The type of the value.
            public typealias Value = NSUnderlineStyle
            /// The name that `NSAttributedString` has for it.
            public static let name = NSAttributedString.Key.underlineStyle.rawValue
        }
        /// The line through letters.
        public enum StrikethroughStyleAttribute: AttributedStringKey {
            /// The type of the value.
            public typealias Value = NSUnderlineStyle
            /// The name that `NSAttributedString` has for it.
            public static let name = NSAttributedString.Key.strikethroughStyle.rawValue
        }
        /// The look of paragraphs.
        public enum ParagraphStyleAttribute: AttributedStringKey {
            /// The type of the value.
            public typealias Value = NSParagraphStyle
            /// The name that `NSAttributedString` has for it.
            public static let name = NSAttributedString.Key.paragraphStyle.rawValue
        }
        /// Points between letters.
        public enum KernAttribute: AttributedStringKey {
            /// The type of the value.
            public typealias Value = CGFloat
            /// The name that `NSAttributedString` has for it.
            public static let name = NSAttributedString.Key.kern.rawValue
        }
    }

    /// The attributes of UIKit.
    public var uiKit: UIKitAttributes.Type { UIKitAttributes.self }
}

extension AttributeDynamicLookup {
    /// Finds an attribute of UIKit by its name.
    public subscript<T: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.UIKitAttributes, T>
    ) -> T { self[T.self] }
}

extension AttributeContainer {
    /// The attributes of a dictionary that UIKit knows.
    public init(_ dictionary: [NSAttributedString.Key: Any]) {
        self.init()
        self.font = dictionary[.font] as? UIFont
        self.foregroundColor = dictionary[.foregroundColor] as? UIColor
        self.backgroundColor = dictionary[.backgroundColor] as? UIColor
        self.underlineStyle = (dictionary[.underlineStyle] as? Int).map(NSUnderlineStyle.init)
        self.strikethroughStyle = (dictionary[.strikethroughStyle] as? Int).map(NSUnderlineStyle.init)
        self.paragraphStyle = dictionary[.paragraphStyle] as? NSParagraphStyle
        self.kern = dictionary[.kern] as? CGFloat ?? (dictionary[.kern] as? Double).map { CGFloat($0) }
    }

    /// The attributes as `NSAttributedString` has them.
    var dictionary: [NSAttributedString.Key: Any] {
        var dictionary: [NSAttributedString.Key: Any] = [:]
        dictionary[.font] = self.font
        dictionary[.foregroundColor] = self.foregroundColor
        dictionary[.backgroundColor] = self.backgroundColor
        dictionary[.underlineStyle] = self.underlineStyle?.rawValue
        dictionary[.strikethroughStyle] = self.strikethroughStyle?.rawValue
        dictionary[.paragraphStyle] = self.paragraphStyle
        dictionary[.kern] = self.kern
        return dictionary
    }
}

extension AttributedString {
    /// The text with the attributes that UIKit knows.
    public init(_ nsStr: NSAttributedString) {
        self.init()
        let text = nsStr.string as NSString
        nsStr.enumerateAttributes(in: NSRange(location: 0, length: nsStr.length)) { attributes, range, _ in
            append(AttributedString(text.substring(with: range), attributes: AttributeContainer(attributes)))
        }
    }
}

extension NSAttributedString {
    /// The text with the attributes that UIKit knows.
    public convenience init(_ attrStr: AttributedString) {
        let text = NSMutableAttributedString(string: "")
        for run in attrStr.runs {
            let part = String(attrStr[run.range].characters)
            text.append(NSAttributedString(string: part, attributes: run.attributes.dictionary))
        }
        self.init(attributedString: text)
    }
}

extension NSMutableAttributedString {
    /// A text without letters.
    public convenience init() {
        self.init(string: "")
    }
}

/// A function that changes the attributes of a text before it is drawn.
///
/// Source: Apple, "UIConfigurationTextAttributesTransformer".
public struct UIConfigurationTextAttributesTransformer {
    /// The function.
    public let transform: (AttributeContainer) -> AttributeContainer

    /// Takes a function.
    public init(_ transform: @escaping (AttributeContainer) -> AttributeContainer) {
        self.transform = transform
    }

    /// Calls the function.
    public func callAsFunction(_ input: AttributeContainer) -> AttributeContainer { transform(input) }
}

/// A function that makes a colour out of another one.
///
/// Source: Apple, "UIConfigurationColorTransformer".
public struct UIConfigurationColorTransformer: Sendable {
    /// The function.
    public let transform: @Sendable (UIColor) -> UIColor

    /// Takes a function.
    public init(_ transform: @escaping @Sendable (UIColor) -> UIColor) {
        self.transform = transform
    }

    /// Calls the function.
    public func callAsFunction(_ input: UIColor) -> UIColor { transform(input) }

    /// A grey of the same brightness.
    public static let grayscale = UIConfigurationColorTransformer { color in
        UIColor { traits in
            let shown = color.components(traits)
            return UIColor(white: shown.white, alpha: shown.alpha)
        }
    }
    /// The colour, as it is for the one that is meant.
    public static let preferredTint = UIConfigurationColorTransformer { $0 }
    /// The colour with a part of its opacity.
    public static let monochromeTint = UIConfigurationColorTransformer { $0 }
}
