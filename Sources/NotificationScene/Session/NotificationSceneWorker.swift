// SPDX-License-Identifier: Apache-2.0

import ExtensionWorker
public import ViewSession

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
    /// The expression is evaluated once. Exit status: 0 when the host hangs up or asks for it; 1 when the host breaks
    /// the protocol or the scene breaks a limit of PROTOCOL.md, "Scenes"; 2 when descriptor 3 is no socket of a host.
    public static func serve<Scene: NotificationScene>(
        _ makeScene: @autoclosure @escaping @MainActor () -> Scene
    ) -> Never {
        ViewRelay<SceneView<Scene>>.serve { notification, environment, requests in
            SceneView(makeScene, notification, environment, scratch: WorkerProcess.scratchFolder, requests)
        }
    }
}

extension ViewProgram {
    /// Shows one notification by a scene until the host ends the conversation.
    public static func serve<Scene: NotificationScene>(
        _ makeScene: @autoclosure @escaping @MainActor () -> Scene
    ) -> Never {
        NotificationSceneWorker.serve(makeScene())
    }
}
