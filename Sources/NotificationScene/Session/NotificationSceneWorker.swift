// SPDX-License-Identifier: Apache-2.0

import Dispatch
import ExtensionWorker
import HostLog
import SceneModel
import UserNotificationsUI

/// Runs a scene as the process of a view that `extension-host` has started.
///
/// A `main.swift` without `extension-host build` is one statement:
/// ```swift
/// NotificationSceneWorker.serve(Photo())
/// ```
/// Source: PROTOCOL.md, "Views".
public enum NotificationSceneWorker {
    /// Shows one notification until the host ends the conversation; call it on the main thread, as the last statement.
    ///
    /// The expression is evaluated once. Exit status: 0 when the host hangs up or asks for it; 1 when the host breaks the
    /// protocol or the scene breaks a limit of PROTOCOL.md, "Scenes"; 2 when descriptor 3 is no socket of a host.
    public static func serve<Scene: NotificationScene>(
        _ makeScene: @autoclosure @escaping @MainActor () -> Scene
    ) -> Never {
        WorkerProcess.serve(SceneWork(makeScene))
    }
}

/// Brings a view's messages from the thread that reads them to the main one.
@MainActor private final class SceneWork<Scene: NotificationScene>: ViewWork {
    private let makeScene: @MainActor () -> Scene
    private var session: SceneSession<Scene>?

    nonisolated init(_ makeScene: @escaping @MainActor () -> Scene) {
        self.makeScene = makeScene
    }

    nonisolated func open(
        _ notification: UNNotification,
        in environment: ViewEnvironment,
        say: @escaping @Sendable (SceneUpdate) -> Void
    ) {
        onMain { work in
            work.session = SceneSession(
                work.makeScene,
                notification,
                environment,
                scratch: WorkerProcess.scratchFolder,
                say: say
            ) { fault in
                HostLog.write(.error, "the scene breaks a limit of PROTOCOL.md, \"Scenes\": \(fault)")
                WorkerProcess.end(1)
            }
        }
    }

    nonisolated func take(_ event: ViewEvent, numbered seq: UInt64) {
        onMain { $0.session?.take(event, numbered: seq) }
    }

    nonisolated func take(_ notification: UNNotification, numbered seq: UInt64) {
        onMain { $0.session?.take(notification, numbered: seq) }
    }

    nonisolated func end(_ end: @escaping @Sendable () -> Void) {
        onMain { _ in end() }
    }

    /// Calls on the main thread, in the order in which this is called.
    nonisolated private func onMain(_ body: @escaping @Sendable @MainActor (SceneWork) -> Void) {
        DispatchQueue.main.async {
            MainActor.assumeIsolated { body(self) }
        }
    }
}
