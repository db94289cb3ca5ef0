// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The JSON that goes to APNs: the fallback, what is kept in the clear, and at its end the sealed text.
package struct PushBody: Sendable {
    /// Bytes of an APNs payload.
    package static let limit = 4096
    package static let voipLimit = 5120
    package static let defaultFallback = "New notification"

    /// The JSON up to the sealed text; `end` follows it.
    private let start: [UInt8]
    private static let end = Array("\"}".utf8)

    /// `kept` are keys of `payload`, an APNs payload, or of its `aps` or `alert`.
    ///
    /// Throws `reservedKey`, `missingKey`, `emptyFallback`.
    package init(fallback: String, keeping kept: [String], of payload: JSONObject) throws(SealError) {
        var alert = JSONObject()
        var aps = JSONObject()
        var custom = JSONObject()
        let innerAPS = payload["aps"]?.object
        for key in kept {
            if Self.reservedKeys.contains(key) { throw .reservedKey(key) }
            if let value = payload[key] {
                custom[key] = value
            } else if let value = innerAPS?[key] {
                aps[key] = value
            } else if let value = innerAPS?["alert"]?.object?[key] {
                alert[key] = value
            } else {
                throw .missingKey(key)
            }
        }
        alert["body"] = .string(fallback)
        var outer: JSONObject = ["alert": .object(alert)]
        for member in aps.members { outer[member.key] = member.value }
        outer["mutable-content"] = 1
        var object: JSONObject = ["aps": .object(outer)]
        for member in custom.members { object[member.key] = member.value }
        guard Payload(object).hasDisplayableAlert else { throw .emptyFallback }
        object["encrypted-content"] = ""
        start = object.serialized.dropLast(Self.end.count)
    }

    private static let reservedKeys: Set<String> = [
        "aps", "alert", "body", "mutable-content", "encrypted-content", "encryption",
    ]

    /// Characters that a text may have in a body of at most `limit` bytes.
    package func textRoom(in limit: Int) -> Int { limit - start.count - Self.end.count }

    /// Appends the whole body, a JSON object in UTF-8.
    package func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + start.count + text.utf8.count + Self.end.count)
        bytes += start
        bytes += text.utf8
        bytes += Self.end
    }

    /// `payload` as its receiver will see it, so that what a receiver refuses is never sent.
    ///
    /// Throws `badContent`.
    package static func normalised(_ payload: JSONObject) throws(SealError) -> JSONObject {
        guard payload["encrypted-content"] == nil else { throw .badContent }
        do { return try ContentRules.payload(payload, allowsCritical: true) } catch { throw .badContent }
    }
}
