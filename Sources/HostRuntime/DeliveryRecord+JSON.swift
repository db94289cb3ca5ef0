// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

extension DeliveryRecord {
    /// The record as every sink shows it.
    ///
    /// Each key is always there, but for these: `owner`, which is the first one and not that of the only owner;
    /// `pushType`, which an alert does without; `delivery`, which a host with a journal gives; `sender`, whom a
    /// listener has asked who he is; `signal`, which a crash has; `attachments` and `refusedAttachments`, lists of at
    /// least one.
    ///
    /// Source: docs/records.md, "Outcomes".
    package var json: JSONObject {
        // In front, where the link to a notification centre finds it without reading the record.
        var object: JSONObject = owner == OwnedApp.onlyOwner ? [:] : ["owner": .string(owner)]
        let facts: JSONObject = [
            "id": .string(id),
            "topic": .string(topic),
            "identifier": .string(identifier),
            "date": .string(date.timestamp),
            "outcome": .string(outcome.name),
            "reason": reason.map { .string($0) } ?? .null,
            "late": .bool(outcome == .modified(late: true)),
        ]
        for member in facts.members { object[member.key] = member.value }
        if pushType != .alert { object["pushType"] = .string(pushType.rawValue) }
        if let delivery { object["delivery"] = .string(delivery) }
        if let sender { object["sender"] = .object(sender.json) }
        if case .original(.failed(.crashed(let signal))) = outcome { object["signal"] = .integer(Int64(signal)) }
        object["payload"] = .object(payload.object)
        if !attachments.kept.isEmpty { object["attachments"] = .array(attachments.kept.map(\.json)) }
        if !attachments.refused.isEmpty { object["refusedAttachments"] = .array(attachments.refused.map(\.json)) }
        var timings: JSONObject = [
            "openMicroseconds": self.timings.open.map { .integer($0.microseconds) } ?? .null,
            "waitMicroseconds": self.timings.wait.map { .integer($0.microseconds) } ?? .null,
            "extensionMicroseconds": self.timings.extension.map { .integer($0.microseconds) } ?? .null,
            "totalMicroseconds": .integer(self.timings.total.microseconds),
        ]
        timings["queueMicroseconds"] = self.timings.queue.map { .integer($0.microseconds) }
        object["timings"] = .object(timings)
        object["worker"] = worker.map(\.json) ?? .null
        return object
    }
}

extension Attachment {
    fileprivate var json: JSON {
        [
            "identifier": .string(identifier),
            "path": .string(path),
            "type": .string(type),
            "size": .integer(Int64(byteCount)),
        ]
    }
}

extension Attachments.Refused {
    fileprivate var json: JSON {
        ["identifier": .string(identifier), "reason": .string(reason.rawValue)]
    }
}

extension WorkerUse {
    fileprivate var json: JSON {
        [
            "pid": .integer(Int64(pid)),
            "fresh": .bool(fresh),
            "peakMemoryBytes": peakMemoryByteCount.map { .integer(Int64(clamping: $0)) } ?? .null,
            "sandbox": sandbox.map { .string($0) } ?? .null,
        ]
    }
}

extension Outcome {
    /// The outcome as the delivery record spells it.
    package var name: String {
        switch self {
        case .modified: "modified"
        case .opened: "opened"
        case .original: "original"
        case .suppressed: "suppressed"
        }
    }

    package var reason: String? {
        switch self {
        case .modified, .opened: nil
        case .original(let reason): reason.name
        case .suppressed(let reason): reason.rawValue
        }
    }
}
