// SPDX-License-Identifier: Apache-2.0

/// A notification's content, everywhere outside Swift memory: an APNs payload, a JSON object with `aps`.
///
/// Source: Apple, "Generating a remote notification"; docs/decisions.md, "One content schema".
package struct Payload: Sendable, Equatable {
    /// The largest number of levels that arrays and objects may nest, the payload itself included.
    package static let depthLimit = 16

    package var object: JSONObject

    package init(_ object: JSONObject) {
        self.object = object
    }

    package init(parsing bytes: Span<UInt8>) throws(JSONError) {
        object = try JSONObject(parsing: bytes)
    }

    package var serialized: [UInt8] { object.serialized }

    package subscript(key: String) -> JSON? {
        get { object[key] }
        set { object[key] = newValue }
    }
}

extension Payload {
    package var aps: JSONObject? { object["aps"]?.object }

    /// The part that the sender's side sealed: a string in our formats; any other value is for the opener to refuse.
    package var encryptedContent: JSON? { object["encrypted-content"] }

    /// `aps.mutable-content` is the number 1.
    package var isMutable: Bool { aps?["mutable-content"]?.integer == 1 }

    /// A non-empty text, title, subtitle or body, or a key of one to look up: what makes a service extension run.
    ///
    /// Source: Apple, "Modifying content in newly delivered notifications".
    package var hasDisplayableAlert: Bool {
        switch aps?["alert"] {
        case .string(let text)?: !text.isEmpty
        case .object(let alert)?:
            ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]
                .contains { alert[$0]?.string?.isEmpty == false }
        default: false
        }
    }

    /// Title, subtitle and body are all empty; sound, badge and attachments do not count.
    package var isEmpty: Bool {
        switch aps?["alert"] {
        case .string(let text)?: text.isEmpty
        case .object(let alert)?:
            ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]
                .allSatisfy { alert[$0]?.string?.isEmpty != false }
        default: true
        }
    }
}
