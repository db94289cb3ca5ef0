// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

extension AttachmentEntry {
    /// Entries that a payload may have.
    public static let limit = 16

    /// Reads one entry, a JSON object in UTF-8.
    ///
    /// Throws `malformedEntry`, `badEntry` with the first member that is not valid, `tooLarge` for a size over
    /// `Attachment.maximumByteCount`. Members that are not known are no error.
    public init(parsing json: Span<UInt8>) throws(AttachmentError) {
        do {
            self = try AttachmentEntry(try JSONObject(parsing: json))
        } catch let error as AttachmentError {
            throw error
        } catch {
            throw .malformedEntry
        }
    }

    /// The entries of an opened payload, a JSON object in UTF-8, in their order; none when it has no `attachments`.
    ///
    /// Throws as `init(parsing:)` does for the first bad one; `malformedEntry` also for `attachments` that is no array
    /// of at most 16 objects, `badEntry(.id)` for an id that comes twice.
    public static func all(inPayload payload: Span<UInt8>) throws(AttachmentError) -> [AttachmentEntry] {
        guard let object = try? JSONObject(parsing: payload) else { throw .malformedEntry }
        guard let list = object["attachments"] else { return [] }
        guard let elements = list.array, elements.count <= limit else { throw .malformedEntry }
        var entries: [AttachmentEntry] = []
        var ids: [[UInt8]] = []
        for element in elements {
            guard let object = element.object else { throw .malformedEntry }
            let entry = try AttachmentEntry(object)
            let id = Array(entry.label.id.utf8)
            guard !ids.contains(id) else { throw .badEntry(.id) }
            ids.append(id)
            entries.append(entry)
        }
        return entries
    }

    /// The entry as one line of compact JSON, **the key included**.
    public var json: String {
        String(decoding: object.serialized, as: UTF8.self)
    }

    package init(_ object: JSONObject) throws(AttachmentError) {
        let label = try AttachmentLabel(
            id: try Self.text(.id, in: object) ?? "",
            url: try Self.text(.url, in: object),
            type: try Self.text(.type, in: object),
            name: try Self.text(.name, in: object)
        )
        guard let size = object["size"]?.integer, size >= 0 else { throw .badEntry(.size) }
        guard size <= Attachment.maximumByteCount else { throw .tooLarge(limit: Attachment.maximumByteCount) }
        guard let key = try Self.text(.key, in: object).flatMap(AttachmentKey.init(parsing:)) else {
            throw .badEntry(.key)
        }
        guard let digest = try Self.text(.digest, in: object).flatMap(Self.digest) else { throw .badEntry(.digest) }
        self.init(label: label, size: Int(size), key: key, digest: digest)
    }

    package var object: JSONObject {
        var object: JSONObject = ["id": .string(label.id)]
        object["url"] = label.url.map(JSON.string)
        object["type"] = label.type.map(JSON.string)
        object["name"] = label.name.map(JSON.string)
        object["size"] = .integer(Int64(size))
        object["key"] = .string(key.text)
        object["digest"] = .string(Base64.url.encode(digest))
        return object
    }

    private static func text(_ member: Member, in object: JSONObject) throws(AttachmentError) -> String? {
        let value = object[member.rawValue]
        let text = value?.string
        // Absent is valid or not; of another kind it never is.
        guard (value == nil) == (text == nil), AttachmentLabel.isValid(text, as: member) else {
            throw .badEntry(member)
        }
        return text
    }

    /// 32 bytes of strict base64url.
    private static func digest(_ text: String) -> [UInt8]? {
        let count = Base64.url.characterCount(ofBytes: AttachmentLayout.digestByteCount)
        return text.utf8.count == count ? Base64.url.decode(text) : nil
    }
}
