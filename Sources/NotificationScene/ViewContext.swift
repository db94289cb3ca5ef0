// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel
public import UserNotificationsUI
import ViewSession

/// The view of a scene: the place where it is shown, and what the scene may ask of whoever shows it.
@MainActor public final class ViewContext {
    private(set) var environment: ViewEnvironment
    private let requests: ViewRequests
    private var motion: SceneMotion?

    init(_ notification: UNNotification, _ environment: ViewEnvironment, _ requests: ViewRequests) {
        self.notification = notification
        self.environment = environment
        self.requests = requests
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
    /// One line of 100 characters at most is shown, and none unless the extension's Info.plist has
    /// `UNNotificationExtensionOverridesDefaultTitle`.
    public var title: String? {
        didSet {
            let shown = (title ?? "").asSceneTitle
            requests.change { $0.title = shown }
        }
    }

    /// The buttons below the view; setting them takes the category's away for the life of the view.
    ///
    /// Ten are shown at most, and none whose identifier is empty or longer than 256 bytes of UTF-8.
    public var notificationActions: [UNNotificationAction] = [] {
        didSet {
            let taken = SceneUpdate.readable(showing: notificationActions)
            requests.change { $0.actions = taken }
        }
    }

    /// Opens the app as if a person had clicked on the notification; the view ends.
    ///
    /// This has no effect but within five seconds of an act of a person on the view.
    public func performDefaultAction() { requests.call(.defaultAction) }

    /// Closes the view and leaves the notification in the list.
    ///
    /// Work that is under way then ends with the process.
    public func dismiss() { requests.call(.dismiss) }

    /// Lets what the next drawing changes move to its new place, over so many seconds, 10 at most.
    ///
    /// Nothing moves for a person who wants no motion.
    public func animate(seconds: Double = 0.25, delay: Double = 0) {
        motion = SceneMotion(seconds: seconds.within(SceneMotion.times), delay: delay.within(SceneMotion.times))
    }

    // MARK: The session

    func move(to environment: ViewEnvironment) { self.environment = environment }

    /// Returns how the next drawing moves, once.
    func takeMotion() -> SceneMotion? {
        defer { motion = nil }
        return motion
    }
}
