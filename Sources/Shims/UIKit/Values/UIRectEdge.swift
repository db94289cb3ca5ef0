// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Sides of a rectangle.
public struct UIRectEdge: OptionSet, Sendable {
    /// The sides as bits.
    public let rawValue: UInt

    /// Takes sides as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The upper side.
    public static let top = UIRectEdge(rawValue: 1)
    /// The left side.
    public static let left = UIRectEdge(rawValue: 2)
    /// The lower side.
    public static let bottom = UIRectEdge(rawValue: 4)
    /// The right side.
    public static let right = UIRectEdge(rawValue: 8)
    /// The four sides.
    public static let all: UIRectEdge = [.top, .left, .bottom, .right]
}

/// Sides of a rectangle, by the sides on which a line begins and ends.
public struct NSDirectionalRectEdge: OptionSet, Sendable {
    /// The sides as bits.
    public let rawValue: UInt

    /// Takes sides as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The upper side.
    public static let top = NSDirectionalRectEdge(rawValue: 1)
    /// The side on which a line begins.
    public static let leading = NSDirectionalRectEdge(rawValue: 2)
    /// The lower side.
    public static let bottom = NSDirectionalRectEdge(rawValue: 4)
    /// The side on which a line ends.
    public static let trailing = NSDirectionalRectEdge(rawValue: 8)
    /// The four sides.
    public static let all: NSDirectionalRectEdge = [.top, .leading, .bottom, .trailing]
}

/// Corners of a rectangle.
public struct UIRectCorner: OptionSet, Sendable {
    /// The corners as bits.
    public let rawValue: UInt

    /// Takes corners as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The corner above on the left.
    public static let topLeft = UIRectCorner(rawValue: 1)
    /// The corner above on the right.
    public static let topRight = UIRectCorner(rawValue: 2)
    /// The corner below on the left.
    public static let bottomLeft = UIRectCorner(rawValue: 4)
    /// The corner below on the right.
    public static let bottomRight = UIRectCorner(rawValue: 8)
    /// All corners.
    public static let allCorners = UIRectCorner(rawValue: .max)
}
