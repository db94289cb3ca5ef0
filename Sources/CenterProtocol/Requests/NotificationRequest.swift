// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A notification that an app asks for: its content, and when it is to come.
package struct NotificationRequest: Sendable, Equatable {
    /// Bytes of a payload, written compactly.
    package static let payloadByteCountLimit = 65_536

    package var identifier: String
    package var payload: Payload
    /// `nil` means now.
    package var trigger: RequestTrigger?
    package var attachments: [RequestAttachment]

    package init(
        identifier: String,
        payload: Payload,
        trigger: RequestTrigger? = nil,
        attachments: [RequestAttachment] = []
    ) {
        self.identifier = identifier
        self.payload = payload
        self.trigger = trigger
        self.attachments = attachments
    }

    /// The number of descriptors that travel with the request.
    package var descriptorCount: Int {
        attachments.count { if case .descriptor = $0.source { true } else { false } }
    }
}

extension NotificationRequest {
    /// The reason for which the centre answers a request with an error before it looks at its own state.
    ///
    /// `nil` means that nothing is wrong with the request by itself.
    package var failure: CallFailure? {
        if trigger?.mayFire == false { return .noDate }
        if attachments.contains(where: { AttachmentType(identifier: $0.type) == nil }) { return .attachmentType }
        return hasContent ? nil : .noContent
    }

    /// True for a text, a badge, a sound or a file: a badge of 0 counts.
    ///
    /// Source: Apple, "UNError.Code.notificationInvalidNoContent".
    private var hasContent: Bool {
        if !payload.isEmpty || !attachments.isEmpty || payload.aps?["badge"]?.integer != nil { return true }
        return switch payload.aps?["sound"] {
        case .string(let name)?: !name.isEmpty
        case .object(let sound)?: !sound.isEmpty
        case .null?, .bool?, .integer?, .double?, .array?, nil: false
        }
    }
}

extension NotificationRequest {
    package var json: JSONObject {
        var object: JSONObject = ["identifier": .string(identifier), "payload": .object(payload.object)]
        object["trigger"] = trigger.map { .object($0.json) }
        if !attachments.isEmpty { object["attachments"] = .array(attachments.map(\.json)) }
        return object
    }

    init(_ members: inout Members, from carrier: CallCarrier) throws(MemberFault) {
        identifier = try members.identifier()
        payload = try members.payload("payload")
        let byteCount = payload.serialized.count
        guard byteCount <= Self.payloadByteCountLimit else {
            throw .tooLong(members.path(of: "payload"), byteCount: byteCount)
        }
        if var trigger = try members.optionalMembers("trigger") {
            self.trigger = try RequestTrigger(&trigger)
            try trigger.end()
        }
        attachments =
            try members.optionalElements("attachments", atMost: RequestAttachment.limit) {
                element throws(MemberFault) in try RequestAttachment(&element, from: carrier)
            } ?? []
        try checkSources(members.path(of: "attachments"))
    }

    /// Each descriptor belongs to one attachment, and none is left over.
    private func checkSources(_ path: String) throws(MemberFault) {
        var seen: Set<Int> = []
        for attachment in attachments {
            guard case .descriptor(let index) = attachment.source else { continue }
            guard index < attachments.count else { throw .outOfRange("\(path).descriptor") }
            guard seen.insert(index).inserted else { throw .repeated("\(path).descriptor") }
        }
    }
}
