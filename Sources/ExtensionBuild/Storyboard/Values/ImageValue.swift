// SPDX-License-Identifier: Apache-2.0

/// A storyboard's image as Swift: a name of the bundle, or a symbol.
///
/// Source: Apple, "UIImage" and "UIImage.SymbolConfiguration".
enum ImageValue {
    /// An expression of type `UIImage?` for the image that an element names at `key`; nil if it names none.
    ///
    /// Xcode writes the name as an attribute, with `catalog="system"` for a symbol, or as `<imageReference>`.
    static func swift(_ element: InterfaceElement, key: String, _ script: InterfaceScript) -> String? {
        if let reference = element.child("imageReference", key: key) {
            _ = (reference.key, reference["symbolScale"], reference["variableValue"])
            let mode = reference["renderingMode"]
            let colors = ["hierarchicalColors", "paletteColors"].flatMap(reference.list)
                .compactMap { ColorValue.swift($0, script) }
            guard let name = reference["image"] else { return nil }
            let image = image(name, isSymbol: reference["catalog"] == "system", reference, script)
            if !colors.isEmpty {
                return "\(image)?.applyingSymbolConfiguration(UIImage.SymbolConfiguration(paletteColors: "
                    + "[\(colors.joined(separator: ", "))]))"
            }
            let modes = ["template": "alwaysTemplate", "original": "alwaysOriginal"]
            return mode.flatMap { modes[$0] }.map { "\(image)?.withRenderingMode(.\($0))" } ?? image
        }
        guard let name = element[key] else { return nil }
        // The catalogue is that of the picture itself, where there are others beside it.
        let isMain = key == "image" || element.attribute("image") == nil
        return image(name, isSymbol: isMain && element["catalog"] == "system", element, script)
    }

    private static func image(
        _ name: String,
        isSymbol: Bool,
        _ element: InterfaceElement,
        _ script: InterfaceScript
    ) -> String {
        if isSymbol { return "UIImage(systemName: \(SwiftText.literal(name)))" }
        if let images = script.options.images, !images.contains(name) {
            script.warn(element, "there is no image \"\(name)\" in the extension's files")
        }
        return "UIImage(named: \(SwiftText.literal(name)))"
    }

    /// An expression of type UIImage.SymbolConfiguration; nil if the element has none that says anything.
    static func configuration(_ element: InterfaceElement, _ script: InterfaceScript) -> String? {
        guard let value = element.child(key: "preferredSymbolConfiguration") else { return nil }
        _ = (value.key, value["configurationType"], value["renderingMode"])
        let weight = value["weight"].flatMap { FontValue.weights.contains($0) ? $0 : nil }
        let scale = value["scale"].flatMap { scales.contains($0) ? $0 : nil }
        if let font = value.child(key: "fontDescription").flatMap({ FontValue.swift($0, script) }) {
            return "UIImage.SymbolConfiguration(font: \(font))"
        }
        if let style = value["textStyle"].flatMap(FontValue.style) {
            return "UIImage.SymbolConfiguration(textStyle: .\(style), scale: .\(scale ?? "default"))"
        }
        if let size = value["pointSize"].flatMap(SwiftText.number) {
            return "UIImage.SymbolConfiguration(pointSize: \(SwiftText.literal(size)), "
                + "weight: .\(weight ?? "regular"), scale: .\(scale ?? "default"))"
        }
        if let weight { return "UIImage.SymbolConfiguration(weight: .\(weight))" }
        return scale.map { "UIImage.SymbolConfiguration(scale: .\($0))" }
    }

    private static let scales: Set<String> = ["default", "small", "medium", "large"]
}
