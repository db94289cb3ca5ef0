// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension UIView {
    /// The way in which content fills a frame of another shape.
    public enum ContentMode: Int, Sendable {
        /// Stretched to the frame.
        case scaleToFill
        /// The content is whole and undistorted, with room beside it.
        case scaleAspectFit
        /// The content is undistorted, without room, cut where it is larger.
        case scaleAspectFill
        /// The content is drawn anew when the frame changes.
        case redraw
        /// The content has its own size, in the middle.
        case center
        /// The content has its own size, at the top.
        case top
        /// The content has its own size, at the bottom.
        case bottom
        /// The content has its own size, on the left.
        case left
        /// The content has its own size, on the right.
        case right
        /// The content has its own size, at the top left.
        case topLeft
        /// The content has its own size, at the top right.
        case topRight
        /// The content has its own size, at the bottom left.
        case bottomLeft
        /// The content has its own size, at the bottom right.
        case bottomRight
    }

    /// The strength of a tint.
    public enum TintAdjustmentMode: Int, Sendable {
        /// The strength of the view around it.
        case automatic
        /// The colour itself.
        case normal
        /// A grey.
        case dimmed
    }

    /// The sides and sizes of a view that change when the one that it is in changes its size.
    public struct AutoresizingMask: OptionSet, Sendable {
        /// Apple's bits, unknown ones included.
        public let rawValue: UInt

        /// Takes any bits; unknown ones are kept.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The room on the left.
        public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1)
        /// The width.
        public static let flexibleWidth = AutoresizingMask(rawValue: 2)
        /// The room on the right.
        public static let flexibleRightMargin = AutoresizingMask(rawValue: 4)
        /// The room above.
        public static let flexibleTopMargin = AutoresizingMask(rawValue: 8)
        /// The height.
        public static let flexibleHeight = AutoresizingMask(rawValue: 16)
        /// The room below.
        public static let flexibleBottomMargin = AutoresizingMask(rawValue: 32)
    }

    /// A size that a view does not say.
    public static let noIntrinsicMetric: CGFloat = -1
    /// A size that is as small as the content lets it be.
    public static let layoutFittingCompressedSize = CGSize.zero
    /// A size that is as large as the content lets it be.
    public static let layoutFittingExpandedSize = CGSize(width: 10_000, height: 10_000)
}

/// The direction that content asks for.
public enum UISemanticContentAttribute: Int, Sendable {
    /// The direction of the language.
    case unspecified
    /// Buttons that play something: left to right.
    case playback
    /// Directions in space: left to right.
    case spatial
    /// Left to right.
    case forceLeftToRight
    /// Right to left.
    case forceRightToLeft
}

/// The kind of an element for a screen reader.
public struct UIAccessibilityTraits: OptionSet, Sendable {
    /// Apple's bits, unknown ones included.
    public let rawValue: UInt64

    /// Takes any bits; unknown ones are kept.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Nothing in particular.
    public static let none: UIAccessibilityTraits = []
    /// A button.
    public static let button = UIAccessibilityTraits(rawValue: 1)
    /// A link.
    public static let link = UIAccessibilityTraits(rawValue: 2)
    /// A picture.
    public static let image = UIAccessibilityTraits(rawValue: 4)
    /// The chosen one.
    public static let selected = UIAccessibilityTraits(rawValue: 8)
    /// Something that begins a sound.
    public static let playsSound = UIAccessibilityTraits(rawValue: 16)
    /// A key of a keyboard.
    public static let keyboardKey = UIAccessibilityTraits(rawValue: 32)
    /// A text that does not change.
    public static let staticText = UIAccessibilityTraits(rawValue: 64)
    /// The summary of what is shown.
    public static let summaryElement = UIAccessibilityTraits(rawValue: 128)
    /// Something that takes nothing now.
    public static let notEnabled = UIAccessibilityTraits(rawValue: 256)
    /// Something that often changes.
    public static let updatesFrequently = UIAccessibilityTraits(rawValue: 512)
    /// A field for what is looked for.
    public static let searchField = UIAccessibilityTraits(rawValue: 1024)
    /// Something that begins a session with media.
    public static let startsMediaSession = UIAccessibilityTraits(rawValue: 2048)
    /// A value that can be made larger and smaller.
    public static let adjustable = UIAccessibilityTraits(rawValue: 4096)
    /// Something that is worked by touch itself.
    public static let allowsDirectInteraction = UIAccessibilityTraits(rawValue: 8192)
    /// Something that turns a page.
    public static let causesPageTurn = UIAccessibilityTraits(rawValue: 16384)
    /// A heading.
    public static let header = UIAccessibilityTraits(rawValue: 65536)
}
