// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import SceneModel

// SAFETY: immutable after `init`.
/// The place in which a view is shown, as far as it knows: style, direction, size of texts and the like.
///
/// A trait that is not named is unspecified. Source: Apple, "UITraitCollection".
open class UITraitCollection: NSObject, @unchecked Sendable {
    struct Traits: Hashable, Sendable {
        var style = UIUserInterfaceStyle.unspecified
        var direction = UITraitEnvironmentLayoutDirection.unspecified
        var idiom = UIUserInterfaceIdiom.unspecified
        var horizontal = UIUserInterfaceSizeClass.unspecified
        var vertical = UIUserInterfaceSizeClass.unspecified
        var level = UIUserInterfaceLevel.unspecified
        var contrast = UIAccessibilityContrast.unspecified
        var category = UIContentSizeCategory.unspecified
        /// Pixels of a point; 0 is unspecified.
        var scale: CGFloat = 0
        /// The factor of fonts of text styles, which `category` names in steps; nil is unspecified.
        var textSize: CGFloat?
    }

    let traits: Traits

    init(_ traits: Traits) {
        self.traits = traits
    }

    /// Names no trait.
    public override convenience init() {
        self.init(Traits())
    }

    /// The light or the dark style.
    open var userInterfaceStyle: UIUserInterfaceStyle { traits.style }
    /// The side on which a line begins.
    open var layoutDirection: UITraitEnvironmentLayoutDirection { traits.direction }
    /// A phone: views are as wide as a phone's.
    open var userInterfaceIdiom: UIUserInterfaceIdiom { traits.idiom }
    /// The class of the width: compact, as a phone's.
    open var horizontalSizeClass: UIUserInterfaceSizeClass { traits.horizontal }
    /// The class of the height: regular, as that of a phone held upright.
    open var verticalSizeClass: UIUserInterfaceSizeClass { traits.vertical }
    /// The level of the interface over others.
    open var userInterfaceLevel: UIUserInterfaceLevel { traits.level }
    /// The contrast that a person wants, of which nothing is known here.
    open var accessibilityContrast: UIAccessibilityContrast { traits.contrast }
    /// The size of texts that a person wants, as the nearest of Apple's steps.
    open var preferredContentSizeCategory: UIContentSizeCategory { traits.category }
    /// Pixels of a point; 0 when unspecified.
    open var displayScale: CGFloat { traits.scale }

    /// Tells whether colours may look different under `traitCollection`; nil counts as unspecified.
    open func hasDifferentColorAppearance(comparedTo traitCollection: UITraitCollection?) -> Bool {
        let other = traitCollection?.traits ?? Traits()
        return traits.style != other.style || traits.level != other.level || traits.contrast != other.contrast
    }

    /// Tells whether each trait that `trait` names is the same here.
    open func containsTraits(in trait: UITraitCollection?) -> Bool {
        guard let trait else { return true }
        return UITraitCollection(traitsFrom: [self, trait]).traits == traits
    }

    /// Compares all traits.
    open override func isEqual(_ object: Any?) -> Bool { (object as? UITraitCollection)?.traits == traits }

    /// The same for equal traits.
    open override var hash: Int { traits.hashValue }

    var isDark: Bool {
        traits.style == .unspecified ? Surroundings.environment.style == .dark : traits.style == .dark
    }

    /// The factor of fonts of text styles; that of the surroundings where the traits name none.
    var textSize: CGFloat { traits.textSize ?? CGFloat(Surroundings.environment.textSize) }
}

/// The traits of the place in which the view is shown.
extension UITraitCollection {
    private static let key = "UITraitCollection.current"

    /// The traits of the view, or those that `performAsCurrent` or a setter gave this thread.
    public class var current: UITraitCollection {
        get { Thread.current.threadDictionary[key] as? UITraitCollection ?? surrounding }
        set { Thread.current.threadDictionary[key] = newValue }
    }

    /// Calls `actions`, for which these traits are the current ones.
    public func performAsCurrent(_ actions: () -> Void) {
        let previous = Thread.current.threadDictionary[Self.key]
        Thread.current.threadDictionary[Self.key] = self
        defer { Thread.current.threadDictionary[Self.key] = previous }
        actions()
    }

    static var surrounding: UITraitCollection { UITraitCollection(environment: Surroundings.environment) }

    static func current(in style: UIUserInterfaceStyle) -> UITraitCollection {
        UITraitCollection(traitsFrom: [current, UITraitCollection(userInterfaceStyle: style)])
    }

    /// Takes all traits of a place.
    package convenience init(environment: ViewEnvironment) {
        self.init(
            Traits(
                style: environment.style == .dark ? .dark : .light,
                direction: environment.direction == .rightToLeft ? .rightToLeft : .leftToRight,
                idiom: .phone,
                horizontal: .compact,
                vertical: .regular,
                level: .base,
                contrast: .normal,
                category: UIContentSizeCategory(textSize: environment.textSize),
                scale: environment.scale,
                textSize: environment.textSize
            )
        )
    }
}
