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
}
