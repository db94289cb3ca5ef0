// SPDX-License-Identifier: Apache-2.0

/// The strength of a constraint: 1000 must hold, less may give way, the least first.
///
/// Source: Apple, "UILayoutPriority".
public struct UILayoutPriority: Hashable, RawRepresentable, Sendable {
    /// 1 to 1000 for a constraint that counts.
    public let rawValue: Float

    /// Takes any number; 1000 and more is required, 0 and less is without effect.
    public init(rawValue: Float) {
        self.rawValue = rawValue
    }

    /// Takes any number; 1000 and more is required, 0 and less is without effect.
    public init(_ rawValue: Float) {
        self.rawValue = rawValue
    }

    /// 1000.
    public static let required = UILayoutPriority(1000)
    /// 750, with which content is not cut.
    public static let defaultHigh = UILayoutPriority(750)
    /// 250, with which content is not stretched.
    public static let defaultLow = UILayoutPriority(250)
    /// 50, with which a size is looked for that fits.
    public static let fittingSizeLevel = UILayoutPriority(50)
    /// 510.
    public static let dragThatCanResizeScene = UILayoutPriority(510)
    /// 490.
    public static let dragThatCannotResizeScene = UILayoutPriority(490)
    /// 500.
    public static let sceneSizeStayPut = UILayoutPriority(500)

    /// A priority that is stronger by so much.
    public static func + (priority: UILayoutPriority, value: Float) -> UILayoutPriority {
        UILayoutPriority(priority.rawValue + value)
    }

    /// A priority that is weaker by so much.
    public static func - (priority: UILayoutPriority, value: Float) -> UILayoutPriority {
        UILayoutPriority(priority.rawValue - value)
    }
}
