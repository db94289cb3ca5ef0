// SPDX-License-Identifier: Apache-2.0

/// The name of a function for calls that are made by name: "tapped:".
///
/// `extension-host build` makes one of each `#selector`. A name is not bound to a class or an object.
/// Source: Apple, "Selector".
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name itself.
    public let description: String

    /// A selector of that name, whether or not anything has it.
    public init(_ name: String) {
        description = name
    }

    /// A selector of that name.
    public init(stringLiteral value: String) {
        description = value
    }
}

extension Selector: CustomReflectable {
    /// Nothing besides the name.
    public var customMirror: Mirror { Mirror(reflecting: description) }
}

/// The name of a selector.
public func NSStringFromSelector(_ aSelector: Selector) -> String { aSelector.description }

/// A selector of that name, whether or not anything has it.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }
