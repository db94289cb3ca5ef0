// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The action of a user who opened the app from the notification itself.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The action of a user who dismissed the notification explicitly.
///
/// Only categories with ``UNNotificationCategoryOptions/customDismissAction`` report it. A banner that goes by itself
/// is not dismissed.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

// SAFETY: immutable after `init`, subclasses included.
/// An action that a user took on a notification.
///
/// Only the system makes a response. One notification gives at most one each time it is shown. Apple's `targetScene` is
/// not declared: there are no scenes.
open class UNNotificationResponse: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let action: String
    private let subject: UNNotification

    package init(notification: UNNotification, actionIdentifier: String) {
        action = actionIdentifier
        subject = notification
    }

    /// The identifier of an action of the app, ``UNNotificationDefaultActionIdentifier`` or
    /// ``UNNotificationDismissActionIdentifier``.
    open var actionIdentifier: String { action }
    /// The whole notification, as it was shown.
    open var notification: UNNotification { subject }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns the response itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares classes and everything they hold.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationResponse else { return false }
        return type(of: other) == type(of: self) && action == other.action && subject == other.subject
    }

    /// The same for equal objects.
    open override var hash: Int { action.hashValue ^ subject.hash }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.text(forKey: "actionIdentifier"),
            let notification = coder.object(of: UNNotification.self, forKey: "notification")
        else { return nil }
        action = identifier
        subject = notification
    }

    /// Archives action identifier and notification.
    open func encode(with coder: NSCoder) {
        coder.encode(action as NSString, forKey: "actionIdentifier")
        coder.encode(subject, forKey: "notification")
    }
}
