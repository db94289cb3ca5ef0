// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The text of a notification and everything else of it that is not asked for while a list is scanned.
///
/// Stored as one JSON object. Lengths are judged by whoever reads the record or the call.
package struct NotificationContent: Sendable, Equatable {
    /// The name by which its app knows a notification, and by which a later one replaces it.
    package var identifier: String
    /// The thread that groups it; `nil` means none.
    package var thread: String?
    /// The category that names its actions; `nil` means none.
    package var category: String?
    /// The argument for the summary of its stack; `nil` means none.
    package var argument: String?
    /// The trigger as it stands in a call; `nil` means that it was delivered at once.
    package var trigger: JSONObject?
    package var payload: JSONObject
    package var attachments: [ContentAttachment]
    /// The course that a push took through its host; `nil` means that its app added the notification here.
    package var course: RecordCourse?

    package init(
        identifier: String,
        thread: String? = nil,
        category: String? = nil,
        argument: String? = nil,
        trigger: JSONObject? = nil,
        payload: JSONObject,
        attachments: [ContentAttachment] = [],
        course: RecordCourse? = nil
    ) {
        self.identifier = identifier
        self.thread = thread
        self.category = category
        self.argument = argument
        self.trigger = trigger
        self.payload = payload
        self.attachments = attachments
        self.course = course
    }
}

extension NotificationContent {
    /// The files that are kept for it.
    package var files: [FileShelf.File] { attachments.compactMap(\.file) }

    /// The words that stand beside its head.
    var words: SummaryWords { SummaryWords(category: category, argument: argument) }

    /// Two levels of arrays and objects around a payload.
    private static let depthLimit = Payload.depthLimit + 2

    /// The content as it is stored, `identifier` first.
    package var stored: [UInt8] {
        var object: JSONObject = ["identifier": .string(identifier)]
        object["thread"] = thread.map { .string($0) }
        object["category"] = category.map { .string($0) }
        object["argument"] = argument.map { .string($0) }
        object["trigger"] = trigger.map { .object($0) }
        object["payload"] = .object(payload)
        if !attachments.isEmpty { object["attachments"] = .array(attachments.map(\.stored)) }
        object["course"] = course.map { .object($0.json) }
        return object.serialized
    }

    /// Reads what was stored; `nil` means that it is damaged.
    package init?(stored bytes: [UInt8]) {
        guard let object = try? JSONObject(parsing: bytes.span, depthLimit: Self.depthLimit),
            let identifier = object["identifier"]?.string, let payload = object["payload"]?.object
        else { return nil }
        self.init(
            identifier: identifier,
            thread: object["thread"]?.string,
            category: object["category"]?.string,
            argument: object["argument"]?.string,
            trigger: object["trigger"]?.object,
            payload: payload,
            attachments: (object["attachments"]?.array ?? []).compactMap(ContentAttachment.init(stored:)),
            course: object["course"]?.object.flatMap(RecordCourse.init(stored:))
        )
    }

    /// The bytes with which every stored content of this identifier begins, and none of another.
    package static func opening(_ identifier: String) -> [UInt8] {
        var bytes = Array(#"{"identifier":"#.utf8)
        JSON.string(identifier).write(to: &bytes)
        return bytes
    }
}
