// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The style of an interface.
public enum UIUserInterfaceStyle: Int, Sendable {
    /// No style is named.
    case unspecified
    /// Dark text on light.
    case light
    /// Light text on dark.
    case dark
}

/// The room of an interface in one direction.
public enum UIUserInterfaceSizeClass: Int, Sendable {
    /// No class is named.
    case unspecified
    /// Little room, as a phone's width.
    case compact
    /// Much room, as the height of a phone held upright.
    case regular
}

/// The direction of an interface, as an app has it.
public enum UIUserInterfaceLayoutDirection: Int, Sendable {
    /// From left to right.
    case leftToRight
    /// From right to left.
    case rightToLeft
}

/// The direction of an interface, as a trait.
public enum UITraitEnvironmentLayoutDirection: Int, Sendable {
    /// No direction is named.
    case unspecified = -1
    /// From left to right.
    case leftToRight
    /// From right to left.
    case rightToLeft
}

/// The kind of machine for which an interface is made.
public enum UIUserInterfaceIdiom: Int, Sendable {
    /// No kind is named.
    case unspecified = -1
    /// A phone.
    case phone = 0
    /// A tablet.
    case pad = 1
    /// A television.
    case tv = 2
    /// A car.
    case carPlay = 3
    /// A desktop computer.
    case mac = 5
    /// A headset.
    case vision = 6
}

/// The place of an interface over others.
public enum UIUserInterfaceLevel: Int, Sendable {
    /// No level is named.
    case unspecified = -1
    /// The first level.
    case base
    /// Over another interface.
    case elevated
}

/// The contrast that a person wants.
public enum UIAccessibilityContrast: Int, Sendable {
    /// No contrast is named.
    case unspecified = -1
    /// The usual contrast.
    case normal
    /// More contrast than usual.
    case high
}
