// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A step of the size of texts that a person chooses.
///
/// Source: Apple, "UIContentSizeCategory".
public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
    /// The name of the step, by Apple.
    public let rawValue: String

    /// Takes the name of a step.
    public init(rawValue: String) { self.rawValue = rawValue }

    private static func step(_ name: String) -> Self { Self(rawValue: "UICTContentSizeCategory" + name) }

    /// No step is named.
    public static let unspecified = Self(rawValue: "_UICTContentSizeCategoryUnspecified")
    /// The smallest step.
    public static let extraSmall = step("XS")
    /// The second step.
    public static let small = step("S")
    /// The third step.
    public static let medium = step("M")
    /// The usual size.
    public static let large = step("L")
    /// One step above the usual size.
    public static let extraLarge = step("XL")
    /// Two steps above the usual size.
    public static let extraExtraLarge = step("XXL")
    /// Three steps above the usual size.
    public static let extraExtraExtraLarge = step("XXXL")
    /// The first step for people who see little.
    public static let accessibilityMedium = step("AccessibilityM")
    /// The second step for people who see little.
    public static let accessibilityLarge = step("AccessibilityL")
    /// The third step for people who see little.
    public static let accessibilityExtraLarge = step("AccessibilityXL")
    /// The fourth step for people who see little.
    public static let accessibilityExtraExtraLarge = step("AccessibilityXXL")
    /// The largest step.
    public static let accessibilityExtraExtraExtraLarge = step("AccessibilityXXXL")

    /// The name of the message that a person chose another size; a view hears of it by its traits.
    public static let didChangeNotification = Notification.Name("UIContentSizeCategoryDidChangeNotification")

    /// True for the five largest steps.
    public var isAccessibilityCategory: Bool { self >= .accessibilityMedium }
}

extension UIContentSizeCategory: Comparable {
    /// All steps by size, each with the points of a text of the body style.
    ///
    /// Source: Apple, "Human Interface Guidelines: Typography".
    private static let steps: [(category: Self, points: CGFloat)] = [
        (.extraSmall, 14), (.small, 15), (.medium, 16), (.large, 17), (.extraLarge, 19), (.extraExtraLarge, 21),
        (.extraExtraExtraLarge, 23), (.accessibilityMedium, 28), (.accessibilityLarge, 33),
        (.accessibilityExtraLarge, 40), (.accessibilityExtraExtraLarge, 47), (.accessibilityExtraExtraExtraLarge, 53),
    ]

    private var place: Int { Self.steps.firstIndex { $0.category == self } ?? -1 }

    /// Compares places; what is no step of Apple's is below all.
    public static func < (left: Self, right: Self) -> Bool { left.place < right.place }

    /// The nearest step to a factor of the usual size.
    init(textSize: CGFloat) {
        let points = textSize * 17
        self = Self.steps.min { abs($0.points - points) < abs($1.points - points) }?.category ?? .large
    }

    /// The factor of the usual size; nil for what is no step of Apple's.
    var textSize: CGFloat? {
        let place = place
        return place < 0 ? nil : Self.steps[place].points / 17
    }
}
