// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload

// On Linux, decoding an absent key fails the whole archive: each reader asks first.
extension NSCoder {
    func text(forKey key: String) -> String? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: NSString.self, forKey: key) as String?
    }

    func payload(forKey key: String) -> JSONObject? {
        guard containsValue(forKey: key), let data = decodeObject(of: NSData.self, forKey: key) else { return nil }
        return try? JSONObject(parsing: [UInt8](data as Data).span)
    }

    func encodePayload(_ payload: JSONObject, forKey key: String) {
        encode(Data(payload.serialized) as NSData, forKey: key)
    }

    func attachments(forKey key: String) -> [UNNotificationAttachment] {
        guard containsValue(forKey: key) else { return [] }
        let object = decodeObject(of: [NSArray.self, UNNotificationAttachment.self], forKey: key)
        return object as? [UNNotificationAttachment] ?? []
    }

    func texts(forKey key: String) -> [String]? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String]
    }

    func actions(forKey key: String) -> [UNNotificationAction]? {
        guard containsValue(forKey: key) else { return nil }
        let classes: [AnyClass] = [NSArray.self, UNNotificationAction.self, UNTextInputNotificationAction.self]
        return decodeObject(of: classes, forKey: key) as? [UNNotificationAction]
    }

    func object<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }

    /// An enumeration by its number; nil for an unknown one.
    func value<Value: RawRepresentable<Int>>(forKey key: String) -> Value? {
        containsValue(forKey: key) ? Value(rawValue: decodeInteger(forKey: key)) : nil
    }

    /// The bits of an option set; an absent one is empty.
    func bits(forKey key: String) -> UInt {
        containsValue(forKey: key) ? UInt(bitPattern: decodeInteger(forKey: key)) : 0
    }

    func encodeBits(_ bits: UInt, forKey key: String) {
        encode(Int(bitPattern: bits), forKey: key)
    }
}
