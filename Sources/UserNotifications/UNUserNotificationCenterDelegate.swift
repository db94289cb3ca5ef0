// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Decides about notifications that arrive in front of the user, and hears what the user did with one.
///
/// Every method is optional. Two of them can be written with a completion handler or as `async`: write one form, the
/// other calls it. An app that writes neither shows nothing while it is in front, as on Apple's platforms.
/// Source: Apple, "UNUserNotificationCenterDelegate".
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// Decides what becomes of a notification that arrives while the app is in front.
    ///
    /// Without an answer within 5 seconds it is shown as if the app were not in front; that limit is ours.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    )

    /// The same as `async`: returns what becomes of the notification.
    ///
    /// Without an implementation in either form the empty set: not shown.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions

    /// Takes what the user did: an action, a text, the default action or a dismissal.
    ///
    /// The response is kept until the completion handler was called.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    )

    /// The same as `async`: the response is kept until it returns.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async

    /// Opens the app's own page of settings for a notification; nil if it was not asked from one.
    ///
    /// Called when the user chooses "in the app", if the app asked for permission with
    /// `providesAppNotificationSettings`.
    func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

// SAFETY: Apple's contract hands the delegate to whatever thread the centre calls it on; keeping its own state in
// order is the delegate's part.
/// A delegate on its way into the task that calls it.
private struct CalledDelegate: @unchecked Sendable {
    let delegate: any UNUserNotificationCenterDelegate
}

extension UNUserNotificationCenterDelegate {
    /// Hands on what the `async` form returns.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        let called = CalledDelegate(delegate: self)
        // Awaited by whoever waits for the completion handler.
        Task {
            completionHandler(await called.delegate.userNotificationCenter(center, willPresent: notification))
        }
    }

    /// Does not show the notification.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [] }

    /// Completes when the `async` form returns.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let called = CalledDelegate(delegate: self)
        // Awaited by whoever waits for the completion handler.
        Task {
            await called.delegate.userNotificationCenter(center, didReceive: response)
            completionHandler()
        }
    }

    /// Does nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {}

    /// Does nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification?
    ) {}
}
