// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import NotificationPayload

/// A record of the outbox as a packet of the link.
struct RecordPacket {
    /// The bytes that only a record with files has; a payload that has them too costs a second look.
    private static let mark = Array(#""attachments":["#.utf8)

    private let record: OutboxRecord

    init(_ record: OutboxRecord) {
        self.record = record
    }

    /// The packet; for a record that fits none, one that the centre answers with `unfit`.
    var bytes: [UInt8] {
        if record.record.contains(Self.mark), let packet = withoutFiles { return packet }
        let whole = try? LinkRecord.packet(
            number: record.number,
            owner: CenterOwner.only,
            pushType: nil,
            text: record.record.span
        )
        return whole ?? unreadable
    }

    /// The record with its files named as refused, because the link carries none; `nil` means that it has no files.
    private var withoutFiles: [UInt8]? {
        guard var object = try? JSONObject(parsing: record.record.span, depthLimit: Payload.depthLimit + 5),
            let files = object["attachments"]?.array
        else { return nil }
        let refused = files.compactMap { $0.object?["identifier"] }.map { identifier -> JSON in
            ["identifier": identifier, "reason": "notCarried"]
        }
        object["refusedAttachments"] = .array((object["refusedAttachments"]?.array ?? []) + refused)
        object["attachments"] = nil
        object["owner"] = .string(CenterOwner.only)
        return try? LinkPacket(.record, id: UInt64(clamping: record.number), body: object).encoded()
    }

    private var unreadable: [UInt8] {
        (try? LinkPacket(.record, id: UInt64(clamping: record.number)).encoded()) ?? []
    }
}
