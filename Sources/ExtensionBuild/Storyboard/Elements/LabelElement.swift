// SPDX-License-Identifier: Apache-2.0

/// The properties of UILabel.
enum LabelElement {
    static func write(_ label: PropertyWriter) {
        label.font("fontDescription", "font")
        label.color("textColor")
        label.color("highlightedColor", "highlightedTextColor")
        label.color("shadowColor")
        label.value("shadowOffset", GeometryValue.size)
        label.choice("textAlignment", Choices.textAlignments)
        label.integer("numberOfLines")
        label.choice("lineBreakMode", Choices.lineBreaks)
        label.choice("baselineAdjustment", Choices.baselines)
        label.bool("adjustsFontSizeToFit", "adjustsFontSizeToFitWidth")
        label.number("minimumScaleFactor")
        minimumSize(label)
        label.bool("adjustsFontForContentSizeCategory")
        label.bool("allowsDefaultTighteningForTruncation")
        label.number("preferredMaxLayoutWidth")
        label.bool("enabled", "isEnabled")
        label.bool("highlighted", "isHighlighted")
        label.text("text")
        _ = label.element["usesAttributedText"]
        label.attributedText("attributedText")
    }

    /// A size where iOS has a share of the font's since iOS 6.
    private static func minimumSize(_ label: PropertyWriter) {
        guard let text = label.element["minimumFontSize"], let size = SwiftText.number(text), size > 0,
            label.element["minimumScaleFactor"] == nil
        else { return }
        let whole = label.element.child("fontDescription", key: "fontDescription")?["pointSize"]
        guard let whole = whole.flatMap(SwiftText.number), whole > 0 else { return }
        label.set("minimumScaleFactor", SwiftText.literal(min(size / whole, 1)))
    }
}
