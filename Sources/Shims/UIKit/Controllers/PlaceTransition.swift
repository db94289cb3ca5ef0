// SPDX-License-Identifier: Apache-2.0

import Foundation
package import SceneModel

/// A change of the box or its surroundings, which happens at once.
@MainActor private final class PlaceTransition: NSObject, UIViewControllerTransitionCoordinator {
    typealias Step = @MainActor (any UIViewControllerTransitionCoordinatorContext) -> Void

    private let window: UIWindow
    private var alongside: [Step] = []
    private var completions: [Step] = []
    private var isOver = false

    init(_ window: UIWindow) {
        self.window = window
    }

    let isAnimated = false
    let isInteractive = false
    let initiallyInteractive = false
    let isCancelled = false
    let transitionDuration: TimeInterval = 0
    let percentComplete: CGFloat = 0
    let completionVelocity: CGFloat = 1
    let completionCurve = UIView.AnimationCurve.easeInOut
    var containerView: UIView { window }
    let targetTransform = CGAffineTransform.identity

    @discardableResult
    func animate(alongsideTransition animation: Step?, completion: Step?) -> Bool {
        guard !isOver else { return false }
        if let animation { alongside.append(animation) }
        if let completion { completions.append(completion) }
        return true
    }

    @discardableResult
    func animateAlongsideTransition(in view: UIView?, animation: Step?, completion: Step?) -> Bool {
        animate(alongsideTransition: animation, completion: completion)
    }

    func notifyWhenInteractionChanges(_ handler: @escaping Step) {}

    /// Runs what waits, for a window that has its new size.
    func run() {
        isOver = true
        // A step may keep the transition, which keeps none of them.
        let (alongside, completions) = (alongside, completions)
        (self.alongside, self.completions) = ([], [])
        for step in alongside { step(self) }
        if !alongside.isEmpty || !completions.isEmpty { window.layoutIfNeeded() }
        for step in completions { step(self) }
    }
}

extension UIWindow {
    /// Gives the box another size, of which its controller hears before, if it is shown.
    package func resize(to size: CGSize) {
        guard size != bounds.size else { return }
        let transition = PlaceTransition(self)
        shownController?.viewWillTransition(to: size, with: transition)
        frame.size = size
        transition.run()
    }

    /// Shows the box in another place, of which its controller hears before and views and controllers afterwards.
    ///
    /// Traits are told only where one has changed, a size only where the width has.
    package func move(to environment: ViewEnvironment) {
        let (before, after) = (UITraitCollection.surrounding, UITraitCollection(environment: environment))
        let size = CGSize(width: CGFloat(environment.width), height: bounds.height)
        let transition = PlaceTransition(self)
        if before != after { shownController?.willTransition(to: after, with: transition) }
        if size != bounds.size { shownController?.viewWillTransition(to: size, with: transition) }
        Surroundings.environment = environment
        if before != after { traitsChanged(from: before) }
        frame.size = size
        transition.run()
        sceneChanged()
    }

    private var shownController: UIViewController? {
        rootViewController.flatMap { $0.appearance.isShown ? $0 : nil }
    }
}
