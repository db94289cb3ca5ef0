// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoundationCompatibility
import SceneModel

/// A view that a person works, and that tells its targets of it.
///
/// The page tells what was done to the node of a control. These events follow, in their order; those joined by "and"
/// are told as one, so that an action of both is called once. "changed" is valueChanged and primaryActionTriggered.
///
/// | node      | control                                 | events                                                |
/// |-----------|-----------------------------------------|-------------------------------------------------------|
/// | `press`   | all                                     | touchDown                                             |
/// | `tap`     | buttons, controls drawn by their views  | touchUpInside and primaryActionTriggered              |
/// | `tap`     | dots of pages                           | changed, touchUpInside                                |
/// | `value`   | switches, steppers, segments            | changed, touchUpInside                                |
/// | `value`   | dates                                   | changed                                               |
/// | `value`   | sliders                                 | changed, unless it is pressed and not continuous      |
/// | `release` | sliders                                 | changed, if a value waits; touchUpInside              |
/// | `focus`   | fields                                  | editingDidBegin                                       |
/// | `value`   | fields                                  | editingChanged                                        |
/// | `submit`  | fields                                  | editingDidEndOnExit and primaryActionTriggered        |
/// | `blur`    | fields                                  | editingDidEnd                                         |
///
/// A `tap` without a press, of a keyboard, tells touchDown first, and so does a `value` of a slider, which tells
/// touchUpInside last. Another `value` without one tells no touchUpInside. The page does not say where a finger went
/// up, so touchUpOutside, touchCancel and the drags are never told.
/// A value that code sets is drawn and told to nobody; it reaches the page while a finger is on the control as at any
/// other time, and the page shows it once the finger is lifted.
/// Source: Apple, "UIControl" and "UIControl.Event"; PROTOCOL.md, "Events of a view".
@preconcurrency @MainActor open class UIControl: UIView {
    private var actions = ControlActions()
    /// True from a press until the tap or value that it leads to.
    private(set) var isPressed = false

    /// A control at a place in the view that it will be in.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// A control that calls an action when a person works it.
    ///
    /// A subclass of an extension has it as well, if that has the other two.
    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        if let primaryAction { takePrimary(primaryAction) }
    }

    /// Takes the action that the control was made with.
    func takePrimary(_ action: UIAction) { addAction(action, for: .primaryActionTriggered) }

    /// A control of a storyboard.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    // MARK: State

    /// False for a control that takes nothing, and is drawn so.
    @_OnMainThread open var isEnabled = true { didSet { if isEnabled != oldValue { stateChanged() } } }
    /// True for one that is chosen; a subclass says what that means.
    @_OnMainThread open var isSelected = false { didSet { if isSelected != oldValue { stateChanged() } } }
    /// True while it is pressed.
    @_OnMainThread open var isHighlighted = false { didSet { if isHighlighted != oldValue { stateChanged() } } }
    /// All of the above.
    open var state: State {
        var state = State.normal
        if isHighlighted { state.insert(.highlighted) }
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        return state
    }

    /// True while a finger is on the control.
    open private(set) var isTracking = false
    /// True while a finger is on the control.
    open var isTouchInside: Bool { isTracking }

    /// The place of the content between top and bottom; the page has it in the middle.
    @_OnMainThread open var contentVerticalAlignment = ContentVerticalAlignment.center {
        didSet { noteAlignment(contentVerticalAlignment != .center) }
    }
    /// The place of the content between the sides; the page has it in the middle.
    @_OnMainThread open var contentHorizontalAlignment = ContentHorizontalAlignment.center {
        didSet { noteAlignment(contentHorizontalAlignment != .center) }
    }
    /// The place of the content between the sides, without the direction of the language.
    open var effectiveContentHorizontalAlignment: ContentHorizontalAlignment {
        let isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
        return switch contentHorizontalAlignment {
        case .leading: isMirrored ? .right : .left
        case .trailing: isMirrored ? .left : .right
        case .left, .right, .center, .fill: contentHorizontalAlignment
        }
    }

    private func noteAlignment(_ isSpecial: Bool) {
        // Storyboards set it for controls where it never meant anything.
        guard isSpecial, self is UIButton else { return }
        Absent.note("the content alignment of a button", "the page draws title and picture in the middle")
    }

    /// Takes in that the control looks otherwise.
    func stateChanged() { changed() }

    // MARK: Targets

    /// Has an action of a target called at events; `nil` means the first responder of the chain that has it.
    open func addTarget(_ target: Any?, action: Selector, for controlEvents: Event) {
        guard onMain(self.addTarget(target, action: action, for: controlEvents)) else { return }
        actions.add(TargetAction(target.map { $0 as AnyObject }, action), for: controlEvents)
        changed()
    }

    /// Takes actions away from events: those of a target and a name, or all where there is none.
    open func removeTarget(_ target: Any?, action: Selector?, for controlEvents: Event) {
        guard onMain(self.removeTarget(target, action: action, for: controlEvents)) else { return }
        actions.remove(target.map { $0 as AnyObject }, action, for: controlEvents)
        changed()
    }

    /// Has an action called at events, in the place of one with the same identifier.
    open func addAction(_ action: UIAction, for controlEvents: Event) {
        guard onMain(self.addAction(action, for: controlEvents)) else { return }
        actions.add(action, for: controlEvents)
        changed()
    }

    /// Takes an action away from events.
    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        removeAction(identifiedBy: action.identifier, for: controlEvents)
    }

    /// Takes the action of an identifier away from events.
    open func removeAction(identifiedBy actionIdentifier: UIAction.Identifier, for controlEvents: Event) {
        guard onMain(self.removeAction(identifiedBy: actionIdentifier, for: controlEvents)) else { return }
        actions.remove(actionIdentifier, for: controlEvents)
        changed()
    }

    /// The objects whose actions are called; `NSNull` stands for the chain of responders.
    open var allTargets: Set<AnyHashable> { actions.targets }
    /// The events at which something is called.
    open var allControlEvents: Event { actions.events }

    /// The names of a target's actions for an event; `nil` if there are none.
    open func actions(forTarget target: Any?, forControlEvent controlEvent: Event) -> [String]? {
        let names = actions.names(of: target.map { $0 as AnyObject }, for: controlEvent)
        return names.isEmpty ? nil : names
    }

    /// Calls a function for each action, with its events, until that says to stop.
    open func enumerateEventHandlers(
        _ iterator: (
            _ action: UIAction?, _ targetAction: (Any?, Selector)?, _ event: Event, _ stop: inout Bool
        ) -> Void
    ) {
        var isDone = false
        for entry in actions.entries where !isDone {
            switch entry.handler {
            case .target(let target): iterator(nil, (target.targetObject, target.action), entry.events, &isDone)
            case .action(let action): iterator(action, nil, entry.events, &isDone)
            }
        }
    }

    /// Calls the actions of events, in the order in which they were added, each once.
    open func sendActions(for controlEvents: Event) {
        guard onMain(self.sendActions(for: controlEvents)) else { return }
        for handler in actions.handlers(for: controlEvents) {
            switch handler {
            case .target(let target) where !target.isGone:
                sendAction(target.action, to: target.targetObject, for: UIEvent())
            case .target: break
            case .action(let action): sendAction(action)
            }
        }
    }

    /// Calls an action of a target with the control as its sender.
    ///
    /// `nil` means the chain of the first responder, and that of the control where nothing in it has the action.
    open func sendAction(_ action: Selector, to target: Any?, for event: UIEvent?) {
        guard onMain(self.sendAction(action, to: target, for: event)) else { return }
        let first = UIResponder.first.flatMap { $0.target(forAction: action, withSender: self) == nil ? nil : $0 }
        TargetAction(target.map { $0 as AnyObject }, action).call(from: self, first ?? self, event: event)
    }

    /// Calls an action with the control as its sender.
    open func sendAction(_ action: UIAction) {
        guard onMain(self.sendAction(action)) else { return }
        action.perform(from: self)
    }

    /// Calls the actions that a person's click calls.
    open func performPrimaryAction() { sendActions(for: .primaryActionTriggered) }

    // MARK: Touches

    /// A finger went down; never called, because the page tells whole touches.
    open func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { true }
    /// A finger moved; never called, because the page tells whole touches.
    open func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { true }
    /// A finger went up; never called, because the page tells whole touches.
    open func endTracking(_ touch: UITouch?, with event: UIEvent?) {}
    /// The system took the touch away; never called, because the page tells whole touches.
    open func cancelTracking(with event: UIEvent?) {}

    /// True if a click shows a menu; nothing shows one here.
    @_OnMainThread open var showsMenuAsPrimaryAction = false {
        didSet { if showsMenuAsPrimaryAction { noteMenu() } }
    }
    /// True if a long press shows a menu; nothing shows one here.
    open var isContextMenuInteractionEnabled = false
    /// The words that a pointer over the control shows; the page shows none.
    open var toolTip: String?

    func noteMenu() {
        Absent.note("a menu of a control", "a click calls the actions of the control, and no menu is shown")
    }

    // MARK: Events

    override var isTappable: Bool {
        isEnabled && !actions.events.intersection([.touchDown, .touchUpInside, .primaryActionTriggered]).isEmpty
    }

    override func take(_ event: NodeEvent) {
        switch event {
        case .press where isActive: press()
        case .release: release()
        case .tap(let place) where isActive:
            if !isPressed { press() }
            release()
            isPressed = false
            tapped(at: place)
        case .value(let value) where isActive:
            take(value)
            if isPressed, !isTracking {
                isPressed = false
                sendActions(for: .touchUpInside)
            }
        case .focus where isActive: focused()
        case .submit where isActive: submitted()
        case .blur: blurred()
        default: break
        }
    }

    private func press() {
        (isPressed, isTracking, isHighlighted) = (true, true, true)
        sendActions(for: .touchDown)
    }

    private func release() {
        guard isTracking else { return }
        (isTracking, isHighlighted) = (false, false)
        released()
    }

    /// True if neither the control nor a view around it refuses what a person does.
    var isActive: Bool {
        guard isEnabled else { return false }
        var next: UIView? = self
        while let view = next {
            guard view.isUserInteractionEnabled, !view.isHidden else { return false }
            next = view.superview
        }
        return true
    }

    /// Takes a click, whose press and release are told already.
    func tapped(at place: ScenePoint?) { sendActions(for: [.touchUpInside, .primaryActionTriggered]) }

    /// Takes the value that a person gave.
    func take(_ value: SceneValue) {}

    /// Takes the end of a press.
    func released() {}

    /// Takes that a field has the keyboard.
    func focused() {}

    /// Takes that a field has it no more.
    func blurred() {}

    /// Takes the return key.
    func submitted() {}

    /// Ends the press for a control whose touch ends with the finger, or that tells no end.
    func endPress(isTold: Bool) {
        isPressed = false
        if isTold, isEnabled { sendActions(for: .touchUpInside) }
    }

    /// True if the node of the control takes nothing.
    func isDead(in drawing: SceneDrawing) -> Bool { drawing.isDead || !isEnabled }

    /// The tint that the control or a view around it was given; `nil` means the page's accent.
    var givenTint: UIColor? {
        var next: UIView? = self
        while let view = next {
            if let tint = view.options.tint { return tint }
            next = view.superview
        }
        return nil
    }

    /// Tells of a new value that a person gave.
    func sendValueChanged() { sendActions(for: [.valueChanged, .primaryActionTriggered]) }
}
