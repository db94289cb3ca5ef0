// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The course that a push took through its host: what became of it, and why.
///
/// Source: docs/records.md, "Outcomes" and "Reasons".
package struct RecordCourse: Sendable, Equatable {
    package var outcome: String
    /// A word for programs, or a remark; `nil` means that all went well.
    package var reason: String?
    /// True if the extension answered its last call.
    package var isLate: Bool

    package init(outcome: String, reason: String? = nil, isLate: Bool = false) {
        self.outcome = outcome
        self.reason = reason
        self.isLate = isLate
    }

    /// True if the extension or its filter took the notification away.
    package var isSuppressed: Bool { outcome == "suppressed" }

    /// The members of a record with the same names.
    package var json: JSONObject {
        var object: JSONObject = ["outcome": .string(outcome)]
        object["reason"] = reason.map(JSON.string)
        if isLate { object["late"] = true }
        return object
    }

    /// Reads what was stored; `nil` means that it is damaged.
    init?(stored object: JSONObject) {
        guard let outcome = object["outcome"]?.string else { return nil }
        self.init(outcome: outcome, reason: object["reason"]?.string, isLate: object["late"] == .bool(true))
    }
}
