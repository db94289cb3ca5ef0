// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Collections of one trait, and of several.
extension UITraitCollection {
    /// Names the style.
    public convenience init(userInterfaceStyle: UIUserInterfaceStyle) {
        self.init(Traits(style: userInterfaceStyle))
    }

    /// Names the side on which a line begins.
    public convenience init(layoutDirection: UITraitEnvironmentLayoutDirection) {
        self.init(Traits(direction: layoutDirection))
    }

    /// Names the kind of machine.
    public convenience init(userInterfaceIdiom idiom: UIUserInterfaceIdiom) {
        self.init(Traits(idiom: idiom))
    }

    /// Names the class of the width.
    public convenience init(horizontalSizeClass: UIUserInterfaceSizeClass) {
        self.init(Traits(horizontal: horizontalSizeClass))
    }

    /// Names the class of the height.
    public convenience init(verticalSizeClass: UIUserInterfaceSizeClass) {
        self.init(Traits(vertical: verticalSizeClass))
    }

    /// Names the level.
    public convenience init(userInterfaceLevel: UIUserInterfaceLevel) {
        self.init(Traits(level: userInterfaceLevel))
    }

    /// Names the contrast.
    public convenience init(accessibilityContrast: UIAccessibilityContrast) {
        self.init(Traits(contrast: accessibilityContrast))
    }

    /// Names the size of texts.
    public convenience init(preferredContentSizeCategory: UIContentSizeCategory) {
        self.init(Traits(category: preferredContentSizeCategory, textSize: preferredContentSizeCategory.textSize))
    }

    /// Names the pixels of a point.
    public convenience init(displayScale: CGFloat) {
        self.init(Traits(scale: displayScale))
    }

    /// Takes all traits that the collections name; of two that name the same, the later.
    public convenience init(traitsFrom traitCollections: [UITraitCollection]) {
        self.init(
            traitCollections.reduce(into: Traits()) { all, next in
                let next = next.traits
                if next.style != .unspecified { all.style = next.style }
                if next.direction != .unspecified { all.direction = next.direction }
                if next.idiom != .unspecified { all.idiom = next.idiom }
                if next.horizontal != .unspecified { all.horizontal = next.horizontal }
                if next.vertical != .unspecified { all.vertical = next.vertical }
                if next.level != .unspecified { all.level = next.level }
                if next.contrast != .unspecified { all.contrast = next.contrast }
                if next.category != .unspecified { all.category = next.category }
                if next.scale != 0 { all.scale = next.scale }
                if let textSize = next.textSize { all.textSize = textSize }
            }
        )
    }
}
