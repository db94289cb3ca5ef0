// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

extension DeliveryRecord {
    /// The record as every sink shows it: each key always there, `signal` only after a crash.
    ///
    /// Source: ARCHITECTURE.md, "Delivery record".
    package var json: JSONObject {
        var object: JSONObject = [
            "id": .string(id),
            "topic": .string(topic),
            "identifier": .string(identifier),
            "date": .string(date.timestamp),
            "outcome": .string(outcome.name),
            "reason": reason.map { .string($0) } ?? .null,
            "late": .bool(outcome == .modified(late: true)),
        ]
        if case .original(.failed(.crashed(let signal))) = outcome { object["signal"] = .integer(Int64(signal)) }
        object["payload"] = .object(payload.object)
        object["timings"] = [
            "openMicroseconds": timings.open.map { .integer($0.microseconds) } ?? .null,
            "extensionMicroseconds": timings.extension.map { .integer($0.microseconds) } ?? .null,
            "totalMicroseconds": .integer(timings.total.microseconds),
        ]
        object["worker"] = worker.map(\.json) ?? .null
        return object
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
    /// As the delivery record spells it.
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
