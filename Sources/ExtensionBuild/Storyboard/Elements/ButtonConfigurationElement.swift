// SPDX-License-Identifier: Apache-2.0

/// The configuration of a button, as Xcode gives one to each new button since version 13.
///
/// Source: Apple, "UIButton.Configuration".
enum ButtonConfigurationElement {
    static func write(_ button: PropertyWriter) {
        guard let element = button.element.child("buttonConfiguration", key: "configuration") else { return }
        _ = element.key
        let script = button.script
        let writer = PropertyWriter(element: element, target: "configuration", script: script)
        let style = writer.chosen("style", Choices.configurations) ?? "plain"
        script.block("do {") {
            script.add("var configuration = UIButton.Configuration.\(style)()")
            texts(writer, of: button)
            writer.image("image")
            if let symbol = ImageValue.configuration(element, script) {
                writer.set("preferredSymbolConfigurationForImage", symbol)
            }
            writer.choice("cornerStyle", Choices.cornerStyles)
            writer.choice("buttonSize", Choices.buttonSizes)
            writer.choice("imagePlacement", Choices.imagePlacements)
            writer.choice("titleAlignment", Choices.titleAlignments)
            writer.choice("titleLineBreakMode", Choices.lineBreaks)
            writer.choice("subtitleLineBreakMode", Choices.lineBreaks)
            writer.choice("indicator", Choices.indicators)
            writer.bool("automaticallyUpdateForSelection")
            writer.number("imagePadding")
            writer.number("titlePadding")
            writer.bool("showsActivityIndicator")
            writer.color("baseForegroundColor")
            writer.color("baseBackgroundColor")
            writer.value("contentInsets", GeometryValue.directionalInsets)
            background(writer)
            button.set("configuration", "configuration")
        }
    }

    private static func texts(_ writer: PropertyWriter, of button: PropertyWriter) {
        let script = writer.script
        for key in ["title", "subtitle"] {
            guard let text = TextValue.plain(writer.element, key: key, script) else { continue }
            writer.set(key, TextValue.swift(text, of: button.element, entry: "configuration.\(key)", script))
        }
        for key in ["attributedTitle", "attributedSubtitle"] {
            guard let text = writer.element.child("attributedString", key: key) else { continue }
            AttributedTextValue.writeValue(text, script) { writer.set(key, $0) }
        }
        for key in ["title", "subtitle"] {
            guard let font = writer.element.child("fontDescription", key: "\(key)FontDescription"),
                let value = FontValue.swift(font, script)
            else { continue }
            // The attributes of the text in its state, with the font put in.
            let property = "\(key)TextAttributesTransformer"
            script.block("configuration.\(property) = UIConfigurationTextAttributesTransformer { old in") {
                script.add("var attributes = old")
                script.add("attributes.font = \(value)")
                script.add("return attributes")
            }
        }
    }

    private static func background(_ writer: PropertyWriter) {
        guard let element = writer.element.child(key: "background") else { return }
        _ = element.key
        let background = PropertyWriter(element: element, target: "configuration.background", script: writer.script)
        background.color("backgroundColor")
        background.number("cornerRadius")
        background.number("strokeWidth")
        background.number("strokeOutset")
        background.value("backgroundInsets", GeometryValue.directionalInsets)
        background.color("strokeColor")
        background.image("image")
    }
}
