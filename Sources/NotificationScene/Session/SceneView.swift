// SPDX-License-Identifier: Apache-2.0

import HostLog
import Observation
import SceneModel
import UserNotificationsUI
import ViewSession

/// A scene with its drawing: draws the description whenever something has changed that it has read.
@MainActor final class SceneView<Scene: NotificationScene>: ViewContent {
    private let scene: Scene
    private let context: ViewContext
    private let requests: ViewRequests
    private var renderer: SceneRenderer

    /// Shows a notification; `scratch` is the folder from which the host takes files.
    init(
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

    func draw(in environment: ViewEnvironment, into update: inout SceneUpdate) {
        (update.set, update.gone, update.files) = renderer.draw(elements(), in: environment)
        let motion = context.takeMotion()
        if !update.set.isEmpty || !update.gone.isEmpty { update.motion = motion }
    }

    /// A description is drawn whole.
    var hasSteps: Bool { false }

    func take(_ event: NodeEvent, of id: UInt32) { renderer.act(at: event.name, of: id)?(event) }

    /// Does nothing: a scene has no film.
    func take(_ press: ViewEvent.MediaPress) {}

    func move(to environment: ViewEnvironment) { context.move(to: environment) }

    func show(_ notification: UNNotification) { context.notification = notification }

    func decide(on response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption {
        await scene.didReceive(response, context)
    }

    /// Does nothing: the process ends.
    func close() {}

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
