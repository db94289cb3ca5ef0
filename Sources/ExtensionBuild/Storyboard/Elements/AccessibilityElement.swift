// SPDX-License-Identifier: Apache-2.0

/// The part of a view that screen readers and tests use.
///
/// Source: Apple, "UIAccessibilityTraits".
enum AccessibilityElement {
    static func write(_ view: PropertyWriter) {
        guard let element = view.element.child("accessibility", key: "accessibilityConfiguration") else { return }
        _ = element.key
        let script = view.script
        for (key, property) in [
            ("label", "accessibilityLabel"), ("hint", "accessibilityHint"), ("value", "accessibilityValue"),
        ] {
            guard let text = TextValue.plain(element, key: key, script) else { continue }
            view.set(property, TextValue.swift(text, of: view.element, entry: property, script))
        }
        if let identifier = TextValue.plain(element, key: "identifier", script) {
            view.set("accessibilityIdentifier", SwiftText.literal(identifier))
        }
        if let flag = element.child(key: "isElement") {
            _ = flag.key
            PropertyWriter(element: flag, target: view.target, script: script).bool("value", "isAccessibilityElement")
        }
        if let traits = element.child("accessibilityTraits", key: "traits") {
            _ = traits.key
            let reader = PropertyWriter(element: traits, target: view.target, script: script)
            let names = Self.traits.filter { reader.flag($0.attribute) == true }.map { ".\($0.name)" }
            view.set("accessibilityTraits", "[\(names.joined(separator: ", "))]")
        }
    }

    private static let traits: [(attribute: String, name: String)] = [
        ("button", "button"), ("link", "link"), ("image", "image"), ("selected", "selected"),
        ("staticText", "staticText"), ("header", "header"), ("searchField", "searchField"),
        ("playsSound", "playsSound"), ("keyboardKey", "keyboardKey"), ("summaryElement", "summaryElement"),
        ("notEnabled", "notEnabled"), ("updatesFrequently", "updatesFrequently"),
        ("startsMediaSession", "startsMediaSession"), ("adjustable", "adjustable"),
        ("allowsDirectInteraction", "allowsDirectInteraction"), ("causesPageTurn", "causesPageTurn"),
    ]
}
