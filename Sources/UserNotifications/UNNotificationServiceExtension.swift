// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The base class of a service extension: it may change a remote notification before it is delivered.
///
/// The extension runs for a remote notification that has an alert to show and says `mutable-content: 1`. A subclass
/// overrides both methods; the system makes the instances.
///
/// Apple promises neither a new process nor a new instance for a notification, and names no memory limit. Here
/// processes stay warm and serve one notification at a time, unless the extension's Info.plist allows more, and limits
/// are the host's configuration.
///
/// Every notification gets an instance of its own, on a thread of its own; `serviceExtensionTimeWillExpire` comes on
/// another thread, also while `didReceive` is still running. The content handler may be called from any thread, and
/// only its first call counts.
/// Source: Apple, "UNNotificationServiceExtension"; extension contract in ARCHITECTURE.md, "The life of one push".
open class UNNotificationServiceExtension: NSObject {
    /// Makes an instance; subclasses may override it.
    public override init() {
        super.init()
    }

    /// Takes a notification that asks to be changed; the content handler delivers the result.
    ///
    /// A content without title, subtitle and body counts as no result: the notification is delivered as it came.
    /// This implementation hands the content back unchanged.
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// The last call: hand over what there is, or the notification is delivered as it came.
    ///
    /// This implementation does nothing.
    open func serviceExtensionTimeWillExpire() {}
}
