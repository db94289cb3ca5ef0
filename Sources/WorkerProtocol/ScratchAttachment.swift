// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A file of a notification in a worker's scratch folder, as either side names it.
package struct ScratchAttachment: Sendable, Equatable {
    package var identifier: String
    /// Relative to the worker's scratch folder.
    package var path: String
    /// Uniform type identifier.
    package var type: String

    package init(identifier: String, path: String, type: String) {
        self.identifier = identifier
        self.path = path
        self.type = type
    }
}

extension ScratchAttachment {
    package static func list(_ attachments: [ScratchAttachment]) -> JSON {
        .array(
            attachments.map {
                ["identifier": .string($0.identifier), "path": .string($0.path), "type": .string($0.type)]
            }
        )
    }

    /// Returns the files in a body's `attachments`; nil when it has none.
    package static func list(in body: JSONObject) throws(MessageError) -> [ScratchAttachment]? {
        guard let value = body["attachments"] else { return nil }
        guard let elements = value.array else { throw .missing("attachments") }
        var attachments: [ScratchAttachment] = []
        for element in elements {
            guard let object = element.object else { throw .missing("attachments") }
            attachments.append(
                ScratchAttachment(
                    identifier: try object.requiredString("identifier"),
                    path: try object.requiredString("path"),
                    type: try object.requiredString("type")
                )
            )
        }
        return attachments
    }
}
