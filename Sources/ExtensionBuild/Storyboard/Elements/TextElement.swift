// SPDX-License-Identifier: Apache-2.0

/// The properties of UITextField and UITextView.
enum TextElement {
    static func writeField(_ field: PropertyWriter) {
        ControlElement.write(field)
        field.font("fontDescription", "font")
        field.color("textColor")
        field.choice("textAlignment", Choices.textAlignments)
        field.choice("borderStyle", Choices.borderStyles)
        field.choice("clearButtonMode", Choices.viewModes)
        field.bool("clearsOnBeginEditing")
        field.bool("adjustsFontSizeToFit", "adjustsFontSizeToFitWidth")
        field.bool("adjustsFontForContentSizeCategory")
        field.number("minimumFontSize")
        field.image("background")
        field.image("disabledBackground")
        field.text("placeholder")
        field.text("text")
        _ = field.element["usesAttributedText"]
        field.attributedText("attributedText")
        field.attributedText("attributedPlaceholder")
        // The page's fields have no styles of texts.
        _ = field.element["allowsEditingTextAttributes"]
        traits(field)
    }

    static func writeView(_ view: PropertyWriter) {
        ScrollElement.write(view)
        view.font("fontDescription", "font")
        view.color("textColor")
        view.choice("textAlignment", Choices.textAlignments)
        view.bool("editable", "isEditable")
        view.bool("selectable", "isSelectable")
        view.bool("adjustsFontForContentSizeCategory")
        view.text("text")
        _ = view.element["usesAttributedText"]
        view.attributedText("attributedText")
        _ = view.element["allowsEditingTextAttributes"]
        detectors(view)
        traits(view)
    }

    private static func detectors(_ view: PropertyWriter) {
        guard let types = view.element.child(key: "dataDetectorTypes") else { return }
        _ = types.key
        let reader = PropertyWriter(element: types, target: view.target, script: view.script)
        // The page makes no links of these kinds: they are read, so that nobody warns of them, and left out.
        for name in ["shipmentTrackingNumber", "flightNumber", "lookupSuggestion"] { _ = reader.flag(name) }
        let names = ["phoneNumber", "link", "address", "calendarEvent"].filter { reader.flag($0) == true }
        view.set("dataDetectorTypes", "[\(names.map { ".\($0)" }.joined(separator: ", "))]")
    }

    /// The rules for typing, such as `keyboardType`, which mean something to the page's keyboard alone.
    private static func traits(_ field: PropertyWriter) {
        guard let element = field.element.child("textInputTraits", key: "textInputTraits") else { return }
        _ = element.key
        let traits = PropertyWriter(element: element, target: field.target, script: field.script)
        traits.bool("secureTextEntry", "isSecureTextEntry")
        traits.bool("enablesReturnKeyAutomatically")
        traits.choice("keyboardType", keyboards)
        traits.choice("returnKeyType", returnKeys)
        traits.choice("autocapitalizationType", capitals)
        traits.choice("autocorrectionType", answers)
        traits.choice("spellCheckingType", answers)
        traits.choice("smartDashesType", answers)
        traits.choice("smartQuotesType", answers)
        traits.choice("smartInsertDeleteType", answers)
        traits.choice("keyboardAppearance", ["alert": "dark", "dark": "dark", "light": "light", "default": "default"])
        if let type = element["textContentType"] {
            traits.set("textContentType", "UITextContentType(rawValue: \(SwiftText.literal(type)))")
        }
    }

    private static let keyboards = [
        "default": "default", "alphabet": "asciiCapable", "ASCIICapable": "asciiCapable",
        "numbersAndPunctuation": "numbersAndPunctuation", "URL": "URL", "numberPad": "numberPad",
        "phonePad": "phonePad", "namePhonePad": "namePhonePad", "emailAddress": "emailAddress",
        "decimalPad": "decimalPad", "twitter": "twitter", "webSearch": "webSearch",
        "ASCIICapableNumberPad": "asciiCapableNumberPad", "asciiCapableNumberPad": "asciiCapableNumberPad",
    ]
    private static let returnKeys = [
        "default": "default", "go": "go", "google": "google", "join": "join", "next": "next", "route": "route",
        "search": "search", "send": "send", "yahoo": "yahoo", "done": "done", "emergencyCall": "emergencyCall",
        "continue": "continue",
    ]
    private static let capitals = [
        "none": "none", "words": "words", "sentences": "sentences", "allCharacters": "allCharacters",
    ]
    private static let answers = ["no": "no", "yes": "yes", "default": "default"]
}
