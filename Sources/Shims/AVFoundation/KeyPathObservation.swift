// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The wishes of an observer of a property.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// The value by which Apple knows it.
    public let rawValue: UInt

    /// Takes the value by which Apple knows it.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The value after a change.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The value before a change; it is not kept here.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// A call at once.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// A call before a change; there is none here.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// A change of a property.
public struct NSKeyValueObservedChange<Value> {
    /// The value after the change, if it was asked for.
    public let newValue: Value?
    /// Always `nil`: values before a change are not kept.
    public let oldValue: Value?
    /// False: there are no calls before a change.
    public let isPrior: Bool
}

/// The observer of a property, which ends with its object or when it is let go of.
///
/// Foundation has none without Objective-C; this one observes players and their items, of which the documentation says
/// which properties are told.
@preconcurrency @MainActor public final class NSKeyValueObservation: NSObject {
    private var end: (@MainActor () -> Void)?

    init(end: @escaping @MainActor () -> Void) {
        self.end = end
        super.init()
    }

    isolated deinit {
        end?()
    }

    /// Ends the observation.
    public func invalidate() {
        end?()
        end = nil
    }
}

/// The observers of an object.
@MainActor final class KeyPathObservers {
    private struct Observer {
        let id: UInt64
        let keyPath: AnyKeyPath
        let call: () -> Void
    }

    private var observers: [Observer] = []
    private var lastID: UInt64 = 0

    func add(_ keyPath: AnyKeyPath, _ call: @escaping () -> Void) -> NSKeyValueObservation {
        lastID += 1
        let id = lastID
        observers.append(Observer(id: id, keyPath: keyPath, call: call))
        return NSKeyValueObservation { [weak self] in self?.observers.removeAll { $0.id == id } }
    }

    /// Tells the observers of a property that it has changed.
    func tell(_ keyPath: AnyKeyPath) {
        for observer in observers where observer.keyPath == keyPath { observer.call() }
    }
}

/// An object whose properties can be observed by their key paths.
@preconcurrency @MainActor public protocol _KeyPathObservable: NSObject {
    /// Calls a function for each change of a property.
    @_spi(AVFoundation) func _observe(_ keyPath: AnyKeyPath, _ call: @escaping () -> Void) -> NSKeyValueObservation
}

extension _KeyPathObservable {
    /// Calls a function when a property has changed; one that is never told is never called.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>,
        options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let call = { [weak self] in
            guard let self else { return }
            let new = options.contains(.new) ? self[keyPath: keyPath] : nil
            changeHandler(self, NSKeyValueObservedChange(newValue: new, oldValue: nil, isPrior: false))
        }
        if options.contains(.initial) { call() }
        return _observe(keyPath, call)
    }
}
