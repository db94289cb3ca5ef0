// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload

extension JSONObject {
    /// The members in Foundation types, as `JSONSerialization` would give them.
    var foundationUserInfo: [AnyHashable: Any] {
        var dictionary: [AnyHashable: Any] = [:]
        dictionary.reserveCapacity(count)
        for member in members {
            dictionary[member.key] = member.value.foundationValue
        }
        return dictionary
    }
}

extension JSON {
    /// Numbers and booleans are `NSNumber`, so that casts to `Int`, `Double` and `Bool` hold whenever the value fits.
    fileprivate var foundationValue: Any {
        switch self {
        case .null: return NSNull()
        case .bool(let bool): return NSNumber(value: bool)
        case .integer(let integer): return NSNumber(value: integer)
        case .double(let double): return NSNumber(value: double)
        case .string(let string): return string
        case .array(let elements): return elements.map(\.foundationValue)
        case .object(let object):
            var dictionary: [String: Any] = [:]
            dictionary.reserveCapacity(object.count)
            for member in object.members {
                dictionary[member.key] = member.value.foundationValue
            }
            return dictionary
        }
    }
}

/// Turns what an extension left in `userInfo` into JSON, leaving out what JSON cannot say.
///
/// Left out, with their path: keys that are no text, `Data`, `Date`, `URL` and every other foreign type, NaN and
/// infinities, text with U+0000, and what is nested deeper than a payload may be.
struct FoundationReader {
    private var droppedPaths: [String] = []

    static func object(from userInfo: [AnyHashable: Any]) -> (JSONObject, droppedPaths: [String]) {
        var reader = FoundationReader()
        let object = reader.object(from: userInfo, path: "", depth: 1)
        return (object, reader.droppedPaths)
    }

    private mutating func object(from dictionary: [AnyHashable: Any], path: String, depth: Int) -> JSONObject {
        var object = JSONObject()
        for (key, value) in dictionary {
            guard let key = key.base as? String, !key.utf8.contains(0) else {
                droppedPaths.append(path + "(key that is no text)")
                continue
            }
            object[key] = member(value, path: path + key, depth: depth)
        }
        return object
    }

    /// `[String: Any]` is what nearly every payload consists of; turning it into `[AnyHashable: Any]` first would copy.
    private mutating func object(from dictionary: [String: Any], path: String, depth: Int) -> JSONObject {
        var object = JSONObject()
        for (key, value) in dictionary {
            guard !key.utf8.contains(0) else {
                droppedPaths.append(path + "(key that is no text)")
                continue
            }
            object[key] = member(value, path: path + key, depth: depth)
        }
        return object
    }

    /// `depth` is that of the container the value lies in.
    private mutating func member(_ value: Any, path: String, depth: Int) -> JSON? {
        let json = json(value, path: path, depth: depth)
        if json == nil { droppedPaths.append(path) }
        return json
    }

    private mutating func json(_ value: Any, path: String, depth: Int) -> JSON? {
        // Casts ask the bridges of every type in turn; the common types are told by identity first.
        let type = type(of: value)
        if type == String.self, let text = value as? String { return Self.text(text) }
        if type != [String: Any].self, type != [Any].self {
            if let number = value as? NSNumber { return Self.number(number) }
            if let text = value as? String { return Self.text(text) }
            if value is NSNull { return .null }
        }
        guard depth < Payload.depthLimit else { return nil }
        if let dictionary = value as? [String: Any] {
            return .object(object(from: dictionary, path: path + ".", depth: depth + 1))
        }
        if let array = value as? [Any] {
            return .array(
                array.enumerated().compactMap { member($1, path: "\(path)[\($0)]", depth: depth + 1) }
            )
        }
        if let dictionary = value as? [AnyHashable: Any] {
            return .object(object(from: dictionary, path: path + ".", depth: depth + 1))
        }
        return nil
    }

    private static func text(_ text: String) -> JSON? {
        text.utf8.contains(0) ? nil : .string(text)
    }

    private static func number(_ number: NSNumber) -> JSON? {
        // The two booleans are two objects; every other number of type "c" is an 8-bit integer.
        if number === NSNumber(value: true) { return true }
        if number === NSNumber(value: false) { return false }
        switch UInt8(bitPattern: unsafe number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"):
            return number.doubleValue.isFinite ? .double(number.doubleValue) : nil
        case UInt8(ascii: "Q"), UInt8(ascii: "L"):
            return Int64(exactly: number.uint64Value).map(JSON.integer) ?? .double(number.doubleValue)
        default:
            return .integer(number.int64Value)
        }
    }
}
