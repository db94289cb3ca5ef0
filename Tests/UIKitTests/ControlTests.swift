// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import SceneModel
import Testing

@testable import UIKit

@MainActor @Suite struct ControlTests {
    let listener = Listener()

    @Test("Events and states have Apple's numbers")
    func numbers() {
        let events: [UIControl.Event] = [
            .touchDown, .touchDownRepeat, .touchDragInside, .touchDragOutside, .touchDragEnter, .touchDragExit,
            .touchUpInside, .touchUpOutside, .touchCancel, .valueChanged, .primaryActionTriggered,
            .menuActionTriggered, .editingDidBegin, .editingChanged, .editingDidEnd, .editingDidEndOnExit,
            .allTouchEvents, .allEditingEvents, .applicationReserved, .systemReserved, .allEvents,
        ]
        #expect(
            events.map(\.rawValue) == [
                1, 2, 4, 8, 16, 32, 64, 128, 256, 4096, 8192, 16384, 65536, 131_072, 262_144, 524_288, 4095, 983_040,
                0x0F00_0000, 0xF000_0000, 0xFFFF_FFFF,
            ]
        )
        let states: [UIControl.State] = [
            .normal, .highlighted, .disabled, .selected, .focused, .application, .reserved,
        ]
        #expect(states.map(\.rawValue) == [0, 1, 2, 4, 8, 0x00FF_0000, 0xFF00_0000])
    }

    @Test("A control's state is made of what it is")
    func state() {
        let control = UIControl()
        #expect(control.state == .normal)
        (control.isEnabled, control.isSelected, control.isHighlighted) = (false, true, true)
        #expect(control.state == [.disabled, .selected, .highlighted])
    }

    @Test("Actions are called in the order in which they were added, each once, with the control as sender")
    func order() {
        let control = UIControl()
        control.addTarget(listener, action: "up:", for: [.touchUpInside, .primaryActionTriggered])
        control.addAction(UIAction { [listener] _ in listener.act?(nil) }, for: .touchUpInside)
        control.addTarget(listener, action: "down:", for: .touchUpInside)
        var others = 0
        listener.act = { if $0 == nil { others += 1 } }
        control.sendActions(for: [.touchUpInside, .primaryActionTriggered])
        #expect(listener.calls == ["up:", "down:"])
        #expect(listener.senders.allSatisfy { $0 === control })
        #expect(others == 1)
        control.sendActions(for: .valueChanged)
        #expect(listener.calls.count == 2)
    }

    @Test("An action of no parameter and one of two are called as well")
    func parameters() {
        let control = UIControl()
        control.addTarget(listener, action: "plain", for: .touchUpInside)
        control.addTarget(listener, action: "sender:event:", for: .touchUpInside)
        control.sendActions(for: .touchUpInside)
        #expect(listener.calls == ["plain", "sender:UIEvent:"])
    }

    @Test("The same target and action twice is one, with the events of both")
    func twice() {
        let control = UIControl()
        control.addTarget(listener, action: "up:", for: .touchUpInside)
        control.addTarget(listener, action: "up:", for: [.touchUpInside, .touchDown])
        control.sendActions(for: .touchUpInside)
        control.sendActions(for: .touchDown)
        #expect(listener.calls == ["up:", "up:"])
        #expect(control.allControlEvents == [.touchDown, .touchUpInside])
        #expect(control.actions(forTarget: listener, forControlEvent: .touchDown) == ["up:"])
        #expect(control.actions(forTarget: listener, forControlEvent: .valueChanged) == nil)
        #expect(control.actions(forTarget: NSObject(), forControlEvent: .touchDown) == nil)
        #expect(control.allTargets == [AnyHashable(listener)])
    }

    @Test("Actions are taken away by target, by name, by event, and all at once")
    func removal() {
        let (control, other) = (UIControl(), Listener())
        for target in [listener, other] {
            control.addTarget(target, action: "up:", for: [.touchUpInside, .touchDown])
            control.addTarget(target, action: "changed:", for: .valueChanged)
        }
        control.removeTarget(listener, action: "up:", for: .touchUpInside)
        control.sendActions(for: .touchUpInside)
        #expect((listener.taken(), other.taken()) == ([], ["up:"]))
        control.sendActions(for: .touchDown)
        #expect((listener.taken(), other.taken()) == (["up:"], ["up:"]))
        control.removeTarget(other, action: nil, for: .allEvents)
        #expect(control.allTargets == [AnyHashable(listener)])
        control.removeTarget(nil, action: nil, for: .allEvents)
        #expect(control.allTargets.isEmpty)
        #expect(control.allControlEvents == [])
    }

    @Test("A target is not kept alive, and is called no more when it is gone")
    func life() {
        let control = UIControl()
        weak var gone: Listener?
        do {
            let target = Listener()
            gone = target
            control.addTarget(target, action: "up:", for: .touchUpInside)
        }
        #expect(gone == nil)
        control.sendActions(for: .touchUpInside)
        #expect(control.allTargets.isEmpty)
    }

    @Test("Without a target the first responder of the chain that has the action is called")
    func chain() {
        final class Outer: UIView {
            var count = 0
        }
        ObjectiveCNames.register("outer:", of: Outer.self) { view, _ in
            view.count += 1
            return nil
        }
        let (outer, control) = (Outer(), UIControl())
        outer.addSubview(control)
        control.addTarget(nil, action: "outer:", for: .touchUpInside)
        control.addTarget(nil, action: "nobody:", for: .touchUpInside)
        control.sendActions(for: .touchUpInside)
        #expect(outer.count == 1)
        #expect(control.allTargets.map { $0 is NSNull } == [true])
        #expect(control.actions(forTarget: nil, forControlEvent: .touchUpInside) == ["outer:", "nobody:"])
    }

    @Test("Without a target the chain of the first responder comes first")
    func firstResponder() {
        final class Holder: UIView {
            var count = 0
            override var canBecomeFirstResponder: Bool { true }
        }
        ObjectiveCNames.register("held:", of: Holder.self) { view, _ in
            view.count += 1
            return nil
        }
        let (first, own, control) = (Holder(), Holder(), UIControl())
        own.addSubview(control)
        control.addTarget(nil, action: "held:", for: .touchUpInside)
        #expect(first.becomeFirstResponder())
        control.sendActions(for: .touchUpInside)
        first.resignFirstResponder()
        control.sendActions(for: .touchUpInside)
        #expect((first.count, own.count) == (1, 1))
    }

    @Test("An overridden sendAction sees each action")
    func override() {
        final class Watched: UIControl {
            var seen: [Selector] = []
            override func sendAction(_ action: Selector, to target: Any?, for event: UIEvent?) {
                seen.append(action)
            }
        }
        let control = Watched()
        control.addTarget(listener, action: "up:", for: .touchUpInside)
        control.sendActions(for: .touchUpInside)
        #expect(control.seen == ["up:"])
        #expect(listener.calls.isEmpty)
    }

    @Test("An action replaces another one of its identifier, and is given the control while it is called")
    func actions() {
        let control = UIControl()
        var heard: [String] = []
        let name = UIAction.Identifier("one")
        control.addAction(UIAction(identifier: name) { _ in heard.append("first") }, for: [.touchDown, .touchUpInside])
        let second = UIAction(title: "Second", identifier: name) { action in
            heard.append(action.sender as? UIControl === control ? "second" : "stranger")
        }
        control.addAction(second, for: .touchUpInside)
        control.sendActions(for: .touchUpInside)
        control.sendActions(for: .touchDown)
        #expect(heard == ["second", "first"])
        #expect(second.sender == nil)
        second.attributes = .disabled
        control.sendActions(for: .touchUpInside)
        #expect(heard.count == 2)
        control.removeAction(identifiedBy: name, for: .allEvents)
        #expect(control.allControlEvents == [])
    }

    @Test("Handlers are told one after the other until one is enough")
    func handlers() {
        let control = UIControl(frame: .zero, primaryAction: UIAction(title: "A") { _ in })
        control.addTarget(listener, action: "up:", for: .touchUpInside)
        var told: [String] = []
        control.enumerateEventHandlers { action, target, events, _ in
            told.append("\(action?.title ?? "") \(target?.1.description ?? "") \(events.rawValue)")
        }
        #expect(told == ["A  8192", " up: 64"])
        told = []
        control.enumerateEventHandlers { _, _, _, stop in
            told.append("")
            stop = true
        }
        #expect(told.count == 1)
    }

    @Test("A control that is drawn by its subviews takes clicks once it has an action for them")
    func tappable() throws {
        let control = UIControl(frame: CGRect(x: 0, y: 0, width: 50, height: 40))
        let shown = ShownView(control)
        #expect(try !shown.drawn().isTappable)
        listener.hear(control)
        let node = try shown.drawn()
        #expect(node == SceneNode(id: node.id, up: 1, .view, frame: SceneFrame(0, 0, 50, 40), isTappable: true))
        try shown.hear(.tap(at: nil))
        #expect(listener.taken() == ["down:", "up:", "primary:"])
        control.isEnabled = false
        #expect(try !shown.drawn().isTappable)
    }

    @Test("What is disabled, hidden or below a view without events takes nothing")
    func dead() throws {
        let control = UIControl(frame: CGRect(x: 0, y: 0, width: 50, height: 40))
        listener.hear(control)
        let shown = ShownView(control)
        _ = try shown.drawn()
        control.isEnabled = false
        try shown.hearLate(.tap(at: nil))
        control.isEnabled = true
        shown.root.isUserInteractionEnabled = false
        try shown.hearLate(.tap(at: nil))
        shown.root.isUserInteractionEnabled = true
        control.isHidden = true
        try shown.hearLate(.tap(at: nil))
        #expect(listener.calls.isEmpty)
    }

    @Test("A control is highlighted from the press to the release, and tells the page's events in Apple's order")
    func press() throws {
        let button = UIButton(type: .system)
        listener.hear(button)
        let shown = ShownView(button)
        try shown.hear(.press)
        #expect((button.isHighlighted, button.isTracking, button.isTouchInside) == (true, true, true))
        try shown.hear(.release)
        #expect((button.isHighlighted, button.isTracking) == (false, false))
        try shown.hear(.tap(at: nil))
        #expect(listener.taken() == ["down:", "up:", "primary:"])
        // A key presses and releases nothing.
        try shown.hear(.tap(at: nil))
        #expect(listener.taken() == ["down:", "up:", "primary:"])
        #expect(!button.isHighlighted)
    }

    @Test("A release ends the highlight of a control that was disabled meanwhile")
    func releasedLate() throws {
        let button = UIButton(type: .system)
        listener.hear(button)
        let shown = ShownView(button)
        try shown.hear(.press)
        button.isEnabled = false
        try shown.hear(.release)
        #expect(!button.isHighlighted)
        #expect(listener.calls == ["down:"])
    }

    @Test("A menu keeps its lines and is shown by nobody")
    func menus() {
        let action = UIAction(title: "Line", attributes: .destructive, state: .on) { _ in }
        let menu = UIMenu(title: "Menu", options: .displayInline, children: [action])
        let other = menu.replacingChildren([])
        #expect((menu.children, other.children) == ([action], []))
        #expect((other.title, other.identifier, other.options) == ("Menu", menu.identifier, .displayInline))
        let said = lines(startingWith: "a menu of a control") { UIButton(type: .system).menu = menu }
        #expect(said.count <= 1)
    }
}
