// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A request as the centre hands it back: with facts on its files in the place of the files.
package struct StoredRequest: Sendable, Equatable {
    /// A file that the centre keeps.
    package struct File: Sendable, Equatable {
        package var identifier: String
        /// Uniform type identifier.
        package var type: String
        package var byteCount: Int64
        /// The centre's word for the file, by which an app asks for the bytes, of 1 to 32 bytes; `nil` in a
        /// record of the host, which has another way for them.
        package var name: String?
        package var thumbnail: RequestAttachment.Thumbnail?

        package init(
            identifier: String,
            type: String,
            byteCount: Int64,
            name: String? = nil,
            thumbnail: RequestAttachment.Thumbnail? = nil
        ) {
            self.identifier = identifier
            self.type = type
            self.byteCount = byteCount
            self.name = name
            self.thumbnail = thumbnail
        }
    }

    package var identifier: String
    package var payload: Payload
    /// `nil` means that the request was to be delivered at once; one from a gateway has `push`.
    package var trigger: RequestTrigger?
    package var files: [File]

    package init(identifier: String, payload: Payload, trigger: RequestTrigger? = nil, files: [File] = []) {
        self.identifier = identifier
        self.payload = payload
        self.trigger = trigger
        self.files = files
    }
}

/// A request whose trigger has not fired, or fires again.
package struct PendingRequest: Sendable, Equatable {
    package var request: StoredRequest
    /// The next moment at which the trigger fires; `nil` means that a place decides.
    package var next: Moment?

    package init(request: StoredRequest, next: Moment? = nil) {
        self.request = request
        self.next = next
    }
}

/// A notification that was delivered.
package struct StoredNotification: Sendable, Equatable {
    /// The owner's number, above 0; an update has a new one.
    package var number: Int64
    package var date: Moment
    package var request: StoredRequest

    package init(number: Int64, date: Moment, request: StoredRequest) {
        self.number = number
        self.date = date
        self.request = request
    }
}

// MARK: JSON

extension StoredRequest {
    package var json: JSONObject {
        var object: JSONObject = ["identifier": .string(identifier), "payload": .object(payload.object)]
        object["trigger"] = trigger.map { .object($0.json) }
        if !files.isEmpty { object["attachments"] = .array(files.map(\.json)) }
        return object
    }

    init(_ members: inout Members) throws(MemberFault) {
        identifier = try members.identifier()
        payload = try members.payload("payload")
        if var trigger = try members.optionalMembers("trigger") {
            self.trigger = try RequestTrigger(&trigger)
            try trigger.end()
        }
        files = try File.list(in: &members)
    }
}

extension StoredRequest.File {
    package var json: JSON {
        var object: JSONObject = [
            "identifier": .string(identifier), "type": .string(type), "size": .integer(byteCount),
        ]
        object["file"] = name.map(JSON.string)
        object["thumbnail"] = thumbnail.map { .object($0.json) }
        return .object(object)
    }

    /// Takes `attachments`, which may be absent.
    static func list(in members: inout Members) throws(MemberFault) -> [StoredRequest.File] {
        try members.optionalElements("attachments", atMost: RequestAttachment.limit) {
            file throws(MemberFault) in
            StoredRequest.File(
                identifier: try file.identifier(),
                type: try file.text("type", CenterNames.identifierByteCounts),
                byteCount: try file.integer("size", 0...Int64.max),
                name: try file.optionalText("file", StoredFileName.byteCounts),
                thumbnail: try RequestAttachment.Thumbnail.optional(in: &file)
            )
        } ?? []
    }
}

extension PendingRequest {
    package var json: JSONObject {
        var object = request.json
        object["next"] = next.map { .string($0.text) }
        return object
    }

    init(_ members: inout Members) throws(MemberFault) {
        request = try StoredRequest(&members)
        next = try members.optionalMoment("next")
    }
}

extension StoredNotification {
    package var json: JSONObject {
        ["number": .integer(number), "date": .string(date.text), "request": .object(request.json)]
    }

    init(_ members: inout Members) throws(MemberFault) {
        number = try members.integer("number", 1...Int64.max)
        date = try members.moment("date")
        var request = try members.members("request")
        self.request = try StoredRequest(&request)
        try request.end()
    }
}

extension Members {
    /// Takes `notification`; `nil` means that it is absent.
    mutating func optionalNotification() throws(MemberFault) -> StoredNotification? {
        guard var members = try optionalMembers("notification") else { return nil }
        let notification = try StoredNotification(&members)
        try members.end()
        return notification
    }

    mutating func notification() throws(MemberFault) -> StoredNotification {
        guard let notification = try optionalNotification() else { throw .missing(path(of: "notification")) }
        return notification
    }
}
