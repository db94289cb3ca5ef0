// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Glibc
import HostRuntime
import NotificationPayload
import PacketSockets

/// A record of the outbox as a packet of the link, with the files that travel with it.
struct RecordPacket {
    /// The bytes that only a record with files has; a payload that has them too costs a second look.
    private static let mark = Array(#""attachments":["#.utf8)

    let bytes: [UInt8]
    /// The files of the record's `attachments`, in their order.
    let files: [PassedFile]

    /// A record that fits no packet becomes one that the centre answers with `unfit`.
    ///
    /// A file that the host keeps no more is named as refused; opening the others may wait for the disk.
    init(_ record: OutboxRecord, _ store: (any AttachmentKeeping)?) {
        if record.record.contains(Self.mark), let (bytes, files) = Self.withFiles(record, store) {
            (self.bytes, self.files) = (bytes, files)
            return
        }
        let whole = try? LinkRecord.packet(
            number: record.number,
            owner: CenterOwner.only,
            pushType: nil,
            text: record.record.span
        )
        bytes = whole ?? (try? LinkPacket(.record, id: UInt64(clamping: record.number)).encoded()) ?? []
        files = []
    }

    /// `nil` means that the record has no files.
    private static func withFiles(
        _ record: OutboxRecord,
        _ store: (any AttachmentKeeping)?
    ) -> (bytes: [UInt8], files: [PassedFile])? {
        guard var object = try? JSONObject(parsing: record.record.span, depthLimit: Payload.depthLimit + 5),
            let entries = object["attachments"]?.array
        else { return nil }
        var kept: [JSON] = []
        var refused = object["refusedAttachments"]?.array ?? []
        var files: [PassedFile] = []
        for entry in entries {
            guard let attachment = entry.object.flatMap(Attachment.init(record:)) else { continue }
            guard files.count < RequestAttachment.limit,
                let file = store?.open(attachment).flatMap(PassedFile.init(copying:))
            else {
                refused.append([
                    "identifier": .string(attachment.identifier),
                    "reason": .string(AttachmentRefusal.notFound.rawValue),
                ])
                continue
            }
            kept.append(entry)
            files.append(file)
        }
        object["attachments"] = kept.isEmpty ? nil : .array(kept)
        object["refusedAttachments"] = refused.isEmpty ? nil : .array(refused)
        if object["owner"] == nil { object["owner"] = .string(CenterOwner.only) }
        let packet = LinkPacket(.record, id: UInt64(clamping: record.number), body: object)
        return (try? packet.encoded()).map { ($0, files) }
    }
}

extension Attachment {
    /// Reads an entry of a record's `attachments`; `nil` for anything else.
    fileprivate init?(record entry: JSONObject) {
        guard let identifier = entry["identifier"]?.string, let path = entry["path"]?.string,
            let type = entry["type"]?.string, let size = entry["size"]?.integer
        else { return nil }
        self.init(identifier: identifier, path: path, type: type, byteCount: Int(clamping: size))
    }
}

extension PassedFile {
    /// A descriptor of its own for a file that somebody else closes; `nil` when there is none left.
    convenience init?(copying file: HeldFile) { self.init(duplicating: file.descriptor) }
}

extension HeldFile {
    /// A descriptor of its own for a file that came over a socket; `nil` when there is none left.
    convenience init?(copying file: PassedFile) {
        let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.init(copy)
    }
}
