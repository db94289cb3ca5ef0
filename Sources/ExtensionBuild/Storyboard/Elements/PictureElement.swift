// SPDX-License-Identifier: Apache-2.0

/// The properties of UIImageView, and of views that only show something.
enum PictureElement {
    static func writeImageView(_ view: PropertyWriter) {
        view.image("image")
        view.image("highlightedImage")
        if let configuration = ImageValue.configuration(view.element, view.script) {
            view.set("preferredSymbolConfiguration", configuration)
        }
        view.bool("highlighted", "isHighlighted")
        view.bool("adjustsImageSizeForAccessibilityContentSizeCategory")
        _ = view.element["catalog"]
    }

    static func writeProgress(_ view: PropertyWriter) {
        view.choice("progressViewStyle", Choices.progressStyles)
        view.number("progress")
        view.color("progressTintColor")
        view.color("trackTintColor")
        view.image("progressImage")
        view.image("trackImage")
    }

    static func writeSpinner(_ view: PropertyWriter) {
        view.choice("style", Choices.spinnerStyles)
        view.color("color")
        view.bool("hidesWhenStopped", absent: false)
        if view.flag("animating") == true { view.call("startAnimating()") }
    }

    static func writeStack(_ stack: PropertyWriter) {
        stack.choice("axis", Choices.axes)
        stack.choice("distribution", Choices.distributions)
        stack.choice("alignment", Choices.alignments)
        stack.number("spacing")
        // Standard spacing is 8 points between views that are no texts.
        if stack.element["spacingType"] == "standard", stack.element["spacing"] == nil { stack.set("spacing", "8") }
        stack.bool("baselineRelativeArrangement", "isBaselineRelativeArrangement")
        stack.bool("layoutMarginsRelativeArrangement", "isLayoutMarginsRelativeArrangement")
    }

    static func writeEffect(_ view: PropertyWriter) {
        if let blur = view.element.child(named: "blurEffect") {
            view.set("effect", effect(blur, view.script))
        } else if let vibrancy = view.element.child(named: "vibrancyEffect") {
            _ = vibrancy["style"]
            let blur = vibrancy.child(named: "blurEffect").map { effect($0, view.script) }
            view.set("effect", "UIVibrancyEffect(blurEffect: \(blur ?? "UIBlurEffect(style: .regular)"))")
        }
    }

    private static func effect(_ blur: InterfaceElement, _ script: InterfaceScript) -> String {
        let style = PropertyWriter(element: blur, target: "", script: script).chosen("style", Choices.blurs)
        return "UIBlurEffect(style: .\(style ?? "regular"))"
    }
}
