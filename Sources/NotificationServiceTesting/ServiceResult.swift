// SPDX-License-Identifier: Apache-2.0

public import UserNotifications

/// How a notification ended that went through an extension.
public struct ServiceResult: Sendable {
    /// What `extension-host` would say of it; docs/records.md, "Outcomes".
    public enum Outcome: String, Sendable, Equatable {
        /// The extension's content is delivered.
        case modified
        /// Opened by the host, and not extended. Only a bundle's test can end so.
        case opened
        /// The content that the extension was given is delivered, or the push as it came.
        case original
        /// Nothing is shown.
        case suppressed
    }

    /// What became of the notification.
    public let outcome: Outcome
    /// Why it was not the extension's content, in the words of the delivery record: `emptyContent`, `budgetExceeded`,
    /// `crashed` …; nil for `modified`.
    public let reason: String?
    /// The extension answered the last call, not before.
    public let isLate: Bool
    /// What its user sees; of a suppressed one what the extension returned.
    ///
    /// A bundle's test knows of attachments only what `attachments` says.
    public let content: UNNotificationContent
    /// Identifiers of the attachments that are delivered with it.
    public let attachments: [String]
    /// How often the content handler was called until then; only its first call counts.
    ///
    /// A bundle's test cannot see the others.
    public let completionCount: Int
}
