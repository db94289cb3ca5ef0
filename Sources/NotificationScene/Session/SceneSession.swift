// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HostLog
import Locking
import Observation
import SceneModel
import UserNotificationsUI

/// One view from its notification to its end: draws its scene whenever that has changed, and hands it what people do.
@MainActor final class SceneSession<Scene: NotificationScene> {
    private let scene: Scene
    private let context: ViewContext
    private let wakes: Wakes
    private let say: @MainActor (SceneUpdate) -> Void
    private let fail: @MainActor (SceneFault) -> Void
    private var renderer: SceneRenderer
    /// The scene as the host has it.
    private var tree = SceneTree()
    private var hasFailed = false

    /// Shows a notification.
    ///
    /// `scratch` is the folder from which the host takes files. `fail` is called when the scene breaks a limit, and
    /// nothing is said any more then.
    init(
        _ makeScene: @MainActor () -> Scene,
        _ notification: UNNotification,
        _ environment: ViewEnvironment,
        scratch: String?,
        say: @escaping @MainActor (SceneUpdate) -> Void,
        fail: @escaping @MainActor (SceneFault) -> Void
    ) {
        let wakes = Wakes()
        self.wakes = wakes
        renderer = SceneRenderer(in: scratch)
        self.say = say
        self.fail = fail
        scene = makeScene()
        context = ViewContext(notification, environment) { wakes.wake(drawing: false) }
        wakes.draw = { [weak self] in self?.update() }
        wakes.hold {
            wakes.wake(drawing: true)
            scene.didOpen(context)
        }
        update()
    }

    /// Hands an event to the scene, and acknowledges it with what it has changed.
    func take(_ event: ViewEvent, numbered seq: UInt64) {
        wakes.hold {
            switch event {
            case .node(let id, let event): renderer.act(at: event.name, of: id)?(event)
            case .environment(let environment):
                context.move(to: environment)
                wakes.wake(drawing: true)
            case .response(let response): take(response)
            // The page's button for films, which a scene has not; and the host ends the process by itself.
            case .media, .close: break
            }
        }
        update(acknowledging: seq)
    }

    /// Shows a newer version of the notification.
    func take(_ notification: UNNotification, numbered seq: UInt64) {
        context.notification = notification
        wakes.hold { wakes.wake(drawing: true) }
        update(acknowledging: seq)
    }

    private func take(_ response: ViewResponse) {
        let notification = context.notification
        let given =
            if let text = response.text {
                UNTextInputNotificationResponse(
                    notification: notification,
                    actionIdentifier: response.action,
                    userText: text
                )
            } else {
                UNNotificationResponse(notification: notification, actionIdentifier: response.action)
            }
        // Ends with the process; the host waits five seconds for its word.
        Task { @MainActor in
            let option = await scene.didReceive(given, context)
            context.call(.option(SceneCall.ResponseOption(option), response: response.number))
        }
    }

    /// Says what has changed since the last time.
    private func update(acknowledging seq: UInt64? = nil) {
        guard !hasFailed else { return }
        var update = SceneUpdate(acknowledged: seq)
        let isDrawn = wakes.takeDrawing()
        if isDrawn { (update.set, update.gone, update.files) = renderer.draw(elements(), in: context.environment) }
        context.ask(in: &update, isDrawn: isDrawn)
        guard update != SceneUpdate() else { return }
        do throws(SceneFault) { try tree.apply(update) } catch {
            hasFailed = true
            return fail(error)
        }
        say(update)
    }

    /// Reads the description, and wakes when something changes that it has read.
    private func elements() -> [Element] {
        Drawing.begin()
        defer { Drawing.end() }
        return withObservationTracking {
            scene.body(context.notification.request.content, context).elements.list
        } onChange: { [wakes] in
            if Drawing.isUnderWay {
                HostLog.warnOnce(
                    "a scene changes in its body what it has read: draw from values, and change them elsewhere"
                )
            } else {
                wakes.wake(drawing: true)
            }
        }
    }
}

/// Wakes the main thread for an update, once for all that happens before it comes to that.
private final class Wakes: Sendable {
    private struct State {
        /// True if the scene may look otherwise.
        var isDrawing = false
        /// True while an update is ordered.
        var isOrdered = false
        /// Functions under way behind which an update comes anyhow.
        var holds = 0
    }

    private let state = Locked(State())
    @MainActor var draw: () -> Void

    @MainActor init() {
        draw = {}
    }

    /// Orders an update from any thread.
    func wake(drawing: Bool) {
        let mustOrder = state.withLock { state in
            state.isDrawing = state.isDrawing || drawing
            guard !state.isOrdered, state.holds == 0 else { return false }
            state.isOrdered = true
            return true
        }
        guard mustOrder else { return }
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                self.state.withLock { $0.isOrdered = false }
                self.draw()
            }
        }
    }

    /// Runs what an update follows at once, so that none is ordered by it.
    @MainActor func hold(_ body: () -> Void) {
        state.withLock { $0.holds += 1 }
        body()
        state.withLock { $0.holds -= 1 }
    }

    /// True if the scene is to be drawn now.
    func takeDrawing() -> Bool {
        state.withLock { state in
            defer { state.isDrawing = false }
            return state.isDrawing
        }
    }
}

extension SceneCall.ResponseOption {
    fileprivate init(_ option: UNNotificationContentExtensionResponseOption) {
        self =
            switch option {
            case .doNotDismiss: .doNotDismiss
            case .dismiss: .dismiss
            case .dismissAndForwardAction: .dismissAndForwardAction
            }
    }
}
