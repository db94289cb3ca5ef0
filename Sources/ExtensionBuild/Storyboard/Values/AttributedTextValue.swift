// SPDX-License-Identifier: Apache-2.0

/// A storyboard's text of fragments with attributes of their own, as statements in Swift.
///
/// Source: Apple, "NSAttributedString.Key" and "NSMutableParagraphStyle".
enum AttributedTextValue {
    /// Adds statements that make the text and hand it to `use`, which gets the name of a variable.
    static func write(_ text: InterfaceElement, _ script: InterfaceScript, use: (String) -> Void) {
        _ = text.key
        script.block("do {") {
            script.add("let text = NSMutableAttributedString(string: \"\")")
            for fragment in text.children where fragment.name == "fragment" {
                write(fragment: fragment.reading(), script)
            }
            use("text")
        }
    }

    /// Adds statements that make an `AttributedString`, which has fonts and colours alone, and hand it to `use`.
    static func writeValue(_ text: InterfaceElement, _ script: InterfaceScript, use: (String) -> Void) {
        _ = text.key
        script.block("do {") {
            script.add("var text = AttributedString()")
            for fragment in text.children where fragment.name == "fragment" {
                let name = script.variable("part")
                let content = content(of: fragment.reading(), script)
                let attributes = fragment.list("attributes").compactMap { valueEntry($0, script) }
                script.add(
                    "\(attributes.isEmpty ? "let" : "var") \(name) = AttributedString(\(SwiftText.literal(content)))"
                )
                for attribute in attributes { script.add("\(name).\(attribute)") }
                script.add("text.append(\(name))")
            }
            use("text")
        }
    }

    private static func valueEntry(_ attribute: InterfaceElement, _ script: InterfaceScript) -> String? {
        switch attribute.key {
        case "NSFont": return FontValue.swift(attribute, script).map { "font = \($0)" }
        case "NSColor": return ColorValue.swift(attribute, script).map { "foregroundColor = \($0)" }
        case "NSParagraphStyle", "NSLigature":
            // A title has the configuration's alignment and line breaks.
            _ = attribute.readingAll()
            return nil
        default:
            script.warn(attribute, "\"\(attribute.key ?? "")\" is not known here in the title of a configuration")
            _ = attribute.readingAll()
            return nil
        }
    }

    private static func content(of fragment: InterfaceElement, _ script: InterfaceScript) -> String {
        fragment["content"] ?? fragment.child(key: "content").map { TextValue.content($0, script) } ?? ""
    }

    private static func write(fragment: InterfaceElement, _ script: InterfaceScript) {
        let content = content(of: fragment, script)
        var entries: [String] = []
        for attribute in fragment.list("attributes") {
            guard let key = attribute.key else { continue }
            if attribute.name == "paragraphStyle" {
                let name = script.variable("style")
                writeStyle(attribute, name: name, script)
                entries.append(".paragraphStyle: \(name)")
            } else if attribute.name == "shadow" {
                let name = script.variable("shadow")
                writeShadow(attribute, name: name, script)
                entries.append(".shadow: \(name)")
            } else if let entry = entry(attribute, key: key, script) {
                entries.append(entry)
            }
        }
        let attributes = entries.isEmpty ? "" : ", attributes: [\(entries.joined(separator: ", "))]"
        script.add("text.append(NSAttributedString(string: \(SwiftText.literal(content))\(attributes)))")
    }

    private static func entry(_ attribute: InterfaceElement, key: String, _ script: InterfaceScript) -> String? {
        if attribute.name == "nil" { return nil }
        switch (key, attribute.name) {
        case ("NSColor", "color"): return ColorValue.swift(attribute, script).map { ".foregroundColor: \($0)" }
        case ("NSBackgroundColor", "color"):
            return ColorValue.swift(attribute, script).map { ".backgroundColor: \($0)" }
        case ("NSUnderlineColor", "color"): return ColorValue.swift(attribute, script).map { ".underlineColor: \($0)" }
        case ("NSStrikethroughColor", "color"):
            return ColorValue.swift(attribute, script).map { ".strikethroughColor: \($0)" }
        case ("NSFont", "font"), ("NSFont", "fontDescription"):
            return FontValue.swift(attribute, script).map { ".font: \($0)" }
        case ("NSUnderline", "integer"): return number(attribute).map { ".underlineStyle: Int(\($0))" }
        case ("NSStrikethrough", "integer"): return number(attribute).map { ".strikethroughStyle: Int(\($0))" }
        case ("NSKern", _): return number(attribute).map { ".kern: CGFloat(\($0))" }
        case ("NSBaselineOffset", _): return number(attribute).map { ".baselineOffset: CGFloat(\($0))" }
        case ("NSObliqueness", _): return number(attribute).map { ".obliqueness: CGFloat(\($0))" }
        case ("NSExpansion", _): return number(attribute).map { ".expansion: CGFloat(\($0))" }
        case ("NSLigature", _): return number(attribute).map { ".ligature: Int(\($0))" }
        case ("NSStrokeWidth", _): return number(attribute).map { ".strokeWidth: CGFloat(\($0))" }
        case ("NSStrokeColor", "color"): return ColorValue.swift(attribute, script).map { ".strokeColor: \($0)" }
        // Xcode writes 0, the baseline, which is where a text stands.
        case ("NSSuperScript", _) where number(attribute) == "0": return nil
        case ("NSLink", "url"): return attribute["string"].map { ".link: \(SwiftText.literal($0))" }
        default:
            script.warn(attribute, "the text attribute \"\(key)\" is not known here")
            _ = attribute.readingAll()
            return nil
        }
    }

    private static func writeShadow(_ shadow: InterfaceElement, name: String, _ script: InterfaceScript) {
        _ = shadow.key
        script.add("let \(name) = NSShadow()")
        let writer = PropertyWriter(element: shadow, target: name, script: script)
        writer.number("blurRadius", "shadowBlurRadius")
        writer.value("offset", "shadowOffset", GeometryValue.size)
        writer.color("color", "shadowColor")
    }

    private static func number(_ attribute: InterfaceElement) -> String? {
        attribute["value"].flatMap(SwiftText.number).map { SwiftText.literal($0) }
    }

    private static func writeStyle(_ style: InterfaceElement, name: String, _ script: InterfaceScript) {
        _ = (style.key, style["tighteningFactorForTruncation"], style["allowsDefaultTighteningForTruncation"])
        script.add("let \(name) = NSMutableParagraphStyle()")
        let writer = PropertyWriter(element: style, target: name, script: script)
        writer.choice("alignment", Choices.textAlignments)
        writer.choice("lineBreakMode", Choices.paragraphBreaks)
        writer.choice("baseWritingDirection", Choices.writingDirections)
        for number in [
            "lineSpacing", "paragraphSpacing", "paragraphSpacingBefore", "firstLineHeadIndent", "headIndent",
            "tailIndent", "lineHeightMultiple", "hyphenationFactor", "defaultTabInterval", "minimumLineHeight",
            "maximumLineHeight",
        ] { writer.number(number) }
    }
}
