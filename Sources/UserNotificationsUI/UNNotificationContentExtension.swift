// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import UIKit
public import UserNotifications

/// The effect on its view that a content extension wants after it took a response.
public enum UNNotificationContentExtensionResponseOption: UInt, Sendable {
    /// The view stays.
    case doNotDismiss
    /// The view goes, the notification with it.
    case dismiss
    /// The view goes, and the app gets the response.
    case dismissAndForwardAction
}

/// The button of a view that plays sound or film.
public enum UNNotificationContentExtensionMediaPlayPauseButtonType: UInt, Sendable {
    /// No button.
    case none
    /// A button that is always there.
    case `default`
    /// A button over the picture, there while nothing plays.
    case overlay
}

/// A view of the app's own for its notifications: a view controller that takes a notification and what a person does.
///
/// Everything is called on the main thread.
/// Source: Apple, "UNNotificationContentExtension".
@preconcurrency @MainActor public protocol UNNotificationContentExtension: NSObjectProtocol {
    /// Takes the notification to show, and each newer version of it.
    func didReceive(_ notification: UNNotification)

    /// Takes what the user did.
    ///
    /// The default asks the `async` form.
    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    )

    /// The same as `async`.
    ///
    /// The default lets the view go and the app have the response.
    func didReceive(_ response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption

    /// The kind of button on the view; the default is `none`.
    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { get }

    /// The place of the button, in points of the view; the default is empty.
    var mediaPlayPauseButtonFrame: CGRect { get }

    /// The colour of the button; the default is black.
    var mediaPlayPauseButtonTintColor: UIColor { get }

    /// Begins to play; the default does nothing.
    func mediaPlay()

    /// Stops playing; the default does nothing.
    func mediaPause()
}
