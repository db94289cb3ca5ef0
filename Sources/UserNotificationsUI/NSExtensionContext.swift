// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog
import Locking
public import UserNotifications

// SAFETY: all state lies behind a mutex.
/// The connection between an extension and the program that shows it.
///
/// Apple's class is in Foundation and does more; this one has only what content extensions use. Nothing shows those of
/// Apple's kind, so no instance is handed out, and the calls write one line to the log. The module NotificationScene has
/// views that are shown.
open class NSExtensionContext: NSObject, @unchecked Sendable {
    private let actions = Locked<[UNNotificationAction]>([])

    package override init() {
        super.init()
    }

    /// The buttons under the view; setting them changes what is shown.
    open var notificationActions: [UNNotificationAction] {
        get { actions.withLock { $0 } }
        set { actions.withLock { $0 = newValue } }
    }

    /// Opens the app as if the user had tapped the notification.
    ///
    /// Without effect here.
    open func performNotificationDefaultAction() { unreachable() }

    /// Closes the view and leaves the notification in the list.
    ///
    /// Without effect here.
    open func dismissNotificationContentExtension() { unreachable() }

    /// Says that the view began to play, so that its button changes.
    ///
    /// Without effect here.
    open func mediaPlayingStarted() { unreachable() }

    /// Says that the view stopped playing, so that its button changes.
    ///
    /// Without effect here.
    open func mediaPlayingPaused() { unreachable() }

    private func unreachable() {
        HostLog.warnOnce(
            "NSExtensionContext has no effect here: view controllers are not shown; write a NotificationScene"
        )
    }
}
