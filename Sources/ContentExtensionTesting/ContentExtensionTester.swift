// SPDX-License-Identifier: Apache-2.0

import ContentExtensionWorker
public import Foundation
import NotificationPayload
public import NotificationScene
public import NotificationServiceTesting
import SceneModel
public import UIKit
import UserNotifications
public import UserNotificationsUI
import ViewSession

/// Shows the controller of a content extension, or a scene, in this process, by a clock that the test moves.
///
/// ```swift
/// let tester = ContentExtensionTester(NotificationViewController())
/// let view = try await tester.show(#"{"aps": {"alert": "Hi", "category": "photo"}}"#)
/// try await view.tap("Like")
/// try await tester.advance(by: .seconds(0.3))
/// #expect(view.find("heart")?.opacity == 1)
/// ```
/// The controller lives as in its extension: it is made, laid out, shown, and gets the notification; its scene is
/// judged by the host's limits. A view that asks for its end, and one that breaks a limit, has `ended`.
///
/// **Time.** What UIKit and AVFoundation do in time follows the tester's clock, which `advance(by:)` alone moves:
/// completions of animations, keyframes, `UIViewPropertyAnimator`, `CAAnimation`, `CADisplayLink`,
/// `CACurrentMediaTime()` and players, and the five seconds that a response waits for its decision. Not the clock's are
/// `Task.sleep`, `DispatchQueue.asyncAfter` and the network: these take the machine's time, and `ShownView.until(_:)`
/// waits for them. A `Timer` never fires here, because no run loop runs in a test's process.
///
/// A step returns once the main queue has done what the step put on it, and the view shows what follows.
///
/// **What is not here.** There is no sandbox, no Info.plist and no storyboard: `extension-host build` makes Swift of
/// storyboards, outlets and selectors, which a package does not compile. `BundleTest.show(_:)` shows the bundle of such
/// an extension, with all of these.
///
/// One view is open at a time in a process, since UIKit has one screen: `show(_:)` waits until other tests have closed
/// theirs, or let them go.
@MainActor public final class ContentExtensionTester {
    /// Makes a session for a notification, whose updates and fault go to the functions.
    typealias Opening =
        @MainActor @Sendable (
            _ notification: UNNotification,
            _ scratch: String,
            _ say: @escaping @MainActor (SceneUpdate) -> Void,
            _ fail: @escaping @MainActor (SceneFault) -> Void
        ) -> any OpenSession

    let open: Opening
    /// The screen and the clock of the views that this tester shows.
    let stage = Stage(Timeline())
    private let date: Date
    /// The view that was shown last.
    private weak var door: ControllerDoor?

    /// A tester of the controller that the expression makes, anew for each notification.
    ///
    /// `initialSizeRatio` is `UNNotificationExtensionInitialContentSizeRatio` of its Info.plist, 0 to 2; `date` is the
    /// moment of the delivery, by default the first of January 2026, so that a scene that shows it is always the same.
    public nonisolated convenience init(
        _ makeController:
            @autoclosure @escaping @MainActor @Sendable () -> any (
                UIViewController
                    & UNNotificationContentExtension
            ),
        in place: ViewPlace = ViewPlace(),
        initialSizeRatio: Double = 1,
        date: Date = Date(timeIntervalSince1970: 1_767_225_600)
    ) {
        let environment = place.environment
        let ratio = initialSizeRatio.isFinite ? min(max(0, initialSizeRatio), 2) : 1
        self.init(date) { notification, scratch, say, fail in
            ViewSession(notification, environment, say: say, fail: fail) { requests in
                ControllerContent(
                    makeController,
                    notification,
                    environment,
                    scratch: scratch,
                    ratio: ratio,
                    requests
                )
            }
        }
    }

    /// A tester of the scene that the expression makes, anew for each notification.
    public nonisolated convenience init<Scene: NotificationScene>(
        _ makeScene: @autoclosure @escaping @MainActor @Sendable () -> Scene,
        in place: ViewPlace = ViewPlace(),
        date: Date = Date(timeIntervalSince1970: 1_767_225_600)
    ) {
        let environment = place.environment
        self.init(date) { notification, scratch, say, fail in
            ViewSession(notification, environment, say: say, fail: fail) { requests in
                SceneView(makeScene, notification, environment, scratch: scratch, requests)
            }
        }
    }

    private nonisolated init(_ date: Date, _ open: @escaping Opening) {
        CenterReach.forbid()
        self.date = date
        self.open = open
    }

    /// Shows a notification, the JSON of an APNs payload; the view has its first scene then, or has ended.
    ///
    /// Throws `PayloadProblem` when the text is no payload, `ViewProblem` when the same test has another view open,
    /// `CancellationError` when the task is cancelled while other tests have theirs.
    public func show(_ payload: String) async throws -> ShownView {
        let notification = notification(try PayloadProblem.parse(payload))
        try await OpenViews.enter()
        let state = ViewState()
        let door = ControllerDoor(self, notification, state)
        self.door = door
        await door.settle()
        return ShownView(state, door)
    }

    /// Moves the clock, and makes what it passes happen: each at its own time, and seen by the view then.
    ///
    /// Throws `ViewProblem` for a duration below zero.
    public func advance(by duration: Duration) async throws {
        guard duration >= .zero else { throw ViewProblem("time does not go back by \(duration)", hint: nil) }
        await stage.timeline.move(by: duration) { await door?.settle() }
        await door?.settle()
    }

    /// A notification as an extension gets it.
    func notification(_ payload: Payload) -> UNNotification {
        let request = UNNotificationRequest(
            identifier: "notification",
            content: UNNotificationContent(payload: payload),
            trigger: UNPushNotificationTrigger()
        )
        return UNNotification(request: request, date: date)
    }
}
