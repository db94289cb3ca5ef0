// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
public import Foundation
import SceneModel
public import UserNotificationsUI

/// The view of a scene: the place where it is shown, and what the scene may ask of whoever shows it.
@MainActor public final class ViewContext {
    /// The view whose scene is being drawn.
    static var drawn: ViewContext?

    private var environment: ViewEnvironment
    private let wake: @MainActor () -> Void
    private var calls: [SceneCall] = []
    private var motion: SceneMotion?
    /// The title and buttons that were changed since the last update.
    private var changed = SceneUpdate()

    init(_ notification: UNNotification, _ environment: ViewEnvironment, wake: @escaping @MainActor () -> Void) {
        self.notification = notification
        self.environment = environment
        self.wake = wake
    }

    /// The notification that is shown, in its newest version.
    public internal(set) var notification: UNNotification

    // MARK: The place

    /// Points from one side of the view to the other, 280 to 420.
    public var width: Double { environment.width }
    /// Pixels of the screen to a point.
    public var scale: Double { environment.scale }
    /// True where light texts stand on a dark ground.
    public var isDark: Bool { environment.style == .dark }
    /// The factor by which a person wants texts larger, 0.8 to 3.1.
    public var textSize: Double { environment.textSize }
    /// True where the language is written from right to left.
    public var isRightToLeft: Bool { environment.direction == .rightToLeft }
    /// The language of whoever looks at the view.
    public var locale: Locale { Locale(identifier: environment.language) }
    /// The time zone of whoever looks at the view.
    public var timeZone: TimeZone { TimeZone(identifier: environment.timeZone) ?? .gmt }
    /// True if a person wants nothing to move.
    public var reducesMotion: Bool { environment.reducedMotion }

    // MARK: Requests

    /// The line above the view in the place of the notification's title; `nil` gives that one back.
    ///
    /// One line of 100 characters at most is shown.
    public var title: String? {
        didSet {
            changed.title = title ?? ""
            wake()
        }
    }

    /// The buttons below the view in the place of the category's, ten at most; `nil` as long as none were set.
    public var notificationActions: [UNNotificationAction]? {
        didSet {
            changed.actions = (notificationActions ?? []).prefix(SceneLimits.actionCount).map(CategoryAction.init)
            wake()
        }
    }

    /// Opens the app as if a person had clicked on the notification; the view ends.
    public func performDefaultAction() { call(.defaultAction) }

    /// Closes the view and leaves the notification in the list.
    public func dismiss() { call(.dismiss) }

    /// Lets what the next drawing changes move to its new place, over so many seconds, 10 at most.
    ///
    /// Nothing moves for whoever wants that.
    public func animate(seconds: Double = 0.25, delay: Double = 0) {
        motion = SceneMotion(seconds: seconds.within(SceneMotion.times), delay: delay.within(SceneMotion.times))
    }

    // MARK: The session

    func move(to environment: ViewEnvironment) { self.environment = environment }

    func call(_ call: SceneCall) {
        // More at once than an update may have: those before are enough to end the view.
        guard calls.count < SceneLimits.callCount else { return }
        calls.append(call)
        wake()
    }

    /// Puts what the scene has asked for beside the nodes of an update.
    func ask(in update: inout SceneUpdate) {
        update.takeBeside(changed)
        update.calls += calls
        if !update.set.isEmpty || !update.gone.isEmpty {
            update.motion = motion
            motion = nil
        }
        changed = SceneUpdate()
        calls = []
    }
}
