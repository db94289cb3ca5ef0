// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// A bundle and the notifications that its view is shown for, as a host of its own takes them.
struct ServedBundle {
    /// The one device of the app; nobody but the process that writes to the host's input sends to it.
    private static let token = "00"

    let app: AppConfiguration
    /// The payloads, in the order in which they are shown.
    let payloads: [Payload]

    /// Returns host.yaml of a host that reads pushes from its standard input and hands them to the centre with this
    /// link; `state` is the folder of what is kept.
    ///
    /// The settings as JSON, which every reader of YAML takes.
    func configuration(link: String, state: String?) -> JSONObject {
        var entry: JSONObject = [
            "topic": .string(app.topic),
            "device-tokens": [.string(Self.token)],
            "content-memory": .string(app.contentMemoryByteCount.byteAmount),
            "view": .array(app.viewFolders.map(JSON.string)),
        ]
        entry["content"] = (app.contentBundle?.path).map(JSON.string)
        entry["interpreter"] = app.interpreter.map(JSON.string)
        if app.viewFolders.isEmpty { entry["view"] = nil }
        var configuration: JSONObject = [
            "listen": ["ndjson": ["stdin": true]],
            "apps": [.object(entry)],
            "sinks": [["center": ["socket": .string(link), "authorization": "granted"]]],
        ]
        configuration["state"] = state.map(JSON.string)
        return configuration
    }

    /// A push of each payload as a line; one that was pushed before is an update of its notification.
    var lines: [UInt8] {
        payloads.enumerated().flatMap { index, payload in
            let push: JSONObject = [
                "token": .string(Self.token),
                "headers": [
                    "apns-topic": .string(app.topic), "apns-push-type": "alert",
                    "apns-collapse-id": .string("payload-\(index + 1)"),
                ],
                "payload": .object(payload.object),
            ]
            return push.serialized + [UInt8(ascii: "\n")]
        }
    }
}
