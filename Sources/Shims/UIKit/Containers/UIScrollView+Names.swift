// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension UIScrollView {
    /// The look of the bars.
    public enum IndicatorStyle: Int, Sendable {
        /// A look that fits the content.
        case `default`
        /// Black.
        case black
        /// White.
        case white
    }

    /// The way in which scrolling takes the keyboard away.
    public enum KeyboardDismissMode: Int, Sendable {
        /// The keyboard stays.
        case none
        /// With the beginning of scrolling.
        case onDrag
        /// With the finger.
        case interactive
        /// With the beginning of scrolling, and the view above the keyboard.
        case onDragWithAccessory
        /// With the finger, and the view above the keyboard.
        case interactiveWithAccessory
    }

    /// The way in which the safe area becomes room around the content.
    public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        /// The controller decides.
        case automatic
        /// The directions in which the view can be scrolled.
        case scrollableAxes
        /// No direction.
        case never
        /// All directions.
        case always
    }

    /// The speed at which scrolling comes to rest.
    public struct DecelerationRate: Hashable, RawRepresentable, Sendable {
        /// Apple's number or word, unknown ones included.
        public let rawValue: CGFloat

        /// Takes any value.
        public init(rawValue: CGFloat) {
            self.rawValue = rawValue
        }

        /// The usual speed.
        public static let normal = DecelerationRate(rawValue: 0.998)
        /// A higher speed.
        public static let fast = DecelerationRate(rawValue: 0.99)
    }
}

/// An object that is told of a scroll view.
///
/// The page scrolls by itself: `scrollViewDidScroll(_:)` and `scrollViewDidEndScrollingAnimation(_:)` follow when code
/// sets the offset, and nothing else is called. Source: Apple, "UIScrollViewDelegate".
@preconcurrency @MainActor public protocol UIScrollViewDelegate: NSObjectProtocol {
    /// Called when code has set another offset.
    func scrollViewDidScroll(_ scrollView: UIScrollView)
    /// Called when code has set another offset with an animation.
    func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView)
    /// This is never called.
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView)
    /// This is never called.
    func scrollViewWillEndDragging(
        _ scrollView: UIScrollView,
        withVelocity velocity: CGPoint,
        targetContentOffset: UnsafeMutablePointer<CGPoint>
    )
    /// This is never called.
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool)
    /// This is never called.
    func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView)
    /// This is never called.
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView)
    /// This is never asked.
    func scrollViewShouldScrollToTop(_ scrollView: UIScrollView) -> Bool
    /// This is never called.
    func scrollViewDidScrollToTop(_ scrollView: UIScrollView)
    /// This is never asked.
    func viewForZooming(in scrollView: UIScrollView) -> UIView?
    /// This is never called.
    func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?)
    /// This is never called.
    func scrollViewDidZoom(_ scrollView: UIScrollView)
    /// This is never called.
    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat)
    /// This is never called: the safe area is always the whole view.
    func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView)
}

extension UIScrollViewDelegate {
    /// Does nothing.
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewWillEndDragging(
        _ scrollView: UIScrollView,
        withVelocity velocity: CGPoint,
        targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) {}
    /// Does nothing.
    public func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {}
    /// Does nothing.
    public func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {}
    /// Lets it scroll.
    public func scrollViewShouldScrollToTop(_ scrollView: UIScrollView) -> Bool { true }
    /// Does nothing.
    public func scrollViewDidScrollToTop(_ scrollView: UIScrollView) {}
    /// Names no view.
    public func viewForZooming(in scrollView: UIScrollView) -> UIView? { nil }
    /// Does nothing.
    public func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?) {}
    /// Does nothing.
    public func scrollViewDidZoom(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {}
    /// Does nothing.
    public func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView) {}
}
