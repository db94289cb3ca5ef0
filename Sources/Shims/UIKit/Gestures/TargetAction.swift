// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility

/// An action that is called on a target, which is not kept alive by it.
@MainActor struct TargetAction {
    private weak var target: AnyObject?
    private let hasTarget: Bool
    let action: Selector

    /// A target of `nil` means the first responder of the chain that has the action.
    init(_ target: AnyObject?, _ action: Selector) {
        self.target = target
        hasTarget = target != nil
        self.action = action
    }

    /// True if it is one of a target, where one is said, and of a name, where one is said.
    func isMeant(by target: AnyObject?, _ action: Selector?) -> Bool {
        (target == nil || target === self.target) && (action == nil || action == self.action)
    }

    /// True for the same target and action.
    func isSame(as other: TargetAction) -> Bool {
        hasTarget == other.hasTarget && target === other.target && action == other.action
    }

    /// The target, for a list of all.
    var targetObject: AnyObject? { target }

    /// True for one whose target is no more.
    var isGone: Bool { hasTarget && target == nil }

    /// Calls the action with its sender, and with the event where the action has two parameters.
    ///
    /// `responder` begins the chain in which an action without a target is looked for.
    func call(from sender: NSObject, _ responder: UIResponder?, event: UIEvent? = nil) {
        let found = hasTarget ? target : responder?.target(forAction: action, withSender: sender) as AnyObject?
        guard let object = found as? NSObject else { return }
        _ = object.perform(action, with: sender, with: event)
    }
}
