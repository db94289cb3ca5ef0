// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The part of its life that a controller's view is in.
struct ViewAppearance {
    /// The steps of that life; the callback of each is called right behind it.
    enum State {
        case gone, coming, arriving, there, going
    }

    var state = State.gone
    /// True if the present way is one that moves.
    var isAnimated = false
    /// True from `addChild(_:)` until the view has appeared.
    var isMovingToParent = false
    /// True from `willMove(toParent: nil)` until the view has disappeared.
    var isMovingFromParent = false
    /// True while a transition says when the view has appeared.
    var isHeld = false

    /// True for a view that is shown, or will be in a moment.
    var isShown: Bool { state == .coming || state == .arriving || state == .there }
}

// A controller is told before what is within its view that it comes or goes, and after that that it has come or gone.
extension UIViewController {
    /// The view is shown from now on: calls what is called before and behind its first layout.
    package func appear() {
        beginAppearing(false)
        settle()
        view.layoutIfNeeded()
        endAppearing()
    }

    /// The view is shown no more.
    package func disappear() {
        beginDisappearing(false)
        endDisappearing()
    }

    func beginAppearing(_ animated: Bool) {
        guard !appearance.isShown else { return }
        loadViewIfNeeded()
        (appearance.state, appearance.isAnimated) = (.coming, animated)
        viewWillAppear(animated)
        forward { $0.beginAppearing(animated) }
    }

    /// Tells that the view is in its place.
    private func settle() {
        guard appearance.state == .coming else { return }
        appearance.state = .arriving
        viewIsAppearing(appearance.isAnimated)
        forward { $0.settle() }
    }

    func endAppearing() {
        settle()
        guard appearance.state == .arriving else { return }
        // A controller whose view comes from here on is told at its coming, since the loop below may not meet it.
        appearance.state = .there
        forward { if !$0.appearance.isHeld { $0.endAppearing() } }
        viewDidAppear(appearance.isAnimated)
        appearance.isMovingToParent = false
    }

    func beginDisappearing(_ animated: Bool) {
        guard appearance.isShown else { return }
        (appearance.state, appearance.isAnimated) = (.going, animated)
        viewWillDisappear(animated)
        forward { $0.beginDisappearing(animated) }
    }

    func endDisappearing() {
        guard appearance.state == .going else { return }
        appearance.state = .gone
        forward { $0.endDisappearing() }
        viewDidDisappear(appearance.isAnimated)
        appearance.isMovingFromParent = false
    }

    /// Calls for the controllers whose views are in this one's, unless this one tells them itself.
    private func forward(_ call: (UIViewController) -> Void) {
        guard shouldAutomaticallyForwardAppearanceMethods else { return }
        for controller in viewIfLoaded?.subviews.flatMap(\.outerControllers) ?? [] { call(controller) }
    }

    /// Shows one child in the place of another over a time, and says at its end that it is over.
    ///
    /// Children of which the first is in no view, or which are one, stay as they are.
    func exchange(
        _ old: UIViewController,
        _ new: UIViewController,
        _ duration: TimeInterval,
        _ options: UIView.AnimationOptions,
        _ animations: (() -> Void)?,
        _ completion: ((Bool) -> Void)?
    ) {
        let block = MotionBlock(seconds: duration, delay: 0, curve: options.curve)
        guard let place = old.viewIfLoaded?.superview, old !== new else {
            return Stage.current.animate(block, options, animations ?? {}, completion, isLasting: true)
        }
        new.appearance.isHeld = true
        old.beginDisappearing(duration > 0)
        if appearance.isShown { new.beginAppearing(duration > 0) }
        place.addSubview(new.view)
        let end = { (isFinished: Bool) in
            old.viewIfLoaded?.removeFromSuperview()
            new.appearance.isHeld = false
            new.endAppearing()
            completion?(isFinished)
        }
        Stage.current.animate(block, options, animations ?? {}, end, isLasting: true)
    }
}

// What a view that comes into a window, or leaves it, means for the controllers of the views in it.
extension UIView {
    /// The controllers whose views are this one or in it, without those whose views are in that of another of them.
    fileprivate var outerControllers: [UIViewController] {
        controller.map { [$0] } ?? subviews.flatMap(\.outerControllers)
    }

    /// The nearest controller around what is in the view.
    private var nearestController: UIViewController? {
        var view: UIView? = self
        while let current = view {
            if let controller = current.controller { return controller }
            view = current.superview
        }
        return nil
    }

    /// Tells that the view is about to come into another window, or into none, with what is in it.
    ///
    /// `place` is the view that it comes into or leaves.
    func tellOfMove(to window: UIWindow?, at place: UIView) {
        for controller in outerControllers {
            let host = controller.parent ?? place.nearestController
            guard host?.shouldAutomaticallyForwardAppearanceMethods ?? true else { continue }
            if window == nil {
                controller.beginDisappearing(false)
            } else if host?.appearance.isShown == true {
                controller.beginAppearing(false)
            }
        }
        tell { $0.willMove(toWindow: window) }
    }

    /// Tells that the view has come into the window of `place`, or has left it.
    func tellOfArrival(at place: UIView) {
        let isGone = window == nil
        tell { $0.didMoveToWindow() }
        for controller in outerControllers {
            let host = controller.parent ?? place.nearestController
            guard host?.shouldAutomaticallyForwardAppearanceMethods ?? true else { continue }
            if isGone {
                controller.endDisappearing()
            } else if host?.appearance.state == .there, !controller.appearance.isHeld {
                controller.endAppearing()
            }
        }
    }
}
