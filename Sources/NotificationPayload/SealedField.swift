// SPDX-License-Identifier: Apache-2.0

/// The members of a clear payload that may carry what a sender sealed, in the order in which they count.
///
/// `encrypted-content` is ours and means one thing only. The other two are the words of other systems, which an app
/// that speaks to none of them may use for itself: they count only for apps that accept a format that uses them.
/// Source: FORMAT.md, "The push".
package enum SealedField: String, CaseIterable, Sendable {
    case encryptedContent = "encrypted-content"
    /// Home Assistant's; it counts only beside `"encrypted": true`.
    case encryptedData = "encrypted_data"
    /// Bark's.
    case ciphertext

    /// Returns what the payload has in the field.
    ///
    /// `nil` means that the field is missing, or that what stands beside it says that nothing is sealed.
    ///
    /// Any value but a string is for the opener to refuse.
    package func value(in payload: JSONObject) -> JSON? {
        if self == .encryptedData, payload["encrypted"]?.bool != true { return nil }
        return payload[rawValue]
    }
}

extension SealedField {
    /// The fields that count for an app that accepts these formats: `encrypted-content` always, so that nothing sealed
    /// in a format of ours is taken for clear text because the app does not accept it.
    package static func fields(of formats: some Sequence<SealFormatName>) -> Set<SealedField> {
        var fields: Set<SealedField> = [.encryptedContent]
        for format in formats { fields.insert(format.field) }
        return fields
    }

    /// Returns the field in which the payload carries what was sealed; `encrypted-content` wins over any other.
    ///
    /// A payload with nothing sealed in any of `fields` gives `nil`.
    package static func first(in payload: JSONObject, among fields: Set<SealedField>) -> SealedField? {
        allCases.first { fields.contains($0) && $0.value(in: payload) != nil }
    }
}
