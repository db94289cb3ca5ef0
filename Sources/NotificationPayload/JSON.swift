// SPDX-License-Identifier: Apache-2.0

/// A JSON value as every Nestbox process reads and writes it.
///
/// Shape: objects keep the order of their keys and never hold one key twice. Integers that fit 64 bits are exact;
/// every other number is a finite `Double`.
/// Source: RFC 8259, narrowed by FORMAT.md, "Content rules".
package enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    package var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    package var array: [JSON]? {
        if case .array(let array) = self { array } else { nil }
    }

    package var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The value as an integer; `1.0` counts as 1, a fraction and a boolean are nil.
    package var integer: Int64? {
        switch self {
        case .integer(let integer): integer
        case .double(let double): Int64(exactly: double)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// Any number as a `Double`; nil for everything else, booleans included.
    package var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .double(let double): double
        case .null, .bool, .string, .array, .object: nil
        }
    }

    package var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// Tells whether arrays and objects nest at most so many levels, the value itself included.
    package func isNested(atMost limit: Int) -> Bool {
        switch self {
        case .null, .bool, .integer, .double, .string: true
        case .array(let elements): limit > 0 && elements.allSatisfy { $0.isNested(atMost: limit - 1) }
        case .object(let object): limit > 0 && object.members.allSatisfy { $0.value.isNested(atMost: limit - 1) }
        }
    }

    /// Numbers compare by value, so `1` equals `1.0`; objects compare without regard to the order of keys.
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.integer(let integer), .double(let double)), (.double(let double), .integer(let integer)):
            Int64(exactly: double) == integer
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
}
