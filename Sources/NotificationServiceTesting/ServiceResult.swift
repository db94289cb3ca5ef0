// SPDX-License-Identifier: Apache-2.0

public import UserNotifications

/// The result of handing one notification to an extension.
public struct ServiceResult: Sendable {
    /// The outcome of a notification, as `extension-host` names it; docs/records.md, "Outcomes".
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

    /// The outcome of the notification.
    public let outcome: Outcome
    /// The reason for which the extension's content is not delivered, in the words of the delivery record:
    /// `emptyContent`, `budgetExceeded`, `crashed` …; for `modified` and `opened` nil, or the remark of a bundle's
    /// record.
    public let reason: String?
    /// The extension answered the last call, not before.
    public let isLate: Bool
    /// The content that the user sees; for a suppressed notification, the one that the extension returned or, in a
    /// bundle's test, was given.
    ///
    /// A bundle's test knows of attachments only what `attachments` says.
    public let content: UNNotificationContent
    /// Identifiers of the attachments that are delivered with it.
    public let attachments: [String]
    /// The number of calls of the content handler until the notification ended; only the first call counts.
    ///
    /// A bundle's test tells only of the call whose content is delivered: 1 for `modified`, else 0.
    public let completionCount: Int
}
