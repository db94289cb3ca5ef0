// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The JSON that goes to APNs: the fallback, what is kept in the clear, and at its end the sealed text.
///
/// It is written with one line feed behind it, which counts: what the command prints can be posted as it is.
struct Body {
    /// Bytes of an APNs payload.
    static let limit = 4096
    static let voipLimit = 5120
    static let defaultFallback = "New notification"

    private var object: JSONObject

    /// `kept` are keys of `payload`, an APNs payload, or of its `aps` or `alert`.
    init(fallback: String, keeping kept: [String], of payload: JSONObject) throws(Failure) {
        var alert = JSONObject()
        var aps = JSONObject()
        var custom = JSONObject()
        let innerAPS = payload["aps"]?.object
        for key in kept {
            if Self.reservedKeys.contains(key) { throw .usage("\"\(key)\" cannot be kept") }
            if let value = payload[key] {
                custom[key] = value
            } else if let value = innerAPS?[key] {
                aps[key] = value
            } else if let value = innerAPS?["alert"]?.object?[key] {
                alert[key] = value
            } else {
                throw .refused("the payload has no key \"\(key)\" to keep")
            }
        }
        alert["body"] = .string(fallback)
        var outer: JSONObject = ["alert": .object(alert)]
        for member in aps.members { outer[member.key] = member.value }
        outer["mutable-content"] = 1
        object = ["aps": .object(outer)]
        for member in custom.members { object[member.key] = member.value }
        object["encrypted-content"] = ""
    }

    private static let reservedKeys: Set<String> = [
        "aps", "alert", "body", "mutable-content", "encrypted-content", "encryption",
    ]

    /// The JSON up to the sealed text; `end` follows it.
    var start: [UInt8] { object.serialized.dropLast(Self.end.count - 1) }
    static let end = Array("\"}\n".utf8)
}

extension JSONObject {
    /// Reads the payload in `bytes`, which messages call `name`.
    init(payload bytes: Span<UInt8>, _ name: String) throws(Failure) {
        do {
            self = try JSONObject(parsing: bytes)
        } catch .notAnObject {
            throw .refused("\(name) is no JSON object", hint: Self.example)
        } catch {
            throw .refused("\(name) is not JSON: \(error)", hint: Self.example)
        }
    }

    private static var example: String {
        #"a payload looks like {"aps":{"alert":{"title":"Alice","body":"Lunch?"}}}"#
    }
}
