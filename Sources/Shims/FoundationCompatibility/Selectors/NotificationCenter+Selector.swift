// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog
import Locking

extension NotificationCenter {
    /// Calls a function of the observer by its name for each notification, with the notification as its argument.
    ///
    /// The function runs on the thread that posts; one of the main actor that is posted to from elsewhere runs on the
    /// main queue, later. Neither the observer nor `anObject` is kept alive, and an observer that is gone counts as
    /// removed. A nil name or object stands for all.
    /// Source: Apple, "addObserver(_:selector:name:object:)".
    public func addObserver(
        _ observer: Any,
        selector aSelector: Selector,
        name aName: NSNotification.Name?,
        object anObject: Any?
    ) {
        let observation = Observation(of: observer as AnyObject, aSelector, aName, anObject.map { $0 as AnyObject })
        observation.token = addObserver(forName: aName, object: nil, queue: nil) { [weak observation] notification in
            observation?.receive(notification)
        }
        observation.center = self
        Observations.add(observation)
    }

    /// Removes an observer, whether it is called by name or has a block.
    public func removeObserver(_ observer: AnyObject) {
        removeObserver(observer, name: nil, object: nil)
    }

    /// Removes an observer for one name, of one object; nil stands for all.
    public func removeObserver(_ observer: AnyObject, name aName: NSNotification.Name?, object anObject: Any?) {
        Observations.remove(observer, from: self, aName, anObject.map { $0 as AnyObject })
        // Foundation's own, which knows the observers with blocks.
        removeObserver(observer as Any, name: aName, object: anObject)
    }
}

/// A name that an observer waits for.
// SAFETY: `token` and `center` are set before another thread can know the observation; references that are weak may be
// read from any thread.
@safe private final class Observation: @unchecked Sendable {
    private weak var observer: AnyObject?
    private let selector: Selector
    private let name: NSNotification.Name?
    private let hasObject: Bool
    private weak var object: AnyObject?
    var token: (any NSObjectProtocol)?
    weak var center: NotificationCenter?

    init(of observer: AnyObject, _ selector: Selector, _ name: NSNotification.Name?, _ object: AnyObject?) {
        (self.observer, self.selector, self.name) = (observer, selector, name)
        hasObject = object != nil
        self.object = object
    }

    var isOver: Bool { observer == nil || center == nil || hasObject && object == nil }

    func receive(_ notification: Notification) {
        guard let observer else { return Observations.removeThoseThatAreOver() }
        guard !hasObject || object != nil && object === notification.object.map({ $0 as AnyObject }) else { return }
        if case .unknownName = ObjectiveCNames.send(selector, to: observer, [notification]) {
            HostLog.warnOnce("\(type(of: observer)) has no function \"\(selector)\" for notifications")
        }
    }

    func isMeant(
        by observer: AnyObject,
        _ center: NotificationCenter,
        _ name: NSNotification.Name?,
        _ object: AnyObject?
    )
        -> Bool
    {
        self.observer === observer && self.center === center && (name == nil || name == self.name)
            && (object == nil || object === self.object)
    }

    func end() {
        if let token { center?.removeObserver(token as Any) }
        token = nil
    }
}

/// The observations of all centres.
private enum Observations {
    private struct State {
        var observations: [Observation] = []
        /// The number at which those that are over are looked for.
        var limit = 16
    }

    private static let state = Locked(State())

    static func add(_ observation: Observation) {
        let isFull = state.withLock { state in
            state.observations.append(observation)
            return state.observations.count > state.limit
        }
        if isFull { removeThoseThatAreOver() }
    }

    static func removeThoseThatAreOver() {
        remove { $0.isOver }
        state.withLock { $0.limit = max(16, 2 * $0.observations.count) }
    }

    static func remove(
        _ observer: AnyObject,
        from center: NotificationCenter,
        _ name: NSNotification.Name?,
        _ object: AnyObject?
    ) {
        remove { $0.isMeant(by: observer, center, name, object) }
    }

    private static func remove(where isMeant: (Observation) -> Bool) {
        // Asked outside the lock: what is asked may hold the last reference to an observer, whose deinit comes here
        // again.
        let removed = state.withLock { $0.observations }.filter(isMeant)
        let gone = Set(removed.map(ObjectIdentifier.init))
        state.withLock { $0.observations.removeAll { gone.contains(ObjectIdentifier($0)) } }
        // The centre has a lock of its own.
        for observation in removed { observation.end() }
    }
}
