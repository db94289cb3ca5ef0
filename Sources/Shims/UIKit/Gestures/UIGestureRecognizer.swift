// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoundationCompatibility
import SceneModel

/// An observer of a kind of touch on a view, which calls its targets.
///
/// The page tells of clicks and of presses of half a second; no other kind of touch is heard.
/// Source: Apple, "UIGestureRecognizer".
@preconcurrency @MainActor open class UIGestureRecognizer: NSObject {
    /// The state of a touch.
    public enum State: Int, Sendable {
        case possible, began, changed, ended, cancelled, failed
        /// The end of a touch that has no states between.
        public static let recognized = State.ended
    }

    private var targets: [TargetAction] = []
    private var place = CGPoint.zero

    /// An observer that calls an action of a target.
    public init(target: Any?, action: Selector?) {
        super.init()
        if let target, let action { addTarget(target, action: action) }
    }

    /// An observer without a target.
    public convenience override init() {
        self.init(target: nil, action: nil)
    }

    /// An observer of a storyboard.
    public convenience init?(coder: NSCoder) {
        self.init(target: nil, action: nil)
    }

    /// The view that it is on.
    open internal(set) weak var view: UIView?
    /// The state of the touch that is told.
    open internal(set) var state = State.possible
    /// False for one that hears nothing.
    @_OnMainThread open var isEnabled = true { didSet { view?.changed() } }
    /// The object that is asked whether it may begin.
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    /// This has no effect: the page tells of whole touches.
    open var cancelsTouchesInView = true
    /// This has no effect: the page tells of whole touches.
    open var delaysTouchesBegan = false
    /// This has no effect: the page tells of whole touches.
    open var delaysTouchesEnded = true
    /// A name for the log.
    open var name: String?
    /// The number of fingers: one.
    open var numberOfTouches: Int { 1 }

    /// Adds an action that is called.
    open func addTarget(_ target: Any, action: Selector) {
        guard onMain(self.addTarget(target, action: action)) else { return }
        targets.append(TargetAction(target as AnyObject, action))
    }

    /// Takes actions away: those of a target and a name, or all where there is none.
    open func removeTarget(_ target: Any?, action: Selector?) {
        guard onMain(self.removeTarget(target, action: action)) else { return }
        targets.removeAll { $0.isMeant(by: target.map { $0 as AnyObject }, action) }
    }

    /// The place of the touch in a view.
    open func location(in view: UIView?) -> CGPoint { self.view?.convert(place, to: view) ?? place }

    /// The place of a finger in a view; there is one finger.
    open func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint { location(in: view) }

    /// This has no effect: no two recognizers are heard at one touch.
    open func require(toFail otherGestureRecognizer: UIGestureRecognizer) {}

    /// The event that it hears; `nil` means that it is never called.
    var heard: NodeEvent.Name? { nil }

    /// Takes an event of the view: tells the targets of each of the states.
    func take(_ event: NodeEvent, of view: UIView) {
        switch event {
        case .tap(let point), .longPress(let point):
            place = point.map { CGPoint(x: $0.x, y: $0.y) } ?? CGPoint(x: view.bounds.midX, y: view.bounds.midY)
        default: break
        }
        guard delegate?.gestureRecognizerShouldBegin(self) ?? true else { return }
        for state in states {
            self.state = state
            for target in targets { target.call(from: self, view) }
        }
        state = .possible
    }

    /// The states that a touch goes through.
    var states: [State] { [.ended] }
}

/// An object that decides about recognizers.
@preconcurrency @MainActor public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
    /// True for a recognizer that may begin; the default is true.
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
    /// True for a touch that a recognizer gets; never asked.
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool
    /// True for two that are heard at once; never asked.
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool
}

extension UIGestureRecognizerDelegate {
    /// True.
    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }

    /// True.
    public func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        true
    }

    /// False.
    public func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { false }
}

extension UIView {
    /// Adds a recognizer to the view; it leaves the one that it was on.
    public func addGestureRecognizer(_ recognizer: UIGestureRecognizer) {
        guard onMain(self.addGestureRecognizer(recognizer)), recognizer.view !== self else { return }
        gestureRecognizers = (gestureRecognizers ?? []) + [recognizer]
    }

    /// Takes a recognizer from the view.
    public func removeGestureRecognizer(_ recognizer: UIGestureRecognizer) {
        guard onMain(self.removeGestureRecognizer(recognizer)), recognizer.view === self else { return }
        gestureRecognizers?.removeAll { $0 === recognizer }
    }

    /// Lets go of recognizers that the view had, and takes new ones from the views that they were on.
    func takeRecognizers(from before: [UIGestureRecognizer]?) {
        guard MainThread.isCurrent else { return }
        let now = gestureRecognizers ?? []
        for recognizer in before ?? [] where !now.contains(where: { $0 === recognizer }) {
            if recognizer.view === self { recognizer.view = nil }
        }
        for recognizer in now where recognizer.view !== self {
            recognizer.view?.removeGestureRecognizer(recognizer)
            recognizer.view = self
        }
        changed()
    }
}
