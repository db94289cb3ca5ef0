// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog
import Locking

// Apple imports the results and selectors as implicitly unwrapped, and code says `perform(x).takeUnretainedValue()`.
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
extension NSObjectProtocol {
    /// True if the object has a function of that name.
    ///
    /// Names are those of functions that are marked with `@objc` or `@IBAction`, or that some `#selector` names. No
    /// class can override this function here.
    public func responds(to aSelector: Selector!) -> Bool {
        guard let aSelector = aSelector as Selector? else { return false }
        return ObjectiveCNames.responds(self, to: aSelector)
    }

    /// Calls a function by its name, without arguments.
    ///
    /// A name that the object does not have is named in the log, where Apple's raises an exception. The result is kept
    /// alive until the main queue's next turn when the caller runs on it, else until the eighth call after this one on
    /// its thread. It is nil for a function without one, and for one of the main actor that is called off the main
    /// thread: that one runs there, later.
    @discardableResult
    public func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! {
        call(aSelector, [])
    }

    /// The same with an argument.
    @discardableResult
    public func perform(_ aSelector: Selector!, with object: Any!) -> Unmanaged<AnyObject>! {
        call(aSelector, [object])
    }

    /// The same with two arguments.
    @discardableResult
    public func perform(_ aSelector: Selector!, with object1: Any!, with object2: Any!) -> Unmanaged<AnyObject>! {
        call(aSelector, [object1, object2])
    }

    private func call(_ selector: Selector?, _ arguments: [Any?]) -> Unmanaged<AnyObject>? {
        guard let selector else { return nil }
        switch ObjectiveCNames.send(selector, to: self, arguments) {
        case .done(let result?): return unsafe ResultPool.keep(result as AnyObject)
        case .unknownName:
            HostLog.warnOnce("\(type(of: self)) has no function \"\(selector)\": nothing was called")
            return nil
        case .done(nil), .wrongType, .later: return nil
        }
    }
}

/// The results of calls by name, which nobody has taken yet.
private enum ResultPool {
    /// The results that a thread without the main queue keeps.
    private static let limit = 8
    private static let key = "nestbox.results-of-selectors"

    private final class Results {
        var objects: [AnyObject] = []
    }

    static func keep(_ object: AnyObject) -> Unmanaged<AnyObject> {
        if MainThread.isCurrent {
            // SAFETY: the object is not used on the way, only released.
            nonisolated(unsafe) let kept = object
            DispatchQueue.main.async { unsafe withExtendedLifetime(kept) {} }
        } else {
            let dictionary = Thread.current.threadDictionary
            let results = dictionary[key] as? Results ?? Results()
            results.objects = results.objects.suffix(limit - 1) + [object]
            dictionary[key] = results
        }
        return unsafe Unmanaged.passUnretained(object)
    }
}
