// SPDX-License-Identifier: Apache-2.0

/// The properties of every view.
enum ViewElement {
    static func write(_ view: PropertyWriter) {
        view.value("frame", GeometryValue.rect)
        view.value("bounds", GeometryValue.rect)
        autoresizing(view)
        // A view with a fixed frame is placed by that and its mask, whatever the file says of its constraints.
        if view.element["fixedFrame"] == "YES" {
            _ = view.element["translatesAutoresizingMaskIntoConstraints"]
        } else {
            view.bool("translatesAutoresizingMaskIntoConstraints")
        }
        view.choice("contentMode", Choices.contentModes)
        view.number("alpha")
        view.bool("hidden", "isHidden")
        view.bool("opaque", "isOpaque")
        view.bool("clipsSubviews", "clipsToBounds")
        // In these classes the file's silence means yes, and a new object's state is no.
        let isDeaf = ["label", "imageView"].contains(view.element.name)
        view.bool("userInteractionEnabled", "isUserInteractionEnabled", absent: isDeaf ? true : nil)
        view.bool("multipleTouchEnabled", "isMultipleTouchEnabled")
        view.bool("autoresizesSubviews")
        view.integer("tag")
        view.choice("semanticContentAttribute", Choices.semantics)
        view.color("tintColor")
        view.color("backgroundColor")
        priorities(view)
        margins(view)
        AccessibilityElement.write(view)
    }

    /// The bits of UIView.AutoresizingMask, in the order of Apple's page.
    private static let masks = [
        ("flexibleMinX", "flexibleLeftMargin"), ("widthSizable", "flexibleWidth"),
        ("flexibleMaxX", "flexibleRightMargin"), ("flexibleMinY", "flexibleTopMargin"),
        ("heightSizable", "flexibleHeight"), ("flexibleMaxY", "flexibleBottomMargin"),
    ]

    private static func autoresizing(_ view: PropertyWriter) {
        guard let mask = view.element.child(key: "autoresizingMask") else { return }
        _ = mask.key
        let reader = PropertyWriter(element: mask, target: view.target, script: view.script)
        let names = masks.filter { reader.flag($0.0) == true }.map { ".\($0.1)" }
        view.set("autoresizingMask", "[\(names.joined(separator: ", "))]")
    }

    private static func priorities(_ view: PropertyWriter) {
        for (attribute, method, axis) in [
            ("horizontalHuggingPriority", "setContentHuggingPriority", "horizontal"),
            ("verticalHuggingPriority", "setContentHuggingPriority", "vertical"),
            ("horizontalCompressionResistancePriority", "setContentCompressionResistancePriority", "horizontal"),
            ("verticalCompressionResistancePriority", "setContentCompressionResistancePriority", "vertical"),
        ] {
            guard let priority = view.numeral(attribute) else { continue }
            view.call("\(method)(UILayoutPriority(\(priority)), for: .\(axis))")
        }
    }

    private static func margins(_ view: PropertyWriter) {
        view.bool("insetsLayoutMarginsFromSafeArea")
        view.bool("viewLayoutMarginsFollowReadableWidth", "preservesSuperviewLayoutMargins")
        view.bool("preservesSuperviewLayoutMargins")
        view.value("layoutMargins", GeometryValue.insets)
        view.value("directionalLayoutMargins", GeometryValue.directionalInsets)
    }
}
