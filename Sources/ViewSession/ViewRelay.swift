// SPDX-License-Identifier: Apache-2.0

import Dispatch
import ExtensionWorker
import HostLog
package import SceneModel
package import UserNotificationsUI

/// Brings a view's messages from the thread that reads them to the main one.
@MainActor package final class ViewRelay<Content: ViewContent>: ViewWork {
    /// Makes the content for a notification in a place; the last argument is what it may ask for.
    package typealias Making = @MainActor (UNNotification, ViewEnvironment, ViewRequests) -> Content

    private let makeContent: Making
    private var session: ViewSession<Content>?

    /// Serves a view as `extension-host` has started it.
    ///
    /// The function is called once, on the main thread.
    package nonisolated static func serve(_ makeContent: @escaping Making) -> Never {
        WorkerProcess.serve(ViewRelay(makeContent))
    }

    private nonisolated init(_ makeContent: @escaping Making) {
        self.makeContent = makeContent
    }

    package nonisolated func open(
        _ notification: UNNotification,
        in environment: ViewEnvironment,
        say: @escaping @Sendable (SceneUpdate) -> Void
    ) {
        onMain { relay in
            relay.session = ViewSession(notification, environment, say: say) { fault in
                HostLog.write(.error, "the scene breaks a limit of PROTOCOL.md, \"Scenes\": \(fault)")
                WorkerProcess.end(1)
            } makeContent: { requests in
                relay.makeContent(notification, environment, requests)
            }
        }
    }

    package nonisolated func take(_ event: ViewEvent, numbered seq: UInt64) {
        onMain { $0.session?.take(event, numbered: seq) }
    }

    package nonisolated func take(_ notification: UNNotification, numbered seq: UInt64) {
        onMain { $0.session?.take(notification, numbered: seq) }
    }

    package nonisolated func end(_ end: @escaping @Sendable () -> Void) {
        onMain { relay in
            relay.session?.close()
            end()
        }
    }

    /// Calls on the main thread, in the order in which this is called.
    nonisolated private func onMain(_ body: @escaping @Sendable @MainActor (ViewRelay) -> Void) {
        DispatchQueue.main.async {
            MainActor.assumeIsolated { body(self) }
        }
    }
}
