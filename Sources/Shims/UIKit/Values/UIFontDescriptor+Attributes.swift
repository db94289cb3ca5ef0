// SPDX-License-Identifier: Apache-2.0

import Foundation

extension UIFontDescriptor {
    /// The name of an attribute of a description.
    public struct AttributeName: RawRepresentable, Hashable, Sendable {
        /// The name, by Apple.
        public let rawValue: String

        /// Takes a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The family, a `String`.
        public static let family = AttributeName(rawValue: "NSFontFamilyAttribute")
        /// The name of the font, a `String`.
        public static let name = AttributeName(rawValue: "NSFontNameAttribute")
        /// The face, a `String` such as "Bold Italic".
        public static let face = AttributeName(rawValue: "NSFontFaceAttribute")
        /// The size in points, a number.
        public static let size = AttributeName(rawValue: "NSFontSizeAttribute")
        /// The name for people, a `String`.
        public static let visibleName = AttributeName(rawValue: "NSFontVisibleNameAttribute")
        /// The traits, a dictionary by `TraitKey`.
        public static let traits = AttributeName(rawValue: "NSCTFontTraitsAttribute")
        /// The text style, a `UIFont.TextStyle`.
        public static let textStyle = AttributeName(rawValue: "NSCTFontUIUsageAttribute")
        /// The features of letters, a list.
        public static let featureSettings = AttributeName(rawValue: "NSCTFontFeatureSettingsAttribute")
        /// The fonts for letters that the font does not have, a list.
        public static let cascadeList = AttributeName(rawValue: "NSCTFontCascadeListAttribute")
        /// The one width of all letters, a number.
        public static let fixedAdvance = AttributeName(rawValue: "NSCTFontFixedAdvanceAttribute")
        /// The transform of letters.
        public static let matrix = AttributeName(rawValue: "NSCTFontMatrixAttribute")
    }

    /// The name of a trait.
    public struct TraitKey: RawRepresentable, Hashable, Sendable {
        /// The name, by Apple.
        public let rawValue: String

        /// Takes a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The traits as bits, a number.
        public static let symbolic = TraitKey(rawValue: "NSCTFontSymbolicTrait")
        /// The weight, a `UIFont.Weight` or a number.
        public static let weight = TraitKey(rawValue: "NSCTFontWeightTrait")
        /// The width of letters, a number.
        public static let width = TraitKey(rawValue: "NSCTFontProportionTrait")
        /// The slant, a number; any but 0 slants.
        public static let slant = TraitKey(rawValue: "NSCTFontSlantTrait")
    }

    /// The design of the system's font.
    public struct SystemDesign: RawRepresentable, Hashable, Sendable {
        /// The name, by Apple.
        public let rawValue: String

        /// Takes a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The usual design.
        public static let `default` = SystemDesign(rawValue: "NSCTFontUIFontDesignDefault")
        /// Round ends.
        public static let rounded = SystemDesign(rawValue: "NSCTFontUIFontDesignRounded")
        /// Serifs.
        public static let serif = SystemDesign(rawValue: "NSCTFontUIFontDesignSerif")
        /// One width for all letters.
        public static let monospaced = SystemDesign(rawValue: "NSCTFontUIFontDesignMonospaced")
    }

    /// Traits of a font as bits.
    public struct SymbolicTraits: OptionSet, Hashable, Sendable {
        /// The traits as bits.
        public let rawValue: UInt32

        /// Takes traits as bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Slanted.
        public static let traitItalic = SymbolicTraits(rawValue: 1 << 0)
        /// Bold.
        public static let traitBold = SymbolicTraits(rawValue: 1 << 1)
        /// Wide.
        public static let traitExpanded = SymbolicTraits(rawValue: 1 << 5)
        /// Narrow.
        public static let traitCondensed = SymbolicTraits(rawValue: 1 << 6)
        /// All letters of one width.
        public static let traitMonoSpace = SymbolicTraits(rawValue: 1 << 10)
        /// With letters for lines from top to bottom.
        public static let traitVertical = SymbolicTraits(rawValue: 1 << 11)
        /// Made for interfaces.
        public static let traitUIOptimized = SymbolicTraits(rawValue: 1 << 12)
        /// Lines near to each other.
        public static let traitTightLeading = SymbolicTraits(rawValue: 1 << 15)
        /// Lines far from each other.
        public static let traitLooseLeading = SymbolicTraits(rawValue: 1 << 16)
        /// The bits that name the class of the font.
        public static let classMask = SymbolicTraits(rawValue: 15 << 28)
    }
}

extension FontFacts {
    /// Takes what the attributes say; values of another type than Apple's say nothing.
    func adding(_ attributes: [UIFontDescriptor.AttributeName: Any]) -> FontFacts {
        let size = Self.number(attributes[.size]) ?? size
        let asked = attributes[.name] as? String ?? attributes[.family] as? String
        var facts = asked.map { FontFacts(name: $0, size: size) } ?? self
        facts.size = size
        if let face = attributes[.face] as? String {
            let named = FontFacts(name: face, size: size)
            (facts.weight, facts.isItalic) = (named.weight, named.isItalic)
        }
        if let style = attributes[.textStyle] as? UIFont.TextStyle { facts.textStyle = style }
        if let traits = attributes[.traits] as? [UIFontDescriptor.TraitKey: Any] { facts.add(traits) }
        return facts
    }

    private mutating func add(_ traits: [UIFontDescriptor.TraitKey: Any]) {
        if let bits = traits[.symbolic] {
            if let number = bits as? UInt32 { self.traits = UIFontDescriptor.SymbolicTraits(rawValue: number) }
            if let traits = bits as? UIFontDescriptor.SymbolicTraits { self.traits = traits }
        }
        if let weight = traits[.weight] as? UIFont.Weight { self.weight = weight }
        if let number = Self.number(traits[.weight]) { weight = UIFont.Weight(number) }
        if let slant = Self.number(traits[.slant]) { isItalic = slant != 0 }
    }

    private static func number(_ value: Any?) -> CGFloat? {
        switch value {
        case let value as CGFloat: value
        case let value as Double: CGFloat(value)
        case let value as Float: CGFloat(value)
        case let value as Int: CGFloat(value)
        case let value as NSNumber: CGFloat(value.doubleValue)
        default: nil
        }
    }
}
