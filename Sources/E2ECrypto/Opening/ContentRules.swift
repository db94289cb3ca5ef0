// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// Turns what was sealed into an APNs payload.
///
/// Source: FORMAT.md, "Content rules".
package enum ContentRules {
    package enum Kind: Sendable {
        /// A JSON object.
        case json
        /// UTF-8 text, the body of the notification.
        case text
        /// A JSON object, or else text.
        case jsonOrText
    }

    /// Keys that mean something only outside the envelope.
    private static let outerKeys = ["mutable-content", "content-available", "encrypted-content", "encryption"]

    /// Throws `badContent` for anything the rules do not allow.
    ///
    /// `translate` puts an object of another system, which has no `aps`, in the words of ours.
    package static func payload(
        from content: Span<UInt8>,
        _ kind: Kind,
        allowsCritical: Bool,
        translate: (JSONObject) -> JSONObject = { $0 }
    ) throws(OpenError) -> JSONObject {
        let object = try object(from: content, kind)
        return try payload(object["aps"] == nil ? translate(object) : object, allowsCritical: allowsCritical)
    }

    /// Applies the same rules to content that is read already; throws `badContent`.
    package static func payload(_ content: JSONObject, allowsCritical: Bool) throws(OpenError) -> JSONObject {
        var object = content
        for key in outerKeys { object[key] = nil }
        if let aps = object["aps"] {
            guard case .object(let aps) = aps else { throw .badContent }
            object["aps"] = .object(cleaned(aps, allowsCritical: allowsCritical))
            return object
        }
        return try expanded(object, allowsCritical: allowsCritical)
    }

    private static func object(from content: Span<UInt8>, _ kind: Kind) throws(OpenError) -> JSONObject {
        switch kind {
        case .text:
            return try object(body: content)
        case .json:
            do { return try JSONObject(parsing: content) } catch { throw .badContent }
        case .jsonOrText:
            do {
                return try JSONObject(parsing: content)
            } catch {
                switch error {
                // An object, though not one that the rules allow.
                case .duplicateKey, .tooManyMarks, .tooDeep, .nulCharacter, .numberOutOfRange: throw .badContent
                case .unexpectedEnd, .unexpectedByte, .invalidUTF8, .invalidEscape, .notAnObject: break
                }
            }
            return try object(body: content)
        }
    }

    private static func object(body content: Span<UInt8>) throws(OpenError) -> JSONObject {
        guard !content.indices.contains(where: { content[$0] == 0 }) else { throw .badContent }
        do {
            let body = String(copying: try UTF8Span(validating: content))
            return ["body": .string(body)]
        } catch {
            throw .badContent
        }
    }

    // MARK: Shorthand

    /// Moves the shorthand keys into `aps`; every other key stays beside it.
    private static func expanded(_ shorthand: JSONObject, allowsCritical: Bool) throws(OpenError) -> JSONObject {
        var custom = shorthand
        var alert = JSONObject()
        var aps = JSONObject()
        for key in ["title", "subtitle", "body"] {
            guard let text = try text(key, in: shorthand) else { continue }
            alert[key] = text
            custom[key] = nil
        }
        if !alert.isEmpty { aps["alert"] = .object(alert) }
        if let badge = shorthand["badge"] {
            guard badge.integer != nil else { throw .badContent }
            aps["badge"] = badge
            custom["badge"] = nil
        }
        if let sound = shorthand["sound"] {
            guard sound.string != nil || sound.object != nil else { throw .badContent }
            aps["sound"] = sound
            custom["sound"] = nil
        }
        for key in ["thread-id", "category"] {
            guard let text = try text(key, in: shorthand) else { continue }
            aps[key] = text
            custom[key] = nil
        }
        var payload: JSONObject = ["aps": .object(cleaned(aps, allowsCritical: allowsCritical))]
        for member in custom.members { payload[member.key] = member.value }
        return payload
    }

    private static func text(_ key: String, in object: JSONObject) throws(OpenError) -> JSON? {
        guard let value = object[key] else { return nil }
        guard case .string = value else { throw .badContent }
        return value
    }

    // MARK: aps

    /// Without what only the outer payload may say, and critical only where it was granted.
    private static func cleaned(_ aps: JSONObject, allowsCritical: Bool) -> JSONObject {
        var aps = aps
        for key in outerKeys { aps[key] = nil }
        guard !allowsCritical else { return aps }
        if aps["interruption-level"]?.string == "critical" { aps["interruption-level"] = "active" }
        if let sound = aps["sound"]?.object, sound["critical"] != nil {
            aps["sound"] = .string(sound["name"]?.string ?? "default")
        }
        return aps
    }
}
