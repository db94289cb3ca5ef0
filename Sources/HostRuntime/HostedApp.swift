// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// An app as the pipeline knows it: its policy, never its keys.
package struct HostedApp: Sendable {
    /// The app's bundle identifier.
    package let topic: String
    /// The fields in which the app's pushes carry what the opener is to open.
    ///
    /// Empty: the opener holds no keys for it.
    package let sealedFields: Set<SealedField>
    /// The app's service extension; `nil` means that the app has none.
    package let `extension`: HostedExtension?
    /// The extension's time: from the moment a worker takes the notification to the kill.
    package let budget: Duration
    /// The time from the last call to the end of the budget; shorter than the budget.
    package let grace: Duration
    /// The longest time that a notification waits for a worker, the start of one included.
    package let wait: Duration
    package let allowsCriticalAlerts: Bool
    /// The texts that the app's senders name by key.
    package let texts: LocalizedTexts

    package init(
        topic: String,
        sealedFields: Set<SealedField>,
        extension: HostedExtension?,
        budget: Duration = .seconds(30),
        grace: Duration = .seconds(2),
        wait: Duration = .seconds(30),
        allowsCriticalAlerts: Bool = false,
        texts: LocalizedTexts = LocalizedTexts()
    ) {
        self.topic = topic
        self.sealedFields = sealedFields
        self.extension = `extension`
        self.budget = budget
        self.grace = grace
        self.wait = wait
        self.allowsCriticalAlerts = allowsCriticalAlerts
        self.texts = texts
    }
}

package struct HostedExtension: Sendable {
    /// Empty content suppresses the notification.
    ///
    /// Source: Apple, entitlement `com.apple.developer.usernotifications.filtering`.
    package let filtersNotifications: Bool
    /// The sealed files of a payload are brought before it and given to it, for half as long at most as its budget is
    /// before the last call; otherwise they are brought beside it and added after it.
    package let seesSealedFiles: Bool

    package init(filtersNotifications: Bool, seesSealedFiles: Bool = false) {
        self.filtersNotifications = filtersNotifications
        self.seesSealedFiles = seesSealedFiles
    }
}
