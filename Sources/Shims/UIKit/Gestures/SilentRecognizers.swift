// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoundationCompatibility

// Recognizers of touches that the page does not tell: they can be made and added, and call nobody. The log names each
// once.

extension UIGestureRecognizer {
    fileprivate func noteSilence(of name: String) {
        Absent.note(name, "its targets are never called, because the page tells clicks and long presses alone")
    }
}

/// An observer of quick ways in one direction; it never calls its targets.
///
/// Source: Apple, "UISwipeGestureRecognizer".
@preconcurrency @MainActor open class UISwipeGestureRecognizer: UIGestureRecognizer {
    /// Directions of a finger.
    public struct Direction: OptionSet, Sendable {
        /// The value as Apple numbers it.
        public let rawValue: UInt

        /// Takes a value as Apple numbers it.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// To the right.
        public static let right = Direction(rawValue: 1)
        /// To the left.
        public static let left = Direction(rawValue: 2)
        /// Up.
        public static let up = Direction(rawValue: 4)
        /// Down.
        public static let down = Direction(rawValue: 8)
    }

    /// The directions.
    open var direction = Direction.right
    /// The number of fingers.
    open var numberOfTouchesRequired = 1

    /// An observer that will call nobody.
    public override init(target: Any?, action: Selector?) {
        super.init(target: target, action: action)
        noteSilence(of: "UISwipeGestureRecognizer")
    }
}

/// An observer of ways of a finger; it never calls its targets.
///
/// Source: Apple, "UIPanGestureRecognizer".
@preconcurrency @MainActor open class UIPanGestureRecognizer: UIGestureRecognizer {
    /// The least number of fingers.
    open var minimumNumberOfTouches = 1
    /// The greatest number of fingers.
    open var maximumNumberOfTouches = Int.max

    /// An observer that will call nobody.
    public override init(target: Any?, action: Selector?) {
        super.init(target: target, action: action)
        noteSilence(of: "UIPanGestureRecognizer")
    }

    /// The way so far: none.
    open func translation(in view: UIView?) -> CGPoint { .zero }
    /// Sets the way so far; without effect.
    open func setTranslation(_ translation: CGPoint, in view: UIView?) {}
    /// The speed of the finger: none.
    open func velocity(in view: UIView?) -> CGPoint { .zero }
}

/// An observer of ways from an edge of the screen; it never calls its targets.
///
/// Source: Apple, "UIScreenEdgePanGestureRecognizer".
@preconcurrency @MainActor open class UIScreenEdgePanGestureRecognizer: UIPanGestureRecognizer {
    /// The edges.
    open var edges: UIRectEdge = []

    /// An observer that will call nobody.
    public override init(target: Any?, action: Selector?) {
        super.init(target: target, action: action)
        noteSilence(of: "UIScreenEdgePanGestureRecognizer")
    }
}

/// An observer of two fingers that come nearer; it never calls its targets.
///
/// Source: Apple, "UIPinchGestureRecognizer".
@preconcurrency @MainActor open class UIPinchGestureRecognizer: UIGestureRecognizer {
    /// The distance of the fingers as a multiple of that at the beginning.
    open var scale: CGFloat = 1
    /// The speed of the scale: none.
    open var velocity: CGFloat { 0 }

    /// An observer that will call nobody.
    public override init(target: Any?, action: Selector?) {
        super.init(target: target, action: action)
        noteSilence(of: "UIPinchGestureRecognizer")
    }
}

/// An observer of two fingers that turn; it never calls its targets.
///
/// Source: Apple, "UIRotationGestureRecognizer".
@preconcurrency @MainActor open class UIRotationGestureRecognizer: UIGestureRecognizer {
    /// The angle since the beginning, in radians.
    open var rotation: CGFloat = 0
    /// The speed of the angle: none.
    open var velocity: CGFloat { 0 }

    /// An observer that will call nobody.
    public override init(target: Any?, action: Selector?) {
        super.init(target: target, action: action)
        noteSilence(of: "UIRotationGestureRecognizer")
    }
}

/// An observer of a pointer over a view; it never calls its targets.
///
/// Source: Apple, "UIHoverGestureRecognizer".
@preconcurrency @MainActor open class UIHoverGestureRecognizer: UIGestureRecognizer {
    /// The distance of a pencil from the screen: none.
    open var zOffset: CGFloat { 0 }

    /// An observer that will call nobody.
    public override init(target: Any?, action: Selector?) {
        super.init(target: target, action: action)
        noteSilence(of: "UIHoverGestureRecognizer")
    }
}
