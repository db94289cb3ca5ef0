// SPDX-License-Identifier: Apache-2.0

private import Foundation
package import HostRuntime
private import NotificationPayload

// A push between the hosts of a fleet: its body as it was sent, and beside it a head of JSON with what else is known.
// Members that are not known are ignored, so that two versions of a host can serve together.

extension DeliveryName {
    /// The name that the database has of a push; one that is none gives way to the push's place.
    init(_ text: String, at place: Int64) {
        self = DeliveryName(text) ?? DeliveryName(store: "0", count: place)
    }
}

extension OfferedPush {
    /// Makes what the database is offered of a push, under a name that no other push has.
    package init(_ push: IncomingPush, name: DeliveryName) {
        let body = push.body.isEmpty ? push.payload.serialized : push.body
        self.init(
            topic: push.topic,
            token: push.deviceToken,
            app: push.app ?? push.impliedApp,
            environment: push.environment?.rawValue ?? "",
            name: name.description,
            keys: PushKeys(push, body: body).bytes,
            head: String(decoding: push.head.serialized, as: UTF8.self),
            body: body
        )
    }
}

extension IncomingPush {
    /// The bundle identifier of the app: the topic without the suffix of the push's type.
    fileprivate var impliedApp: String {
        topic.hasSuffix(pushType.topicSuffix) ? String(topic.dropLast(pushType.topicSuffix.count)) : topic
    }

    fileprivate var head: JSONObject {
        var members: [(String, JSON)] = [
            ("id", .string(id)), ("type", .string(pushType.rawValue)), ("priority", .integer(Int64(priority.rawValue))),
            ("received", .double(receivedAt.timeIntervalSince1970)),
        ]
        if let expiration { members.append(("expires", .double(expiration.timeIntervalSince1970))) }
        if !isKept { members.append(("once", .bool(true))) }
        if let collapseID { members.append(("collapse", .string(collapseID))) }
        if let sender { members.append(("sender", .object(sender.json))) }
        return JSONObject(members)
    }

    /// Reads a push that waits.
    ///
    /// One whose head or body is none comes with an empty payload, so that it has its outcome and its record.
    package init(_ row: WaitingPush) {
        let head = (try? JSONObject(parsing: Array(row.head.utf8).span)) ?? JSONObject()
        let payload = (try? Payload(parsing: row.body.span)) ?? Payload([:])
        self.init(
            id: head["id"]?.string ?? row.name,
            deviceToken: row.token,
            topic: row.topic,
            owner: row.owner,
            pushType: head["type"]?.string.flatMap(PushType.init) ?? .alert,
            priority: head["priority"]?.integer.flatMap { PushPriority(rawValue: Int($0)) } ?? .immediate,
            expiration: head["expires"]?.double.map { Date(timeIntervalSince1970: Self.year($0)) },
            isKept: head["once"]?.bool != true,
            collapseID: head["collapse"]?.string,
            payload: payload,
            payloadByteCount: row.body.count,
            receivedAt: head["received"]?.double.map { Date(timeIntervalSince1970: Self.year($0)) } ?? Date(),
            sender: head["sender"]?.object.flatMap { PushSender($0) },
            number: row.place,
            delivery: DeliveryName(row.name, at: row.place)
        )
        partition = row.part.number
    }

    /// Seconds since 1970 within what this century and the next can mean: a head may say anything.
    private static func year(_ seconds: Double) -> Double { min(max(seconds, 0), 7_258_118_400) }
}
