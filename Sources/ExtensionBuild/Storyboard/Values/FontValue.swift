// SPDX-License-Identifier: Apache-2.0

/// A storyboard's font as Swift.
///
/// Source: Apple, "UIFont" and "UIFont.TextStyle".
enum FontValue {
    /// The size of a font that names none: UIKit's `systemFontSize` of labels in storyboards.
    private static let usualSize = 17.0

    /// An expression of type UIFont; nil, and a warning, for a style or weight that is unknown.
    static func swift(_ font: InterfaceElement, _ script: InterfaceScript) -> String? {
        // Letters have one width and, but for those of one width each, one design.
        _ = (font.key, font["family"], font["width"], font["design"])
        if let style = font["style"] {
            let plain = style.replacing("StyleEmphasized", with: "Style")
            guard let name = styles[plain] else {
                script.warn(font, "there is no text style \"\(style)\"")
                return nil
            }
            let preferred = "UIFont.preferredFont(forTextStyle: .\(name))"
            return plain == style ? preferred : "UIFont.boldSystemFont(ofSize: \(preferred).pointSize)"
        }
        let size = SwiftText.literal((font["pointSize"] ?? font["size"]).flatMap(SwiftText.number) ?? usualSize)
        if let name = font["name"] {
            return "UIFont(name: \(SwiftText.literal(name)), size: \(size)) ?? UIFont.systemFont(ofSize: \(size))"
        }
        var weight = font["weight"]
        if let name = weight, !weights.contains(name) {
            script.warn(font, "there is no font weight \"\(name)\"")
            weight = nil
        }
        switch font["type"] ?? font["metaFont"] {
        case "system"? where font["design"] == "monospaced":
            return "UIFont.monospacedSystemFont(ofSize: \(size), weight: .\(weight ?? "regular"))"
        case "boldSystem", "systemBold", "menuBold": return "UIFont.boldSystemFont(ofSize: \(size))"
        case "italicSystem": return "UIFont.italicSystemFont(ofSize: \(size))"
        case "system"?, "smallSystem"?, "miniSystem"?, nil:
            guard let weight else { return "UIFont.systemFont(ofSize: \(size))" }
            return "UIFont.systemFont(ofSize: \(size), weight: .\(weight))"
        case let type?:
            script.warn(font, "there is no kind of font \"\(type)\"")
            return "UIFont.systemFont(ofSize: \(size))"
        }
    }

    /// The weights as UIFont.Weight and storyboards name them.
    static let weights: Set<String> = [
        "ultraLight", "thin", "light", "regular", "medium", "semibold", "bold", "heavy", "black",
    ]

    /// The case of UIFont.TextStyle for a style's name in files.
    static func style(_ name: String) -> String? { styles[name] }

    private static let styles = [
        "UICTFontTextStyleBody": "body", "UICTFontTextStyleCallout": "callout",
        "UICTFontTextStyleCaption1": "caption1", "UICTFontTextStyleCaption2": "caption2",
        "UICTFontTextStyleFootnote": "footnote", "UICTFontTextStyleHeadline": "headline",
        "UICTFontTextStyleSubhead": "subheadline", "UICTFontTextStyleTitle0": "largeTitle",
        "UICTFontTextStyleTitle1": "title1", "UICTFontTextStyleTitle2": "title2",
        "UICTFontTextStyleTitle3": "title3",
    ]
}
