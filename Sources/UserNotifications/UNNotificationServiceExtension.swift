// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The base class of a service extension: it may change a remote notification before it is delivered.
///
/// Every notification gets an instance of its own, on a thread of its own; `serviceExtensionTimeWillExpire` comes on
/// another thread, also while `didReceive` is still running. The content handler may be called from any thread, and
/// only its first call counts.
/// Source: Apple, "UNNotificationServiceExtension"; extension contract in ARCHITECTURE.md, "The life of one push".
open class UNNotificationServiceExtension: NSObject {
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
