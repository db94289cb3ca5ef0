// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import NotificationPayload

/// The rule by which a notification is shown: a pure function, asked once, at delivery.
///
///     let showing = PresentationRule(status: status, settings: settings, …).showing(of: traits)
///     if showing.isStored { … }
///
/// Rows are those of the table in center.md §8. Rows 1 and 2 come before all others, because an owner who has not
/// allowed an app has not allowed its critical alerts either. Row 10 comes last and only takes away, and so does
/// lateness, which alerts nobody: not by a critical alert either.
package struct PresentationRule: Sendable, Equatable {
    package var status: AuthorizationStatus
    package var settings: InstallationSettings
    package var policy: AppPolicy
    /// True while Do Not Disturb is on and makes no exception for the app.
    package var isQuiet = false
    /// True if the owner has the app in the summary.
    package var isSummarized = false
    /// True if the notification could have been shown so long ago that its banner would be stale.
    package var isLate = false
    package var foreground = ForegroundAnswer.background

    package init(
        status: AuthorizationStatus,
        settings: InstallationSettings = InstallationSettings(),
        policy: AppPolicy = AppPolicy()
    ) {
        self.status = status
        self.settings = settings
        self.policy = policy
    }

    /// Decides about a notification of these traits.
    package func showing(of traits: NotificationTraits) -> Showing {
        let level = effectiveLevel(traits.level)
        var showing = allowed(traits, level)
        switch level {
        case .passive, .active:
            if isSummarized {
                showing.hold()
            } else if isQuiet {
                showing.quieten()
            }
        case .timeSensitive, .critical:
            // A provisional app has none of the permissions that break through.
            if status == .provisional, isSummarized { showing.hold() }
        }
        if isLate { showing.silence() }
        if case .inFront(let options) = foreground { showing.restrict(to: options) }
        return showing
    }

    /// The level with which a notification counts: one without permission counts as active.
    package func effectiveLevel(_ level: InterruptionLevel) -> InterruptionLevel {
        switch level {
        case .passive, .active: level
        case .timeSensitive: policy.allowsTimeSensitive && settings.timeSensitive ? .timeSensitive : .active
        case .critical: policy.allowsCriticalAlerts && settings.criticalAlert ? .critical : .active
        }
    }

    /// Rows 1 to 5, and 9: everything but Do Not Disturb, summary and an app in front.
    private func allowed(_ traits: NotificationTraits, _ level: InterruptionLevel) -> Showing {
        var showing = Showing()
        switch status {
        case .denied, .notDetermined:
            return showing
        case .provisional:
            showing.list = traits.hasAlert && settings.alert && settings.list
            return showing
        case .authorized:
            break
        }
        showing.badge = settings.badge && traits.badge != nil
        guard level != .critical else {
            showing.banner = traits.hasAlert
            showing.list = traits.hasAlert
            showing.lock = traits.hasAlert
            showing.sound = .critical
            return showing
        }
        if level != .passive, settings.sound, traits.sound != nil { showing.sound = .ordinary }
        guard settings.alert, traits.hasAlert else { return showing }
        showing.banner = level != .passive && settings.style != .none
        showing.list = settings.list
        showing.lock = settings.lock
        return showing
    }
}

/// The permissions that an app has from the operator, whatever its owner allows.
package struct AppPolicy: Sendable, Equatable {
    package var allowsCriticalAlerts: Bool
    package var allowsTimeSensitive: Bool

    package init(allowsCriticalAlerts: Bool = false, allowsTimeSensitive: Bool = true) {
        self.allowsCriticalAlerts = allowsCriticalAlerts
        self.allowsTimeSensitive = allowsTimeSensitive
    }

    /// The members of an app's settings that have no effect, because the operator forbids what they switch.
    var forbiddenSettings: [String] {
        (allowsTimeSensitive ? [] : ["timeSensitive"]) + (allowsCriticalAlerts ? [] : ["criticalAlert"])
    }

    /// Returns settings of an app, or changes of some, without the members that have no effect.
    package func offered(_ settings: JSONObject) -> JSONObject {
        var offered = settings
        for key in forbiddenSettings { offered[key] = nil }
        return offered
    }
}

/// The answer of an app to the question how a notification is shown while the app is in front.
package enum ForegroundAnswer: Sendable, Equatable {
    /// The app is not in front, or did not answer in time: nothing is taken away.
    case background
    case inFront(PresentationOptions)

    /// Tells what holds at once; `nil` means that the app is to be asked, and `answer` decides.
    package static func known(isInFront: Bool, listens: Bool) -> ForegroundAnswer? {
        guard isInFront else { return .background }
        return listens ? nil : .inFront([])
    }

    /// Takes the app's answer; `nil` means that none came in time.
    package static func answer(_ options: PresentationOptions?) -> ForegroundAnswer {
        options.map(ForegroundAnswer.inFront) ?? .background
    }
}
