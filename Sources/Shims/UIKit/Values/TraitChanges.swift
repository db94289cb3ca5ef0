// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoundationCompatibility

/// An object that is shown in a place and hears of its changes.
///
/// Source: Apple, "UITraitEnvironment".
@preconcurrency @MainActor public protocol UITraitEnvironment: NSObjectProtocol {
    /// The place.
    var traitCollection: UITraitCollection { get }
    /// Called when a trait of the place has changed.
    func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?)
}

/// A registration for changes of traits, by which it can be ended.
@preconcurrency @MainActor public protocol UITraitChangeRegistration: NSObjectProtocol {}

/// A function that is called when traits have changed: with whatever had it registered, and the traits before.
public typealias UITraitChangeHandler<TraitEnvironment> =
    @MainActor (
        _ traitEnvironment: TraitEnvironment, _ previousTraitCollection: UITraitCollection
    ) -> Void

/// A registration and what it is for.
@MainActor final class TraitWatch: NSObject, UITraitChangeRegistration {
    private let traits: [UITrait]
    private let call: (_ previous: UITraitCollection) -> Void

    init(_ traits: [UITrait], _ call: @escaping (UITraitCollection) -> Void) {
        (self.traits, self.call) = (traits, call)
    }

    /// Calls the function if one of its traits is another one now.
    func take(from before: UITraitCollection, to now: UITraitCollection) {
        guard traits.contains(where: { ($0 as? any KnownTrait.Type)?.differs(before, now) ?? false }) else { return }
        call(before)
    }
}

/// An object that can have functions called at changes of traits: views and controllers.
///
/// Source: Apple, "UITraitChangeObservable".
@preconcurrency @MainActor public protocol UITraitChangeObservable: UITraitEnvironment {
    /// Ends a registration; one that is not of this object stays.
    func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration)
}

extension UITraitChangeObservable {
    /// Has a function called with this object when one of the traits has changed.
    @discardableResult
    public func registerForTraitChanges(
        _ traits: [UITrait],
        handler: @escaping UITraitChangeHandler<Self>
    ) -> any UITraitChangeRegistration {
        let watch = TraitWatch(traits) { [weak self] before in if let self { handler(self, before) } }
        (self as? any TraitWatching)?.traitWatches.append(watch)
        return watch
    }

    /// The same for a function that names its parameter's type, as `Self` in a class.
    @_disfavoredOverload
    @discardableResult
    public func registerForTraitChanges<TraitEnvironment: UITraitEnvironment>(
        _ traits: [UITrait],
        handler: @escaping UITraitChangeHandler<TraitEnvironment>
    ) -> any UITraitChangeRegistration {
        let watch = TraitWatch(traits) { [weak self] before in
            if let environment = self as? TraitEnvironment { handler(environment, before) }
        }
        (self as? any TraitWatching)?.traitWatches.append(watch)
        return watch
    }

    /// Has an action of a target called when one of the traits has changed; the target is not kept alive.
    @discardableResult
    public func registerForTraitChanges(
        _ traits: [UITrait],
        target: Any,
        action: Selector
    ) -> any UITraitChangeRegistration {
        let target = target as AnyObject
        let watch = TraitWatch(traits) { [weak self, weak target] before in
            _ = (target as? NSObject)?.perform(action, with: self, with: before)
        }
        (self as? any TraitWatching)?.traitWatches.append(watch)
        return watch
    }

    /// Has an action of this object called when one of the traits has changed.
    @discardableResult
    public func registerForTraitChanges(_ traits: [UITrait], action: Selector) -> any UITraitChangeRegistration {
        registerForTraitChanges(traits, target: self, action: action)
    }
}

/// An object that keeps its registrations.
@MainActor private protocol TraitWatching: AnyObject {
    var traitWatches: [TraitWatch] { get set }
}

extension UIView: UITraitChangeObservable, TraitWatching {
    fileprivate var traitWatches: [TraitWatch] {
        get { options.traitWatches }
        set { options.traitWatches = newValue }
    }

    /// Ends a registration; one that is not of this view stays.
    public func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration) {
        traitWatches.removeAll { $0 === registration }
    }
}

extension UIViewController: UITraitChangeObservable, TraitWatching {
    /// Ends a registration; one that is not of this controller stays.
    public func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration) {
        traitWatches.removeAll { $0 === registration }
    }

    /// Calls a function for the controller and the children of it, each before its own.
    fileprivate func tell(_ call: (UIViewController) -> Void) {
        call(self)
        for child in children { child.tell(call) }
    }
}

extension UIWindow {
    /// Tells controllers and views that traits are others than before, once the surroundings have changed.
    func traitsChanged(from before: UITraitCollection) {
        let now = UITraitCollection.surrounding
        if before.textSize != now.textSize { tell { $0.adaptFonts(from: before, to: now) } }
        rootViewController?.tell { controller in
            controller.traitCollectionDidChange(before)
            for watch in controller.traitWatches { watch.take(from: before, to: now) }
        }
        tell { view in
            view.traitCollectionDidChange(before)
            for watch in view.traitWatches { watch.take(from: before, to: now) }
            view.invalidateIntrinsicContentSize()
            view.setNeedsLayout()
        }
    }
}
