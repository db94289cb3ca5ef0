// SPDX-License-Identifier: Apache-2.0

/// The face for the code that `extension-host build` makes.
extension ObjectiveCNames {
    /// The arguments of a call by name.
    public struct Arguments {
        let values: [Any?]

        /// The argument at that place, as the parameter's type; a missing one counts as nil.
        ///
        /// An argument of another type throws.
        public func value<Value>(_ number: Int, as type: Value.Type = Value.self) throws -> Value {
            let value = number < values.count ? values[number] : nil
            guard let value else {
                if let none = Any?.none as? Value { return none }
                throw WrongType(description: "argument \(number + 1) is nil, expected \(type)")
            }
            guard let result = value as? Value else {
                throw WrongType(
                    description: "argument \(number + 1) is of type \(Swift.type(of: value)), expected \(type)"
                )
            }
            return result
        }
    }

    /// The new value of an outlet.
    public struct NewValue {
        let arguments: Arguments

        /// The value as the outlet's type; one of another type throws.
        public func cast<Value>() throws -> Value { try arguments.value(0) }
    }

    struct WrongType: Error {
        let description: String
    }

    /// Gives a function of a class its name for selectors; an earlier one of that name is forgotten.
    ///
    /// The body belongs to the actor of the caller, which is the main actor or none.
    public static func register<Object: AnyObject>(
        _ selector: String,
        of type: Object.Type,
        isolation: (any Actor)? = #isolation,
        _ body: @escaping (Object, Arguments) throws -> Any?
    ) {
        add(entry(isOnMainActor: isolation is MainActor, body), selector, to: type, isOutlet: false)
    }

    /// Gives a function of the main actor its name where its class belongs to none.
    public static func registerOnMainActor<Object: AnyObject>(
        _ selector: String,
        of type: Object.Type,
        _ body: @escaping @MainActor (Object, Arguments) throws -> Any?
    ) {
        let entry = entry(isOnMainActor: true) { (object: Object, arguments) in
            let values = SameThread(value: (object, arguments))
            return try MainActor.assumeIsolated {
                SameThread(value: try body(values.value.0, values.value.1))
            }.value
        }
        add(entry, selector, to: type, isOutlet: false)
    }

    /// Gives an outlet, or a property that a storyboard sets, its name.
    public static func registerOutlet<Object: AnyObject>(
        _ name: String,
        of type: Object.Type,
        isolation: (any Actor)? = #isolation,
        _ body: @escaping (Object, NewValue) throws -> Void
    ) {
        let entry = entry(isOnMainActor: isolation is MainActor) { (object: Object, arguments) in
            try body(object, NewValue(arguments: arguments))
            return nil
        }
        add(entry, name, to: type, isOutlet: true)
    }

    /// Gives an outlet of the main actor its name where its class belongs to none.
    public static func registerOutletOnMainActor<Object: AnyObject>(
        _ name: String,
        of type: Object.Type,
        _ body: @escaping @MainActor (Object, NewValue) throws -> Void
    ) {
        registerOutlet(name, of: type, isolation: MainActor.shared) { object, value in
            let values = SameThread(value: (object, value))
            try MainActor.assumeIsolated { try body(values.value.0, values.value.1) }
        }
    }

    /// A value on its way into a function of the main actor, and back.
    // SAFETY: the function runs at once and on the thread of its caller.
    @safe private struct SameThread<Value>: @unchecked Sendable {
        let value: Value
    }

    private static func entry<Object: AnyObject>(
        isOnMainActor: Bool,
        _ body: @escaping (Object, Arguments) throws -> Any?
    ) -> Entry {
        Entry(
            isOnMainActor: isOnMainActor,
            call: Entry.Call { object, arguments in
                guard let object = object as? Object else {
                    throw WrongType(description: "the object is no \(Object.self)")
                }
                return try body(object, arguments)
            }
        )
    }
}
