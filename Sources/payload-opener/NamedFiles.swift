// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import NotificationPayload

/// The sealed files that an opened payload names: what opens them stays here, what says where they are goes to the
/// host.
///
/// Source: PROTOCOL.md, "Sealed files"; FORMAT.md, "The entry".
struct NamedFiles {
    private(set) var entries: [AttachmentEntry] = []
    /// For the host: no key, and no digest.
    private(set) var described: [JSON] = []

    /// Takes `attachments` out of a payload if one of its elements has a key for a file.
    ///
    /// Another list of that name is the app's own, and so is one that came in the clear. An entry that is not valid is
    /// described by its id and what is wrong with it.
    static func parting(_ payload: Payload) -> (Payload, NamedFiles) {
        guard let list = payload["attachments"]?.array, !isClear(payload),
            list.contains(where: { $0.object?["key"] != nil && $0.object?["digest"] != nil })
        else { return (payload, NamedFiles()) }
        var files = NamedFiles()
        var seen: Set<String> = []
        for element in list.prefix(AttachmentEntry.limit) { files.add(element, &seen) }
        if list.count > AttachmentEntry.limit { files.described.append(["id": "", "error": "tooMany"]) }
        var rest = payload
        rest["attachments"] = nil
        return (rest, files)
    }

    private static func isClear(_ payload: Payload) -> Bool {
        payload["encryption"]?.object?["clear"]?.array?.contains("attachments") == true
    }

    private mutating func add(_ element: JSON, _ seen: inout Set<String>) {
        guard let object = element.object, let entry = try? AttachmentEntry(object),
            seen.insert(entry.label.id).inserted
        else {
            // A bad entry's id is not worth more than this.
            return described.append(["id": "", "error": "badEntry"])
        }
        var description: JSONObject = [
            "id": .string(entry.label.id), "index": .integer(Int64(entries.count)),
            "size": .integer(Int64(entry.size)), "sealedSize": .integer(Int64(entry.sealedByteCount)),
        ]
        description["url"] = entry.label.url.map(JSON.string)
        description["type"] = entry.label.type.map(JSON.string)
        description["name"] = entry.label.name.map(JSON.string)
        described.append(.object(description))
        entries.append(entry)
    }
}
