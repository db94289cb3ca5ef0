// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import NotificationPayload
import WorkerProtocol

/// One push to open.
///
/// Body: `{"app","topic","collapseID"?,"requestID"?,"row","payload"}`.
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
            row: row
        )
    }

    func refusal(_ error: OpenError) -> Packet {
        Packet(.refused, id: id, body: ["error": .string(error.name)])
    }
}
