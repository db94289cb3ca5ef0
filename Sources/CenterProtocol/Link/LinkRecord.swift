// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A delivery record as the centre reads it: what a notification says, and how it came to say it.
///
/// Members that the centre has no use for are ignored, because sinks of other kinds have their own.
/// Source: docs/records.md.
package struct LinkRecord: Sendable, Equatable {
    /// A file that came with the push and is not attached.
    package struct RefusedFile: Sendable, Equatable {
        package var identifier: String
        package var reason: String

        package init(identifier: String, reason: String) {
            self.identifier = identifier
            self.reason = reason
        }
    }

    /// The push's own id.
    package var id: String
    package var owner: String
    /// The push type as the gateway's request has it; `nil` means `alert`.
    package var pushType: String?
    package var topic: String
    /// The collapse id of the push if it has one, else its id.
    package var identifier: String
    package var date: Moment
    /// The time that the host took from then on; zero in a record that does not say it.
    package var handling: Duration
    package var outcome: String
    package var reason: String?
    package var isLate: Bool
    package var payload: Payload
    /// The files, whose descriptors travel with the packet in the same order.
    package var files: [StoredRequest.File]
    package var refusedFiles: [RefusedFile]

    package init(
        id: String,
        owner: String,
        pushType: String? = nil,
        topic: String,
        identifier: String,
        date: Moment,
        handling: Duration = .zero,
        outcome: String,
        reason: String? = nil,
        isLate: Bool = false,
        payload: Payload,
        files: [StoredRequest.File] = [],
        refusedFiles: [RefusedFile] = []
    ) {
        self.id = id
        self.owner = owner
        self.pushType = pushType
        self.topic = topic
        self.identifier = identifier
        self.date = date
        self.handling = handling
        self.outcome = outcome
        self.reason = reason
        self.isLate = isLate
        self.payload = payload
        self.files = files
        self.refusedFiles = refusedFiles
    }
}

extension LinkRecord {
    /// Any text of a record is shorter than that, but for those of its payload.
    private static let texts = 0...4096
    /// Refused files that the centre keeps of one record.
    private static let refusedFileLimit = 64
    /// Microseconds: a thousand years.
    private static let handlings = 0...Int64(31_536_000_000_000_000)

    package var body: JSONObject {
        var body: JSONObject = [
            "owner": .string(owner), "id": .string(id), "topic": .string(topic), "identifier": .string(identifier),
            "date": .string(date.text), "outcome": .string(outcome), "late": .bool(isLate),
            "payload": .object(payload.object),
        ]
        if handling != .zero { body["timings"] = ["totalMicroseconds": .integer(handling.wholeMicroseconds)] }
        body["pushType"] = pushType.map(JSON.string)
        body["reason"] = reason.map(JSON.string)
        if !files.isEmpty { body["attachments"] = .array(files.map(\.json)) }
        if !refusedFiles.isEmpty {
            body["refusedAttachments"] = .array(
                refusedFiles.map { ["identifier": .string($0.identifier), "reason": .string($0.reason)] }
            )
        }
        return body
    }

    package init(_ body: JSONObject) throws(MemberFault) {
        var members = Members(body, .lenient)
        owner = try members.owner()
        pushType = try members.optionalText("pushType", 1...64)
        id = try members.text("id", 1...64)
        topic = try members.topic()
        identifier = try members.identifier()
        date = try members.moment("date")
        var timings = try members.optionalMembers("timings")
        handling =
            .microseconds(try timings?.optionalInteger("queueMicroseconds", Self.handlings) ?? 0)
            + .microseconds(try timings?.optionalInteger("totalMicroseconds", Self.handlings) ?? 0)
        outcome = try members.text("outcome", 1...64)
        reason = try members.optionalText("reason", Self.texts)
        isLate = try members.optionalFlag("late") ?? false
        payload = try members.payload("payload")
        files =
            try members.optionalElements("attachments", atMost: RequestAttachment.limit) {
                file throws(MemberFault) in
                // Identifiers are an extension's or a sender's, and were taken by the host without a bound.
                StoredRequest.File(
                    identifier: try file.text("identifier", Self.texts),
                    type: try file.text("type", Self.texts),
                    byteCount: try file.integer("size", 0...Int64.max)
                )
            } ?? []
        refusedFiles =
            try members.optionalElements("refusedAttachments", atMost: Self.refusedFileLimit) {
                file throws(MemberFault) in
                RefusedFile(
                    identifier: try file.text("identifier", Self.texts),
                    reason: try file.text("reason", Self.texts)
                )
            } ?? []
    }

    /// The beginning of a record that says whose it is.
    private static let ownerKey = Array(#"{"owner":"#.utf8)

    /// Makes the packet of a record that the outbox has as JSON text, without reading the text.
    ///
    /// Shape: `text` is an object with at least one member, and has no `pushType` beside one that is given. An `owner`
    /// that it has is its first member, and counts. Any other text makes a packet that the centre answers with `unfit`.
    package static func packet(
        number: Int64,
        owner: String,
        pushType: String?,
        text: Span<UInt8>
    ) throws(PacketFault) -> [UInt8] {
        let hasOwner = Self.beginsWithOwner(text)
        var head: JSONObject = hasOwner ? [:] : ["owner": .string(owner)]
        head["pushType"] = pushType.map(JSON.string)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(PacketHeader.byteCount + text.count + 128)
        PacketHeader(type: LinkMessageType.record.rawValue, id: UInt64(clamping: number)).write(to: &bytes)
        head.write(to: &bytes)
        // The closing brace of the head and the opening one of the text become a comma.
        if head.isEmpty { bytes.removeLast() } else { bytes[bytes.count - 1] = UInt8(ascii: ",") }
        for index in 1..<max(1, text.count) { bytes.append(text[index]) }
        try LinkPacket.checkLength(bytes.count)
        return bytes
    }

    private static func beginsWithOwner(_ text: Span<UInt8>) -> Bool {
        guard text.count > ownerKey.count else { return false }
        for index in ownerKey.indices where text[index] != ownerKey[index] { return false }
        return true
    }
}

extension LinkRecord {
    /// The moment at which the host was done with the push.
    package var handled: Moment { Moment(milliseconds: date.milliseconds + handling.wholeMicroseconds / 1000) }
}

extension Duration {
    fileprivate var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
