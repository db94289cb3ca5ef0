// SPDX-License-Identifier: Apache-2.0

/// A message whose bytes stand decoded in the workspace, and what came with it.
struct Sealed {
    let summary: SealedSummary
    let context: PushContext
    /// The iv that the push has beside the text; `nil` for a push without one and for formats that have none there.
    let iv: String?
}

/// A decrypted message whose sender, if it has one, is authentic; time and replay are not yet judged.
package struct Unsealed {
    /// The place of the content in the workspace's plaintext.
    let content: Range<Int>
    var kind = ContentRules.Kind.jsonOrText
    /// The part of the decoded bytes that no other message of the sender has; `nil` if messages of the same content are
    /// the same bytes.
    var identity: Range<Int>?
    /// Unix milliseconds; nil for formats without a date.
    var issued: Int64?
    /// Milliseconds that it stays valid, at most `maximumLifetime`.
    var lifetime = Unsealed.maximumLifetime
    /// nil for formats that name none.
    var sender: KeyID?
    /// True when the message comes, unchanged, from someone who shares a secret with the recipient.
    var isAuthenticated: Bool
    /// False when whoever changes the bytes can see what becomes of them; then every error is `notOpened`.
    var isIntact = true
    var usesRetiredKey = false

    /// 30 days.
    package static let maximumLifetime: Int64 = 30 * 24 * 60 * 60 * 1000
}
