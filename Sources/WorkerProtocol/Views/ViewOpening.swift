// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import NotificationPayload
package import SceneModel

/// A notification as a view gets it: as it was delivered.
package struct ShownNotification: Sendable, Equatable {
    package var identifier: String
    /// The moment of the delivery, ISO 8601 in UTC with milliseconds.
    package var date: String
    package var payload: Payload
    /// The files of the notification, in the worker's scratch folder.
    package var attachments: [ScratchAttachment]

    package init(identifier: String, date: String, payload: Payload, attachments: [ScratchAttachment] = []) {
        self.identifier = identifier
        self.date = date
        self.payload = payload
        self.attachments = attachments
    }

    fileprivate var json: JSON {
        var object: JSONObject = [
            "identifier": .string(identifier), "date": .string(date), "payload": .object(payload.object),
        ]
        if !attachments.isEmpty { object["attachments"] = ScratchAttachment.list(attachments) }
        return .object(object)
    }

    fileprivate init(_ object: JSONObject) throws(MessageError) {
        guard let payload = object["payload"]?.object else { throw .missing("payload") }
        self.init(
            identifier: try object.requiredString("identifier"),
            date: try object.requiredString("date"),
            payload: Payload(payload),
            attachments: try ScratchAttachment.list(in: object) ?? []
        )
    }
}

/// The beginning of a view: the notification that it shows, and the place where it is shown.
package struct ViewOpening: Sendable, Equatable {
    package var notification: ShownNotification
    package var environment: ViewEnvironment

    package init(notification: ShownNotification, environment: ViewEnvironment) {
        self.notification = notification
        self.environment = environment
    }

    var body: JSONObject { ["notification": notification.json, "environment": .object(environment.json)] }

    init(_ body: JSONObject) throws(MessageError) {
        guard let notification = body["notification"]?.object else { throw .missing("notification") }
        self.notification = try ShownNotification(notification)
        guard let environment = body["environment"]?.object else { throw .missing("environment") }
        var members = Members(environment, .lenient, path: "environment")
        do { self.environment = try ViewEnvironment(&members) } catch { throw .view(error) }
    }
}

/// A message to an open view.
package enum ViewWord: Sendable, Equatable {
    case event(ViewEvent)
    /// A newer notification of the thread, or an update of the one that is shown.
    case notification(ShownNotification)

    func body(seq: UInt64) -> JSONObject {
        var object: JSONObject = ["seq": .integer(Int64(clamping: seq))]
        switch self {
        case .event(let event): event.write(to: &object)
        case .notification(let notification): object["notification"] = notification.json
        }
        return object
    }

    static func read(_ body: JSONObject) throws(MessageError) -> (seq: UInt64, ViewWord) {
        guard let seq = body["seq"]?.integer.flatMap(UInt64.init(exactly:)) else { throw .missing("seq") }
        if let notification = body["notification"]?.object {
            return (seq, .notification(try ShownNotification(notification)))
        }
        var members = Members(body, .lenient)
        let event: ViewEvent?
        do { event = try ViewEvent(&members) } catch { throw .view(error) }
        guard let event else { throw .missing("event") }
        return (seq, .event(event))
    }
}
