// SPDX-License-Identifier: Apache-2.0

import CenterStore
import NotificationPayload

/// The responses for an app as events of an HTTP stream; the app completes each with `POST answers/ID`.
struct ResponseStream: ResponseReceiver {
    /// Writes a text to the stream; throws when the app is gone.
    let write: @Sendable (String) async throws -> Void

    var hasRoom: Bool { true }

    func send(_ response: StoredResponse) async throws { try await write(Self.text(of: response)) }

    func giveUp(_ response: Int64) {}

    func idle() async throws { try await write(EventView.comment) }

    private static func text(of response: StoredResponse) -> String {
        var object: JSONObject = [
            "id": .string("\(response.id)"), "notification": .string("\(response.number)"),
            "action": .string(response.action),
        ]
        object["text"] = response.text.map(JSON.string)
        object["identifier"] = response.content.map { .string($0.identifier) }
        object["payload"] = response.content.map { .object($0.payload) }
        return "event: response\ndata: \(String(decoding: object.serialized, as: UTF8.self))\n\n"
    }
}
