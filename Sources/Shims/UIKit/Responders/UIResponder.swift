// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoundationCompatibility

/// An object in the chain along which events and actions go.
///
/// Touches are not told one by one here: the page tells of taps, presses and values, so that the `touches` methods are
/// there to be overridden and never called.
/// Source: Apple, "UIResponder".
@preconcurrency @MainActor open class UIResponder: NSObject {
    /// The responder that has the keyboard, or whose input views are shown.
    private(set) static weak var first: UIResponder?

    public override init() {
        super.init()
    }

    /// The next object to ask.
    open var next: UIResponder? { nil }

    /// True for a responder that may become the first one.
    open var canBecomeFirstResponder: Bool { false }
    /// True for one that lets another become the first one.
    open var canResignFirstResponder: Bool { true }
    /// True while this is the first responder.
    open var isFirstResponder: Bool { Self.first === self }

    /// Becomes the first responder; false if it may not, or if the present one stays.
    ///
    /// The keyboard stays where the person has it; the input views of a responder are shown below the box.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard onMain(_ = self.becomeFirstResponder()), canBecomeFirstResponder else { return false }
        if let first = Self.first {
            guard first !== self else { return true }
            guard first.resignFirstResponder() else { return false }
        }
        Self.first = self
        firstResponderChanged()
        return true
    }

    /// Stops being the first responder; false if it does not.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard onMain(_ = self.resignFirstResponder()) else { return false }
        guard Self.first === self else { return true }
        guard canResignFirstResponder || Self.isForced else { return false }
        Self.first = nil
        firstResponderChanged()
        return true
    }

    /// True while `endEditing(true)` ends what a responder would not end by itself.
    private(set) static var isForced = false

    /// Stops being the first responder, whatever the responder or its delegate says.
    func forceResign() -> Bool {
        Self.isForced = true
        defer { Self.isForced = false }
        return resignFirstResponder()
    }

    /// Draws anew what depends on the first responder.
    private func firstResponderChanged() {
        chain.lazy.compactMap { $0 as? UIView }.first?.window?.inputViewsChanged()
    }

    /// The responder and those that are asked after it, 256 at most: an author's chain may be a circle.
    var chain: [UIResponder] { Array(sequence(first: self) { $0.next }.prefix(256)) }

    /// The view in the place of a keyboard.
    open var inputView: UIView? { nil }
    /// The view that stands above a keyboard.
    open var inputAccessoryView: UIView? { nil }

    /// Shows the input views anew.
    open func reloadInputViews() {
        guard onMain(self.reloadInputViews(), nil) else { return }
        firstResponderChanged()
    }

    /// The nearest responder that has the action.
    open func target(forAction action: Selector, withSender sender: Any?) -> Any? {
        chain.first { $0.canPerformAction(action, withSender: sender) }
    }

    /// True if the responder has a method of the action's name.
    open func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool { responds(to: action) }

    /// A finger went down; never called.
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}
    /// A finger moved; never called.
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}
    /// A finger went up; never called.
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}
    /// The system took the touch away; never called.
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {}
}

/// A finger on the screen; there is none here.
@preconcurrency @MainActor open class UITouch: NSObject {
    /// The place in a view.
    open func location(in view: UIView?) -> CGPoint { .zero }
    /// The view that it began in.
    open var view: UIView? { nil }
}

/// An event of the page; it says nothing besides the action that it leads to.
@preconcurrency @MainActor open class UIEvent: NSObject {
    /// The touches of the event; none.
    open var allTouches: Set<UITouch>? { nil }
}
