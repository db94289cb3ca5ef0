// SPDX-License-Identifier: Apache-2.0

/// The properties of UIButton, state by state, or its configuration.
enum ButtonElement {
    /// The type, which a button has from the start; Apple's key for it in an archive.
    static func start(_ button: PropertyWriter) -> String {
        let type = button.chosen("buttonType", Choices.buttonTypes) ?? "custom"
        return "values: [\"UIButtonType\": UIButton.ButtonType.\(type).rawValue]"
    }

    static func write(_ button: PropertyWriter) {
        ControlElement.write(button)
        button.value("contentEdgeInsets", GeometryValue.insets)
        button.value("titleEdgeInsets", GeometryValue.insets)
        button.value("imageEdgeInsets", GeometryValue.insets)
        button.bool("adjustsImageWhenHighlighted")
        button.bool("adjustsImageWhenDisabled")
        button.bool("showsTouchWhenHighlighted")
        button.bool("showsMenuAsPrimaryAction")
        button.bool("changesSelectionAsPrimaryAction")
        if let font = button.element.child("fontDescription", key: "fontDescription"),
            let value = FontValue.swift(font, button.script)
        {
            button.set("titleLabel?.font", value)
        }
        button.choice("lineBreakMode", "titleLabel?.lineBreakMode", Choices.lineBreaks)
        button.value("titleShadowOffset", "titleLabel?.shadowOffset", GeometryValue.size)
        for state in button.element.children where state.name == "state" { write(state: state.reading(), of: button) }
        ButtonConfigurationElement.write(button)
    }

    private static func write(state: InterfaceElement, of button: PropertyWriter) {
        let script = button.script
        guard let name = state.key.flatMap({ Choices.states[$0] }) else {
            return script.warn(button.element, "there is no state \"\(state.key ?? "")\" of a button")
        }
        if let title = TextValue.plain(state, key: "title", script) {
            let text = TextValue.swift(title, of: button.element, entry: "\(name)Title", script)
            button.call("setTitle(\(text), for: .\(name))")
        }
        if let title = state.child("attributedString", key: "attributedTitle") {
            AttributedTextValue.write(title, script) { button.call("setAttributedTitle(\($0), for: .\(name))") }
        }
        for (key, method) in [("titleColor", "setTitleColor"), ("titleShadowColor", "setTitleShadowColor")] {
            guard let color = state.child("color", key: key).flatMap({ ColorValue.swift($0, script) }) else { continue }
            button.call("\(method)(\(color), for: .\(name))")
        }
        for (key, method) in [("image", "setImage"), ("backgroundImage", "setBackgroundImage")] {
            guard let image = ImageValue.swift(state, key: key, script) else { continue }
            button.call("\(method)(\(image), for: .\(name))")
        }
        if let configuration = ImageValue.configuration(state, script) {
            button.call("setPreferredSymbolConfiguration(\(configuration), forImageIn: .\(name))")
        }
    }
}
