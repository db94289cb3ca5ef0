// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Distances from the four sides of a rectangle, inwards; negative ones go outwards.
public struct UIEdgeInsets: Hashable, Codable, Sendable {
    /// Points from the upper side.
    public var top: CGFloat
    /// Points from the left side.
    public var left: CGFloat
    /// Points from the lower side.
    public var bottom: CGFloat
    /// Points from the right side.
    public var right: CGFloat

    /// Takes the four distances.
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }

    /// Takes no distances.
    public init() {
        self.init(top: 0, left: 0, bottom: 0, right: 0)
    }

    /// No distances.
    public static let zero = UIEdgeInsets()
}

/// Makes distances from the four sides of a rectangle.
public func UIEdgeInsetsMake(_ top: CGFloat, _ left: CGFloat, _ bottom: CGFloat, _ right: CGFloat) -> UIEdgeInsets {
    UIEdgeInsets(top: top, left: left, bottom: bottom, right: right)
}

/// Distances from the four sides of a rectangle, by the sides on which a line begins and ends.
public struct NSDirectionalEdgeInsets: Hashable, Codable, Sendable {
    /// Points from the upper side.
    public var top: CGFloat
    /// Points from the side on which a line begins.
    public var leading: CGFloat
    /// Points from the lower side.
    public var bottom: CGFloat
    /// Points from the side on which a line ends.
    public var trailing: CGFloat

    /// Takes the four distances.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }

    /// Takes no distances.
    public init() {
        self.init(top: 0, leading: 0, bottom: 0, trailing: 0)
    }

    /// No distances.
    public static let zero = NSDirectionalEdgeInsets()
}

/// A distance from a place in both directions.
public struct UIOffset: Hashable, Codable, Sendable {
    /// Points to the right.
    public var horizontal: CGFloat
    /// Points down.
    public var vertical: CGFloat

    /// Takes the two distances.
    public init(horizontal: CGFloat, vertical: CGFloat) {
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }

    /// Takes no distance.
    public init() {
        self.init(horizontal: 0, vertical: 0)
    }

    /// No distance.
    public static let zero = UIOffset()
}

extension CGRect {
    /// Returns the rectangle without what lies within the distances from its sides.
    public func inset(by insets: UIEdgeInsets) -> CGRect {
        CGRect(
            x: origin.x + insets.left,
            y: origin.y + insets.top,
            width: size.width - insets.left - insets.right,
            height: size.height - insets.top - insets.bottom
        )
    }
}
