// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A file that an app attaches to a request.
package struct RequestAttachment: Sendable, Equatable {
    /// Attachments of one notification.
    package static let limit = 10

    /// The place from which the centre takes the bytes.
    package enum Source: Sendable, Equatable {
        /// A descriptor that travels with the packet, counted from 0.
        case descriptor(Int)
        /// A path below the scratch folder of the worker that makes the request.
        case scratch(String)
        /// The name that the centre gave to bytes sent before, over HTTP.
        case upload(String)
    }

    /// The picture that a surface shows in place of the file.
    package struct Thumbnail: Sendable, Equatable {
        /// `nil` means that the app says nothing of it.
        package var hidden: Bool?
        /// Left, top, width and height, each 0 to 1; `nil` means the whole picture.
        package var clip: [Double]?
        /// Seconds from the beginning of a film; `nil` means that the app names no moment.
        package var time: Double?

        package init(hidden: Bool? = nil, clip: [Double]? = nil, time: Double? = nil) {
            self.hidden = hidden
            self.clip = clip
            self.time = time
        }
    }

    package var identifier: String
    /// Uniform type identifier.
    package var type: String
    package var source: Source
    package var thumbnail: Thumbnail?

    package init(identifier: String, type: String, source: Source, thumbnail: Thumbnail? = nil) {
        self.identifier = identifier
        self.type = type
        self.source = source
        self.thumbnail = thumbnail
    }
}

extension RequestAttachment {
    var json: JSON {
        var object: JSONObject = ["identifier": .string(identifier), "type": .string(type)]
        switch source {
        case .descriptor(let index): object["descriptor"] = .integer(Int64(index))
        case .scratch(let path): object["path"] = .string(path)
        case .upload(let name): object["upload"] = .string(name)
        }
        object["thumbnail"] = thumbnail.map { .object($0.json) }
        return .object(object)
    }

    init(_ members: inout Members, from carrier: CallCarrier) throws(MemberFault) {
        identifier = try members.identifier()
        type = try members.text("type", CenterNames.identifierByteCounts)
        switch carrier {
        case .socket: source = .descriptor(Int(try members.integer("descriptor", 0...Int64(Self.limit - 1))))
        case .worker: source = .scratch(try members.text("path", CenterNames.scratchPathByteCounts))
        case .http: source = .upload(try members.text("upload", CenterNames.identifierByteCounts))
        }
        thumbnail = try Thumbnail.optional(in: &members)
    }
}

extension RequestAttachment.Thumbnail {
    package var json: JSONObject {
        var object: JSONObject = [:]
        object["hidden"] = hidden.map(JSON.bool)
        object["clip"] = clip.map { .array($0.map(JSON.double)) }
        object["time"] = time.map(JSON.double)
        return object
    }

    /// Reads what `json` wrote; `nil` for anything else.
    package init?(stored object: JSONObject) {
        var members = Members(object, .strict)
        guard let thumbnail = try? Self(&members), (try? members.end()) != nil else { return nil }
        self = thumbnail
    }

    /// Takes `thumbnail`, which may be absent.
    static func optional(in members: inout Members) throws(MemberFault) -> Self? {
        guard var words = try members.optionalMembers("thumbnail") else { return nil }
        let thumbnail = try Self(&words)
        try words.end()
        return thumbnail
    }

    private init(_ members: inout Members) throws(MemberFault) {
        hidden = try members.optionalFlag("hidden")
        if let list = try members.optionalList("clip", atMost: 4) {
            clip = try list.map { value throws(MemberFault) in
                guard let number = value.double else { throw .wrongKind(members.path(of: "clip")) }
                guard (0...1).contains(number) else { throw .outOfRange(members.path(of: "clip")) }
                return number
            }
            guard list.count == 4 else { throw .malformed(members.path(of: "clip")) }
        }
        time = try members.optionalNumber("time")
        if let time, time < 0 { throw .outOfRange(members.path(of: "time")) }
    }
}
