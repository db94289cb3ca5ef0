// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`.
/// A user's answer to a ``UNTextInputNotificationAction``.
open class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
    private let text: String

    package init(notification: UNNotification, actionIdentifier: String, userText: String) {
        text = userText
        super.init(notification: notification, actionIdentifier: actionIdentifier)
    }

    /// The words that the user wrote, at most 16 KiB of UTF-8; that limit is ours.
    open var userText: String { text }

    // MARK: NSObject, NSSecureCoding

    /// Compares classes and everything they hold.
    open override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object) && (object as? UNTextInputNotificationResponse)?.text == text
    }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard let userText = coder.text(forKey: "userText") else { return nil }
        text = userText
        super.init(coder: coder)
    }

    /// Archives what a response has, and the text.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(text as NSString, forKey: "userText")
    }
}
