// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog
import Locking

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
extension NSObject {
    /// Calls a function by its name on the main queue, after a delay in seconds.
    ///
    /// Apple's waits in the run loop of the caller's thread; here all such calls come from the main queue. The object
    /// and the argument are kept alive until then.
    public func perform(_ aSelector: Selector, with anArgument: Any?, afterDelay delay: TimeInterval) {
        DelayedCalls.add(aSelector, of: self, anArgument, after: delay)
    }

    /// Takes back the delayed calls of a target that have not begun.
    public class func cancelPreviousPerformRequests(withTarget aTarget: Any) {
        DelayedCalls.cancel(aTarget as AnyObject) { _ in true }
    }

    /// Takes back those of one name and with an equal argument.
    public class func cancelPreviousPerformRequests(
        withTarget aTarget: Any,
        selector aSelector: Selector,
        object anArgument: Any?
    ) {
        let argument = anArgument.map { $0 as AnyObject }
        DelayedCalls.cancel(aTarget as AnyObject) { call in
            guard call.selector == aSelector else { return false }
            guard let argument, let other = call.argument.map({ $0 as AnyObject }) else {
                return argument == nil && call.argument == nil
            }
            return argument === other || (argument as? NSObject).map { $0.isEqual(other) } == true
        }
    }
}

/// The calls by name that wait for their time.
private enum DelayedCalls {
    // SAFETY: the target and argument are used on the main queue alone once the call is made.
    @safe final class Call: @unchecked Sendable {
        let selector: Selector
        let target: NSObject
        let argument: Any?

        init(_ selector: Selector, of target: NSObject, _ argument: Any?) {
            (self.selector, self.target, self.argument) = (selector, target, argument)
        }

        func run() {
            target.perform(selector, with: argument)
        }
    }

    private static let waiting = Locked<[ObjectIdentifier: [Call]]>([:])

    static func add(_ selector: Selector, of target: NSObject, _ argument: Any?, after delay: TimeInterval) {
        let call = Call(selector, of: target, argument)
        waiting.withLock { $0[ObjectIdentifier(target), default: []].append(call) }
        DispatchQueue.main.asyncAfter(deadline: .now() + max(0, delay)) {
            if remove(call) { call.run() }
        }
    }

    /// False if the call has been taken back.
    private static func remove(_ call: Call) -> Bool {
        waiting.withLock { waiting in
            let key = ObjectIdentifier(call.target)
            guard let place = waiting[key]?.firstIndex(where: { $0 === call }) else { return false }
            waiting[key]?.remove(at: place)
            if waiting[key]?.isEmpty == true { waiting[key] = nil }
            return true
        }
    }

    static func cancel(_ target: AnyObject, where matches: (Call) -> Bool) {
        let key = ObjectIdentifier(target)
        // An argument's own `isEqual` is asked outside the lock.
        let taken = waiting.withLock { $0[key] ?? [] }.filter(matches)
        for call in taken { _ = remove(call) }
    }
}
