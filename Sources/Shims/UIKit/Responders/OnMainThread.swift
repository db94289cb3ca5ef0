// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import FoundationCompatibility
import HostLog

/// A stored property of UIKit that is changed on the main thread alone.
///
/// A value that code sets on another thread is set with a later turn of the main queue, behind what is there already,
/// and the log names the property once. Nobody waits: a wait would hold for ever where the main thread waits for the
/// other one, by a semaphore or `DispatchQueue.sync`. Until then the property has its old value on every thread.
///
/// The setter that is called then is the most derived one. Computed properties and methods that change something have
/// `onMain(_:_:)` for the same.
@propertyWrapper public struct _OnMainThread<Value> {
    private var value: Value

    /// The first value.
    public init(wrappedValue: Value) {
        value = wrappedValue
    }

    /// The value; the object that has the property is needed for it.
    @available(*, unavailable, message: "a property of a class has it")
    public var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    /// The value of an object's property.
    public static subscript<Owner: NSObject>(
        _enclosingInstance owner: Owner,
        wrapped path: ReferenceWritableKeyPath<Owner, Value>,
        storage storage: ReferenceWritableKeyPath<Owner, _OnMainThread>
    ) -> Value {
        get { owner[keyPath: storage].value }
        set {
            guard !MainThread.isCurrent else { return owner[keyPath: storage].value = newValue }
            // The path of what is stored ends in the name, which has an underscore there.
            let name = "\(storage)".split(separator: ".").last.map { $0.drop { $0 == "_" } } ?? ""
            // SAFETY: both go to the main thread; that they are used on two is what the author wrote.
            nonisolated(unsafe) let (owner, path, value) = (owner, path, newValue)
            MainThreadMove(of: type(of: owner), String(name)).make { owner[keyPath: path] = value }
        }
    }
}

extension NSObject {
    /// True on the main thread; on another the change is made there with a later turn, and the log names it once.
    ///
    /// The first statement of what changes an object: `guard onMain(self.frame = newValue) else { return }`.
    /// A change without a name is one that nobody misses for a turn, and is not told.
    @MainActor func onMain(
        _ change: @autoclosure @escaping @MainActor () -> Void,
        _ name: String? = #function
    ) -> Bool {
        guard !MainThread.isCurrent else { return true }
        MainThreadMove(of: type(of: self), name).make(change)
        return false
    }

    /// The same for a function of a class.
    @MainActor static func onMain(
        _ change: @autoclosure @escaping @MainActor () -> Void,
        _ name: String? = #function
    ) -> Bool {
        guard !MainThread.isCurrent else { return true }
        MainThreadMove(of: self, name).make(change)
        return false
    }
}

/// A change that another thread wants of an object.
private struct MainThreadMove {
    private let words: String?

    init(of type: NSObject.Type, _ name: String?) {
        words = name.map { "\(type).\($0)" }
    }

    /// Makes the change with a later turn of the main queue.
    func make(_ change: @escaping @MainActor () -> Void) {
        if let words {
            HostLog.warnOnce("\(words) is changed off the main thread: it changes with a later turn of the main queue")
        }
        DispatchQueue.main.async { MainActor.assumeIsolated(change) }
    }
}
