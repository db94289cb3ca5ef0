// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
internal import NotificationPayload

package import struct Foundation.Date

/// One line of input: a push in the form `{"token":…,"headers":{…},"payload":{…}}`, or a bare payload whose
/// `Simulator Target Bundle` names the app.
///
/// Source: Apple, Xcode 11.4 release notes, for the bare form.
package struct NDJSONLine {
    static let byteCountLimit = 64 << 10
    package static let bundleKey = "Simulator Target Bundle"

    /// A line that is no push at all: it has a number and no id.
    package struct Malformed: Error {
        let reason: RefusalReason
    }

    let request: ProviderRequest
    let token: String?
    let payload: JSONObject

    /// Reads a line; `firstToken` tells of an app, by its bundle identifier, the device token of a bare payload.
    package init(_ text: [UInt8], firstToken: (String) -> String?) throws(Malformed) {
        let object: JSONObject
        do {
            // The payload lies one deeper than where its depth is counted.
            object = try JSONObject(parsing: text.span, depthLimit: Payload.depthLimit + 1)
        } catch {
            throw Malformed(reason: .payloadEmpty)
        }
        if let payload = object["payload"]?.object {
            self.payload = payload
            token = object["token"]?.string
            request = try Self.request(headers: object["headers"])
        } else if let bundle = object[Self.bundleKey]?.string {
            var payload = object
            payload[Self.bundleKey] = nil
            self.payload = payload
            token = firstToken(bundle)
            request = try Self.request(headers: ["apns-topic": .string(bundle)])
        } else {
            throw Malformed(reason: .payloadEmpty)
        }
    }

    /// Header values are strings, or integers for those that are numbers.
    private static func request(headers: JSON?) throws(Malformed) -> ProviderRequest {
        var request = ProviderRequest(method: "POST", path: "")
        guard let headers else { return request }
        guard let headers = headers.object else { throw Malformed(reason: .payloadEmpty) }
        for member in headers.members where member.key.lowercased().hasPrefix("apns-") {
            switch member.value {
            case .string(let value): request.add(member.key.lowercased(), value)
            case .integer(let value): request.add(member.key.lowercased(), String(value))
            case .null, .bool, .double, .array, .object: throw Malformed(reason: .payloadEmpty)
            }
        }
        return request
    }

    /// Judges the line as a request's headers and body would be.
    package func push(
        from sender: PushSender? = nil,
        validator: PushValidator,
        freshID: String,
        now: Date
    ) throws(Refusal) -> IncomingPush {
        guard !request.repeatsHeader else { throw Refusal(.duplicateHeaders) }
        let authority = SenderAuthority(sender)
        let head = try validator.judge(request, token: token, authority: authority, freshID: freshID, now: now)
        return try head.join(payload.serialized.span, receivedAt: now)
    }
}
