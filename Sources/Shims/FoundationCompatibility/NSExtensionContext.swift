// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog
import Locking

// SAFETY: all state lies behind a mutex.
/// The connection between an extension and the program that shows it.
///
/// Apple's class is in Foundation, and each kind of extension adds to it; here only content extensions have one.
/// Source: Apple, "NSExtensionContext".
open class NSExtensionContext: NSObject, @unchecked Sendable {
    private let holder = Locked<(any Sendable)?>(nil)

    package override init() {
        super.init()
    }

    /// The object that carries out what the extension asks for, of a type that its kind of extension knows.
    package var door: (any Sendable)? {
        get { holder.withLock { $0 } }
        set { holder.withLock { $0 = newValue } }
    }

    /// The objects that were handed to the extension; none, because a notification comes by itself.
    open var inputItems: [Any] { [] }

    /// Opens a URL by the app of its kind; a view opens nothing here, so that the handler gets false.
    ///
    /// The app opens what it wants when it gets the response: ask for that by `performNotificationDefaultAction()`.
    open func open(_ URL: URL, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        HostLog.warnOnce("NSExtensionContext.open has no effect here: a view opens no URL, its app does by a response")
        completionHandler?(false)
    }
}
