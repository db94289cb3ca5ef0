// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility

/// The actions of a control with the events at which they are called.
@MainActor struct ControlActions {
    enum Handler {
        case target(TargetAction)
        case action(UIAction)
    }

    struct Entry {
        let handler: Handler
        var events: UIControl.Event
    }

    /// Actions in the order in which they were added; none is without events.
    private(set) var entries: [Entry] = []

    /// Adds events to an action of a target.
    mutating func add(_ target: TargetAction, for events: UIControl.Event) {
        let known = entries.firstIndex { entry in
            if case .target(let other) = entry.handler { other.isSame(as: target) } else { false }
        }
        add(.target(target), at: known, for: events)
    }

    /// Adds events to an action, which replaces another one of its identifier at them.
    mutating func add(_ action: UIAction, for events: UIControl.Event) {
        let known = entries.firstIndex { entry in
            if case .action(let other) = entry.handler { other === action } else { false }
        }
        if known == nil { remove(action.identifier, for: events) }
        add(.action(action), at: known, for: events)
    }

    private mutating func add(_ handler: Handler, at index: Int?, for events: UIControl.Event) {
        guard !events.isEmpty else { return }
        if let index {
            entries[index].events.formUnion(events)
        } else {
            entries.append(Entry(handler: handler, events: events))
        }
    }

    /// Takes events from the actions of a target, or of any, and of a name, or of any.
    mutating func remove(_ target: AnyObject?, _ action: Selector?, for events: UIControl.Event) {
        remove(events) { handler in
            if case .target(let known) = handler { known.isMeant(by: target, action) } else { false }
        }
    }

    /// Takes events from the action of an identifier.
    mutating func remove(_ identifier: UIAction.Identifier, for events: UIControl.Event) {
        remove(events) { handler in
            if case .action(let known) = handler { known.identifier == identifier } else { false }
        }
    }

    private mutating func remove(_ events: UIControl.Event, where isMeant: (Handler) -> Bool) {
        for index in entries.indices where isMeant(entries[index].handler) { entries[index].events.subtract(events) }
        entries.removeAll { $0.events.isEmpty }
    }

    /// The actions that are called at one of the events.
    func handlers(for events: UIControl.Event) -> [Handler] {
        entries.filter { !$0.events.isDisjoint(with: events) }.map(\.handler)
    }

    /// All events at which something is called.
    var events: UIControl.Event { entries.reduce(into: []) { $0.formUnion($1.events) } }

    /// The targets that are alive, and `NSNull` for the chain of responders.
    var targets: Set<AnyHashable> {
        let targets = entries.compactMap { entry -> TargetAction? in
            guard case .target(let target) = entry.handler, !target.isGone else { return nil }
            return target
        }
        let objects = targets.compactMap { $0.targetObject as? NSObject }.map { AnyHashable($0) }
        let chain = targets.contains { $0.targetObject == nil } ? [AnyHashable(NSNull())] : []
        return Set(objects + chain)
    }

    /// The names of a target's actions that are called at an event; `nil` is the chain of responders.
    func names(of target: AnyObject?, for event: UIControl.Event) -> [String] {
        entries.compactMap { entry in
            guard case .target(let known) = entry.handler, !known.isGone, known.targetObject === target,
                !entry.events.isDisjoint(with: event)
            else { return nil }
            return NSStringFromSelector(known.action)
        }
    }
}
