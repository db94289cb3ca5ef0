// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The facts of a font and of its description.
struct FontFacts: Hashable, Sendable {
    /// The size where none is said, as Apple's.
    static let usualSize: CGFloat = 12

    /// The name by which the font was asked for; nil for the system's.
    var name: String?
    var size: CGFloat
    var weight = UIFont.Weight.regular
    var isItalic = false
    /// Traits that nothing is drawn by, beside bold and italic.
    var others: UIFontDescriptor.SymbolicTraits = []
    var design = UIFontDescriptor.SystemDesign.default
    var textStyle: UIFont.TextStyle?

    init(name: String? = nil, size: CGFloat, weight: UIFont.Weight = .regular) {
        (self.name, self.size, self.weight) = (name, size, weight)
        guard let name = name?.lowercased() else { return }
        self.weight = Self.weight(in: name)
        isItalic = name.contains("italic") || name.contains("oblique")
        if ["mono", "menlo", "courier"].contains(where: name.contains) { others = .traitMonoSpace }
    }

    private static func weight(in name: String) -> UIFont.Weight {
        // Longer words first: "semibold" has "bold" in it.
        let words: [(String, UIFont.Weight)] = [
            ("ultralight", .ultraLight), ("extralight", .ultraLight), ("thin", .thin), ("light", .light),
            ("medium", .medium), ("semibold", .semibold), ("demibold", .semibold), ("extrabold", .heavy),
            ("heavy", .heavy), ("black", .black), ("bold", .bold),
        ]
        return words.first { name.contains($0.0) }?.1 ?? .regular
    }

    /// Bold from semibold on, as Apple's headline is.
    var traits: UIFontDescriptor.SymbolicTraits {
        get {
            var traits = others
            if weight.rawValue >= UIFont.Weight.semibold.rawValue { traits.insert(.traitBold) }
            if isItalic { traits.insert(.traitItalic) }
            return traits
        }
        set {
            if newValue.contains(.traitBold) != traits.contains(.traitBold) {
                weight = newValue.contains(.traitBold) ? .bold : .regular
            }
            isItalic = newValue.contains(.traitItalic)
            others = newValue.subtracting([.traitBold, .traitItalic])
        }
    }

    var familyName: String {
        guard let name else { return ".AppleSystemUIFont" }
        return name.split(separator: "-").first.map(String.init) ?? name
    }

    var fontName: String {
        if let name { return name }
        let weights: [(UIFont.Weight, String)] = [
            (.ultraLight, "Ultralight"), (.thin, "Thin"), (.light, "Light"), (.regular, "Regular"),
            (.medium, "Medium"), (.semibold, "Semibold"), (.bold, "Bold"), (.heavy, "Heavy"), (.black, "Black"),
        ]
        let nearest = weights.min { left, right in
            abs(left.0.rawValue - weight.rawValue) < abs(right.0.rawValue - weight.rawValue)
        }
        return ".SFUI-\(nearest?.1 ?? "Regular")\(isItalic ? "Italic" : "")"
    }
}
