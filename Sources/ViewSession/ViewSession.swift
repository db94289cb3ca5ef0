// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationCompatibility
package import SceneModel
package import UserNotificationsUI

/// One view from its notification to its end: draws its scene whenever that has changed, and hands its content what
/// people do.
@MainActor package final class ViewSession<Content: ViewContent> {
    /// The code that makes the scene.
    private var content: Content?
    private var notification: UNNotification
    private var environment: ViewEnvironment
    private let requests: ViewRequests
    private let wakes: Wakes
    private let say: @MainActor (SceneUpdate) -> Void
    private let fail: @MainActor (SceneFault) -> Void
    /// The scene as the host has it.
    private var tree = SceneTree()
    private var hasFailed = false
    /// The last event, while steps of what it has changed wait, and the updates since it was taken.
    private var unfinished: (seq: UInt64, updates: Int)?
    /// The updates after which an event is acknowledged though more steps wait: one more than a window keeps.
    private static var mostSteps: Int { 17 }
    /// The updates for which the answers to responses have waited.
    private var heldUpdates = 0

    /// Shows a notification.
    ///
    /// `makeContent` is called once. `fail` is called when the scene breaks a limit, and nothing is said any more then.
    /// The clock tells when updates may come that answer no event.
    package init(
        _ notification: UNNotification,
        _ environment: ViewEnvironment,
        clock: some Clock<Duration> = ContinuousClock(),
        say: @escaping @MainActor (SceneUpdate) -> Void,
        fail: @escaping @MainActor (SceneFault) -> Void,
        makeContent: @MainActor (ViewRequests) -> Content
    ) {
        let wakes = Wakes(clock: clock)
        self.wakes = wakes
        self.notification = notification
        self.environment = environment
        self.say = say
        self.fail = fail
        requests = ViewRequests(wakes)
        wakes.draw = { [weak self] in self?.update() }
        PersonLanguage.set(environment.language)
        wakes.hold {
            wakes.wake(drawing: true)
            content = makeContent(requests)
        }
        update()
    }

    /// Hands an event to the content, and acknowledges it with the last of what it has changed.
    package func take(_ event: ViewEvent, numbered seq: UInt64) {
        wakes.hold {
            switch event {
            case .node(let id, let event): content?.take(event, of: id)
            case .environment(let environment):
                self.environment = environment
                PersonLanguage.set(environment.language)
                content?.move(to: environment)
                wakes.wake(drawing: true)
            case .response(let response): take(response)
            case .media(let press): content?.take(press)
            // The host ends the process by itself.
            case .close: break
            }
        }
        update(acknowledging: seq)
    }

    /// Shows a newer version of the notification.
    package func take(_ notification: UNNotification, numbered seq: UInt64) {
        self.notification = notification
        wakes.hold {
            content?.show(notification)
            wakes.wake(drawing: true)
        }
        update(acknowledging: seq)
    }

    /// Says at once, in all its steps, what would be said later.
    package func flush() {
        var updates = 0
        repeat {
            update()
            updates += 1
        } while content?.hasSteps == true && updates < Self.mostSteps
    }

    /// Tells the content that the view is over; nothing is said any more.
    package func close() {
        hasFailed = true
        content?.close()
        content = nil
    }

    private func take(_ response: ViewResponse) {
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
        guard let content else { return }
        // Behind the acknowledgement, which does not wait for the author's code.
        DispatchQueue.main.async { [requests] in
            MainActor.assumeIsolated {
                content.decide(on: given) { option in
                    requests.call(.option(SceneCall.ResponseOption(option), response: response.number))
                }
            }
        }
    }

    /// Says what has changed since the last time.
    private func update(acknowledging seq: UInt64? = nil) {
        guard !hasFailed else { return }
        var update = SceneUpdate()
        if wakes.takeDrawing() { content?.draw(in: environment, into: &update) }
        update.acknowledged = acknowledged(with: seq)
        requests.ask(in: &update, holdingOptions: holdsOptions())
        guard update != SceneUpdate() else { return }
        do throws(SceneFault) { try tree.apply(update) } catch {
            hasFailed = true
            return fail(error)
        }
        say(update)
    }

    /// True while steps wait, so that whoever hears what becomes of a response has seen all that it has changed.
    private func holdsOptions() -> Bool {
        guard content?.hasSteps == true, heldUpdates < Self.mostSteps else {
            heldUpdates = 0
            return false
        }
        heldUpdates += 1
        return true
    }

    /// Returns the event that an update acknowledges: the one that it answers, or one whose last step it is.
    ///
    /// Whoever waits for an acknowledgement sees all that the event has changed at once. A later event lets go of an
    /// earlier one whose steps wait.
    private func acknowledged(with seq: UInt64?) -> UInt64? {
        guard content?.hasSteps == true else {
            defer { unfinished = nil }
            return seq ?? unfinished?.seq
        }
        if let seq {
            defer { unfinished = (seq, 1) }
            return unfinished?.seq
        }
        unfinished?.updates += 1
        guard let last = unfinished, last.updates >= Self.mostSteps else { return nil }
        unfinished = nil
        return last.seq
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
