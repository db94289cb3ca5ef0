// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import Locking

/// Finds functions and outlets by their names, as Objective-C would at run time.
///
/// `extension-host build` adds to each source the calls of `register` that tell it, one table a class. A class has the
/// names of its superclasses too. Any thread may ask.
public enum ObjectiveCNames {
    /// The end of a call by name.
    public enum Outcome {
        /// The function ran; its result, or nil where it has none.
        case done(Any?)
        /// The name belongs to neither the object's class nor a superclass.
        case unknownName
        /// The function did not run because a value is of another type than its own; the text says which.
        case wrongType(String)
        /// The function belongs to the main actor, and the caller ran elsewhere: it runs on the main queue, later.
        case later
    }

    struct Entry: Sendable {
        let isOnMainActor: Bool
        let call: Call

        // SAFETY: a function of the main actor is called there alone, and any other one may be called anywhere.
        @safe struct Call: @unchecked Sendable {
            let body: (AnyObject, Arguments) throws -> Any?
        }
    }

    private struct Table {
        var functions: [String: Entry] = [:]
        var outlets: [String: Entry] = [:]
    }

    private static let tables = Locked<[ObjectIdentifier: Table]>([:])

    static func add(_ entry: Entry, _ name: String, to type: AnyClass, isOutlet: Bool) {
        tables.withLock { tables in
            if isOutlet {
                tables[ObjectIdentifier(type), default: Table()].outlets[name] = entry
            } else {
                tables[ObjectIdentifier(type), default: Table()].functions[name] = entry
            }
        }
    }

    private static func entry(_ name: String, of type: AnyClass, isOutlet: Bool) -> Entry? {
        tables.withLock { tables in
            var next: AnyClass? = type
            while let type = next {
                let table = tables[ObjectIdentifier(type)]
                if let entry = isOutlet ? table?.outlets[name] : table?.functions[name] { return entry }
                next = _getSuperclass(type)
            }
            return nil
        }
    }

    /// True when the object's class, or a superclass, has a function of that name.
    public static func responds(_ target: AnyObject, to selector: Selector) -> Bool {
        entry(selector.description, of: type(of: target), isOutlet: false) != nil
    }

    /// Calls the function of that name with as many of the arguments as it has parameters.
    ///
    /// A missing argument counts as nil. A function of the main actor that is called off the main thread runs there
    /// later: its result is lost, and that is named in the log once. An argument of a wrong type is named there too.
    @discardableResult
    public static func send(_ selector: Selector, to target: AnyObject, _ arguments: [Any?] = []) -> Outcome {
        guard let entry = entry(selector.description, of: type(of: target), isOutlet: false) else {
            return .unknownName
        }
        return run(entry, "selector \"\(selector)\"", of: target, Arguments(values: arguments))
    }

    /// Sets the outlet or inspectable property of that name.
    ///
    /// A value of a wrong type, nil for an outlet that cannot be nil, and a name that nothing has leave everything as
    /// it was, and are named in the log.
    @discardableResult
    public static func setOutlet(_ name: String, of object: AnyObject, to value: Any?) -> Outcome {
        guard let entry = entry(name, of: type(of: object), isOutlet: true) else {
            HostLog.warnOnce("\(type(of: object)) has no outlet \"\(name)\"")
            return .unknownName
        }
        return run(entry, "outlet \"\(name)\"", of: object, Arguments(values: [value]))
    }

    private static func run(_ entry: Entry, _ what: String, of target: AnyObject, _ arguments: Arguments) -> Outcome {
        guard entry.isOnMainActor else { return result(entry, what, of: target, arguments) }
        let call = Handover(value: (target, arguments))
        guard MainThread.isCurrent else {
            HostLog.warnOnce("\(what) of \(type(of: target)) is used off the main thread: it runs there, later")
            DispatchQueue.main.async {
                MainActor.assumeIsolated { _ = result(entry, what, of: call.value.0, call.value.1) }
            }
            return .later
        }
        return MainActor.assumeIsolated {
            Handover(value: result(entry, what, of: call.value.0, call.value.1))
        }.value
    }

    private static func result(
        _ entry: Entry,
        _ what: String,
        of target: AnyObject,
        _ arguments: Arguments
    ) -> Outcome {
        do {
            let result = try entry.call.body(target, arguments)
            return .done(result is Void ? nil : result)
        } catch {
            let reason = (error as? WrongType)?.description ?? "\(type(of: error))"
            HostLog.warnOnce("\(what) of \(type(of: target)): \(reason); nothing was done")
            return .wrongType(reason)
        }
    }

    /// A value that goes to the main actor, and back.
    // SAFETY: on the main thread nobody else runs meanwhile; a call that comes from elsewhere and runs later shares its
    // target and arguments with the caller, as one of Objective-C from another thread would.
    @safe private struct Handover<Value>: @unchecked Sendable {
        let value: Value
    }
}
