// SPDX-License-Identifier: Apache-2.0

public import FoundationCompatibility
public import UserNotifications

/// The wishes of a content extension, as whoever shows it hears them; called from any thread.
package protocol ContentExtensionDoor: Sendable {
    /// The buttons under the view, as they were set last.
    var actions: [UNNotificationAction] { get }

    func show(_ actions: [UNNotificationAction])
    func performDefaultAction()
    func dismiss()
    func mediaStarted()
    func mediaPaused()
}

// What UserNotificationsUI adds for content extensions.
// Source: Apple, "NSExtensionContext".
extension NSExtensionContext {
    /// The buttons under the view; setting them changes what is shown.
    public var notificationActions: [UNNotificationAction] {
        get { content?.actions ?? [] }
        set { content?.show(newValue) }
    }

    /// Opens the app as if a person had clicked the notification, and closes the view.
    ///
    /// This has no effect but within five seconds of an act of a person on the view.
    public func performNotificationDefaultAction() { content?.performDefaultAction() }

    /// Closes the view and leaves the notification in the list.
    public func dismissNotificationContentExtension() { content?.dismiss() }

    /// Says that the view began to play, so that its button changes.
    public func mediaPlayingStarted() { content?.mediaStarted() }

    /// Says that the view stopped playing, so that its button changes.
    public func mediaPlayingPaused() { content?.mediaPaused() }

    private var content: (any ContentExtensionDoor)? { door as? any ContentExtensionDoor }
}
