// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A trait: one fact of the place in which a view is shown.
///
/// Source: Apple, "UITraitDefinition".
public protocol UITraitDefinition {
    /// The type of its values.
    associatedtype Value
    /// The value of a place that does not name it.
    static var defaultValue: Value { get }
    /// A name for the log.
    static var name: String { get }
    /// True if colours depend on it.
    static var affectsColorAppearance: Bool { get }
}

extension UITraitDefinition {
    /// The name of the type.
    public static var name: String { String(describing: Self.self) }
    /// False.
    public static var affectsColorAppearance: Bool { false }
}

/// A trait as registrations name it.
public typealias UITrait = any UITraitDefinition.Type

/// A trait that collections have.
protocol KnownTrait: UITraitDefinition where Value: Equatable {
    static func value(in collection: UITraitCollection) -> Value
}

extension KnownTrait {
    /// True if the trait is not the same in both.
    static func differs(_ one: UITraitCollection, _ other: UITraitCollection) -> Bool {
        value(in: one) != value(in: other)
    }
}

/// The light or the dark style.
public struct UITraitUserInterfaceStyle: KnownTrait {
    /// The value of a place that does not name it.
    public static let defaultValue = UIUserInterfaceStyle.unspecified
    /// True: colours have two forms.
    public static let affectsColorAppearance = true
    static func value(in collection: UITraitCollection) -> UIUserInterfaceStyle { collection.userInterfaceStyle }
}

/// The size of texts that a person wants.
public struct UITraitPreferredContentSizeCategory: KnownTrait {
    /// The value of a place that does not name it.
    public static let defaultValue = UIContentSizeCategory.unspecified
    static func value(in collection: UITraitCollection) -> UIContentSizeCategory {
        collection.preferredContentSizeCategory
    }
}

/// The side on which a line begins.
public struct UITraitLayoutDirection: KnownTrait {
    /// The value of a place that does not name it.
    public static let defaultValue = UITraitEnvironmentLayoutDirection.unspecified
    static func value(in collection: UITraitCollection) -> UITraitEnvironmentLayoutDirection {
        collection.layoutDirection
    }
}

/// The pixels of a point.
public struct UITraitDisplayScale: KnownTrait {
    /// The value of a place that does not name it.
    public static let defaultValue: CGFloat = 0
    static func value(in collection: UITraitCollection) -> CGFloat { collection.displayScale }
}

/// The class of the width.
public struct UITraitHorizontalSizeClass: KnownTrait {
    /// The value of a place that does not name it.
    public static let defaultValue = UIUserInterfaceSizeClass.unspecified
    static func value(in collection: UITraitCollection) -> UIUserInterfaceSizeClass { collection.horizontalSizeClass }
}

/// The class of the height.
public struct UITraitVerticalSizeClass: KnownTrait {
    /// The value of a place that does not name it.
    public static let defaultValue = UIUserInterfaceSizeClass.unspecified
    static func value(in collection: UITraitCollection) -> UIUserInterfaceSizeClass { collection.verticalSizeClass }
}

/// The kind of machine.
public struct UITraitUserInterfaceIdiom: KnownTrait {
    /// The value of a place that does not name it.
    public static let defaultValue = UIUserInterfaceIdiom.unspecified
    static func value(in collection: UITraitCollection) -> UIUserInterfaceIdiom { collection.userInterfaceIdiom }
}

/// The level of the interface over others.
public struct UITraitUserInterfaceLevel: KnownTrait {
    /// The value of a place that does not name it.
    public static let defaultValue = UIUserInterfaceLevel.unspecified
    /// True: colours of raised parts differ on iOS.
    public static let affectsColorAppearance = true
    static func value(in collection: UITraitCollection) -> UIUserInterfaceLevel { collection.userInterfaceLevel }
}

/// The contrast that a person wants.
public struct UITraitAccessibilityContrast: KnownTrait {
    /// The value of a place that does not name it.
    public static let defaultValue = UIAccessibilityContrast.unspecified
    /// True: colours of more contrast differ on iOS.
    public static let affectsColorAppearance = true
    static func value(in collection: UITraitCollection) -> UIAccessibilityContrast { collection.accessibilityContrast }
}

extension UITraitCollection {
    /// The traits on which colours depend.
    public class var systemTraitsAffectingColorAppearance: [UITrait] {
        [UITraitUserInterfaceStyle.self, UITraitUserInterfaceLevel.self, UITraitAccessibilityContrast.self]
    }
}
