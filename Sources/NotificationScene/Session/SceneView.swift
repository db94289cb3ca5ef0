// SPDX-License-Identifier: Apache-2.0

import HostLog
import Observation
package import SceneModel
package import UserNotificationsUI
package import ViewSession

/// A scene with its drawing: draws the description whenever something has changed that it has read.
@MainActor package final class SceneView<Scene: NotificationScene>: ViewContent {
    private let scene: Scene
    private let context: ViewContext
    private let requests: ViewRequests
    private var renderer: SceneRenderer

    /// Shows a notification; `scratch` is the folder from which the host takes files.
    package init(
        _ makeScene: @MainActor () -> Scene,
        _ notification: UNNotification,
        _ environment: ViewEnvironment,
        scratch: String?,
        _ requests: ViewRequests
    ) {
        self.requests = requests
        context = ViewContext(notification, environment, requests)
        renderer = SceneRenderer(in: scratch)
        scene = makeScene()
        scene.didOpen(context)
    }

    package func draw(in environment: ViewEnvironment, into update: inout SceneUpdate) {
        (update.set, update.gone, update.files) = renderer.draw(elements(), in: environment)
        let motion = context.takeMotion()
        if !update.set.isEmpty || !update.gone.isEmpty { update.motion = motion }
    }

    /// A description is drawn whole.
    package var hasSteps: Bool { false }

    package func take(_ event: NodeEvent, of id: UInt32) { renderer.act(at: event.name, of: id)?(event) }

    /// Does nothing: a scene has no film.
    package func take(_ press: ViewEvent.MediaPress) {}

    package func move(to environment: ViewEnvironment) { context.move(to: environment) }

    package func show(_ notification: UNNotification) { context.notification = notification }

    package func decide(
        on response: UNNotificationResponse,
        answer: @escaping @MainActor (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        // Ends with the process; the host waits five seconds for its word.
        Task { answer(await scene.didReceive(response, context)) }
    }

    /// Does nothing: the process ends.
    package func close() {}

    /// Reads the description, and orders a drawing when something changes that it has read.
    private func elements() -> [Element] {
        Drawing.begin()
        defer { Drawing.end() }
        return withObservationTracking {
            scene.body(context.notification.request.content, context).elements.list
        } onChange: { [requests] in
            if Drawing.isUnderWay {
                HostLog.warnOnce(
                    "a scene changes in its body what it has read: draw from values, and change them elsewhere"
                )
            } else {
                requests.drawAnew()
            }
        }
    }
}
