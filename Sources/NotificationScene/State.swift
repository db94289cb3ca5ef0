// SPDX-License-Identifier: Apache-2.0

import HostLog
import Observation

/// A value of a scene that changes in the life of its view, as what a person has chosen.
///
/// The scene is drawn anew when a value that its body has read changes. `$name` is a ``Binding``, by which a control
/// changes the value. Only properties of the scene itself keep what they hold, and only the main thread changes it: a
/// change from another one ends the process.
@MainActor @propertyWrapper public struct State<Value> {
    private let place: Place

    /// A state with its first value.
    public init(wrappedValue: Value) {
        if Drawing.isUnderWay {
            HostLog.warnOnce(
                "a State that is made in a scene's body is made anew at each drawing: keep it in the scene"
            )
        }
        place = Place(wrappedValue)
    }

    /// The value at this moment.
    public var wrappedValue: Value {
        get { place.value }
        nonmutating set { place.value = newValue }
    }

    /// The value as a control takes it.
    public var projectedValue: Binding<Value> {
        Binding {
            place.value
        } set: {
            place.value = $0
        }
    }

    /// The value behind all copies of the scene.
    private final class Place: Observable {
        private let registrar = ObservationRegistrar()
        private var stored: Value

        init(_ value: Value) {
            stored = value
        }

        var value: Value {
            get {
                registrar.access(self, keyPath: \.value)
                return stored
            }
            set {
                MainActor.preconditionIsolated("a State is changed on the main thread alone")
                registrar.withMutation(of: self, keyPath: \.value) { stored = newValue }
            }
        }
    }
}

/// A value that lies elsewhere, which a control shows and changes.
@MainActor @propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    private let get: @MainActor () -> Value
    private let set: @MainActor (Value) -> Void

    /// A value that is read and changed by two functions.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.get = get
        self.set = set
    }

    /// A value that never changes, for a control that is only looked at.
    public static func constant(_ value: Value) -> Binding<Value> {
        Binding {
            value
        } set: { _ in
        }
    }

    /// The value at this moment.
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// The binding itself, for `$name` of a property that is one.
    public var projectedValue: Binding<Value> { self }

    /// A member of the value.
    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> {
        Binding<Member> {
            get()[keyPath: path]
        } set: { member in
            var value = get()
            value[keyPath: path] = member
            set(value)
        }
    }
}
