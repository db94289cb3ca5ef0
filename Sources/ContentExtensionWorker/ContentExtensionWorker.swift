// SPDX-License-Identifier: Apache-2.0

import ExtensionWorker
import HostLog
public import UIKit
public import UserNotificationsUI
public import ViewSession

/// Runs a content extension as the process of a view that `extension-host` has started.
///
/// `extension-host build` writes the `main.swift` that calls it, with the controller of the storyboard or the principal
/// class of Info.plist.
/// Source: PROTOCOL.md, "Views".
public enum ContentExtensionWorker {
    /// Shows one notification until the host ends the conversation; call it on the main thread, as the last statement.
    ///
    /// The expression is evaluated once. Exit status: 0 when the host hangs up or asks for it; 1 when the host breaks
    /// the protocol or the scene breaks a limit of PROTOCOL.md, "Scenes"; 2 when descriptor 3 is no socket of a host.
    public static func serve(
        _ makeController:
            @autoclosure @escaping @MainActor () -> any (UIViewController & UNNotificationContentExtension)
    ) -> Never {
        ViewRelay<ControllerContent>.serve { notification, environment, requests in
            ControllerContent(
                makeController,
                notification,
                environment,
                scratch: WorkerProcess.scratchFolder,
                requests
            )
        }
    }

    /// Shows one notification by the first controller of a storyboard.
    ///
    /// The build has checked that there is one, and that its class is a content extension's.
    public static func serve(storyboard name: String) -> Never {
        serve(controller(ofStoryboard: name))
    }

    @MainActor private static func controller(
        ofStoryboard name: String
    ) -> any (UIViewController & UNNotificationContentExtension) {
        let found = NibFiles.initialViewController(ofStoryboard: name)
        guard let controller = found as? any (UIViewController & UNNotificationContentExtension) else {
            HostLog.write(.error, "the storyboard \(name) has no first controller of a content extension")
            WorkerProcess.end(1)
        }
        return controller
    }
}

extension ViewProgram {
    /// Shows one notification by a controller until the host ends the conversation.
    public static func serve(
        _ makeController:
            @autoclosure @escaping @MainActor () -> any (UIViewController & UNNotificationContentExtension)
    ) -> Never {
        ContentExtensionWorker.serve(makeController())
    }

    /// Shows one notification by the first controller of a storyboard.
    public static func serve(storyboard name: String) -> Never {
        ContentExtensionWorker.serve(storyboard: name)
    }
}
