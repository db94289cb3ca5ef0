// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An object whose size and traits follow those of the place in which it is shown.
///
/// Source: Apple, "UIContentContainer".
@preconcurrency @MainActor public protocol UIContentContainer: NSObjectProtocol {
    /// The size that the content wants.
    var preferredContentSize: CGSize { get }
    /// Called when a child wants another size.
    func preferredContentSizeDidChange(forChildContentContainer container: any UIContentContainer)
    /// Called when a child has another size by its constraints.
    func systemLayoutFittingSizeDidChange(forChildContentContainer container: any UIContentContainer)
    /// The size that a child will have in a size of this one.
    func size(
        forChildContentContainer container: any UIContentContainer,
        withParentContainerSize parentSize: CGSize
    ) -> CGSize
    /// Called before the size changes.
    func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator)
    /// Called before traits change.
    func willTransition(
        to newCollection: UITraitCollection,
        with coordinator: any UIViewControllerTransitionCoordinator
    )
}

/// The facts of a change of the place.
///
/// Source: Apple, "UIViewControllerTransitionCoordinatorContext".
@preconcurrency @MainActor public protocol UIViewControllerTransitionCoordinatorContext: NSObjectProtocol {
    /// True if the change takes time; a box changes at once.
    var isAnimated: Bool { get }
    /// True if a finger moves the change along.
    var isInteractive: Bool { get }
    /// True if a finger began the change.
    var initiallyInteractive: Bool { get }
    /// True if the change was broken off.
    var isCancelled: Bool { get }
    /// The seconds that the change takes.
    var transitionDuration: TimeInterval { get }
    /// The part of the change that a finger has made, 0 to 1.
    var percentComplete: CGFloat { get }
    /// The speed at which a finger left.
    var completionVelocity: CGFloat { get }
    /// The course of the change.
    var completionCurve: UIView.AnimationCurve { get }
    /// The view in which it happens.
    var containerView: UIView { get }
    /// The turn of the device; none.
    var targetTransform: CGAffineTransform { get }
}

/// The course of a change of the place.
///
/// Source: Apple, "UIViewControllerTransitionCoordinator".
@preconcurrency @MainActor
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
    /// Runs what moves along with the change, and then what follows it; false if nothing moves along any more.
    @discardableResult
    func animate(
        alongsideTransition animation: (@MainActor (any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: (@MainActor (any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool

    /// The same for what moves in another view.
    @discardableResult
    func animateAlongsideTransition(
        in view: UIView?,
        animation: (@MainActor (any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: (@MainActor (any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool

    /// Calls a function when a finger lets the change go; none holds it.
    func notifyWhenInteractionChanges(
        _ handler: @escaping @MainActor (any UIViewControllerTransitionCoordinatorContext) -> Void
    )
}

extension UIViewControllerTransitionCoordinator {
    /// Runs what moves along with the change.
    @discardableResult
    public func animate(
        alongsideTransition animation: (@MainActor (any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        animate(alongsideTransition: animation, completion: nil)
    }
}
