// SPDX-License-Identifier: Apache-2.0

/// The formats of sealed content, in the order in which they are looked for.
///
/// A new format is a case here and a file beside the others in E2ECrypto; the compiler then names each place that has
/// to know it.
/// Source: FORMAT.md, "Other formats".
package enum SealFormatName: String, CaseIterable, Sendable {
    case v1
    case sealedBox = "sealed-box"
    case box
    case webPush = "web-push"
    case homeAssistant = "home-assistant"
    case barkGCM = "bark-gcm"
    case barkCBC = "bark-cbc"

    /// The formats that an app accepts if it names none.
    package static let defaults: [SealFormatName] = [.v1, .sealedBox]

    /// The member of a push that carries the format.
    package var field: SealedField {
        switch self {
        case .v1, .sealedBox, .box, .webPush: .encryptedContent
        case .homeAssistant: .encryptedData
        case .barkGCM, .barkCBC: .ciphertext
        }
    }

    /// True if a key file has a secret of the format in a line of its own: the format's name, a colon and words.
    package var hasSharedSecret: Bool {
        switch self {
        case .v1, .sealedBox, .box: false
        case .webPush, .homeAssistant, .barkGCM, .barkCBC: true
        }
    }
}
