// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import NotificationPayload
import WorkerProtocol

/// One push to open.
///
/// Body: `{"app","topic","collapseID"?,"requestID"?,"device"?,"row","payload"}`.
/// Source: PROTOCOL.md, "Opener".
struct OpenRequest {
    let id: UInt64
    let app: String
    let context: PushContext
    let payload: Payload

    init(_ packet: Packet) throws(Ending) {
        guard packet.type == .open else { throw .protocolViolation("a packet is no request to open") }
        let body = packet.body
        guard let app = body["app"]?.string, let topic = body["topic"]?.string,
            let row = body["row"]?.integer, row >= 0, let payload = body["payload"]?.object
        else { throw .protocolViolation("a request lacks app, topic, row or payload") }
        id = packet.id
        self.app = app
        self.payload = Payload(payload)
        context = PushContext(
            topic: topic,
            collapseID: body["collapseID"]?.string,
            requestID: body["requestID"]?.string,
            device: body["device"]?.string,
            row: row
        )
    }

    /// Returns the answer; `nil` when it would be longer than a packet may be.
    func answer(_ opened: Opener.Opened, hasMark: Bool) -> Answer? {
        let (payload, named) = NamedFiles.parting(opened.payload)
        var body: JSONObject = ["payload": .object(payload.object)]
        if opened.usesRetiredKey { body["retiredKey"] = true }
        if hasMark, let mark = opened.mark {
            body["mark"] = ["id": .string(Hexadecimal.encode(mark.id)), "expiry": .integer(mark.expiry)]
        }
        if !named.described.isEmpty { body["files"] = .array(named.described) }
        let bytes = try? Packet(.opened, id: id, body: body).encoded()
        return bytes.map { Answer(id: id, bytes: $0, isOpened: true, entries: named.entries) }
    }

    func refusal(_ error: OpenError) throws(Ending) -> Answer {
        let packet = Packet(.refused, id: id, body: ["error": .string(error.name)])
        return Answer(id: id, bytes: try HostSocket.encoded(packet), isOpened: false)
    }
}
