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

/// A view of the app's own for its notifications: declared, so that one source serves all; nothing calls it.
///
/// On Apple's platforms it is a view controller. The module UIKit has none here, so content extensions do not run.
/// Source: Apple, "UNNotificationContentExtension".
public protocol UNNotificationContentExtension: NSObjectProtocol {
    /// Takes the notification to show, and each later one of its thread.
    ///
    /// Apple calls it on the main thread.
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

// SAFETY: Apple calls a content extension on the main thread alone; keeping its own state in order is its part.
/// An extension on its way into the task that calls it.
private struct CalledExtension: @unchecked Sendable {
    let called: any UNNotificationContentExtension
}

extension UNNotificationContentExtension {
    /// Hands on what the `async` form returns.
    public func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        let content = CalledExtension(called: self)
        // Awaited by whoever waits for the completion handler.
        Task { completion(await content.called.didReceive(response)) }
    }

    /// Lets the view go and the app have the response.
    public func didReceive(
        _ response: UNNotificationResponse
    ) async -> UNNotificationContentExtensionResponseOption { .dismissAndForwardAction }

    /// No button.
    public var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .none }

    /// Empty.
    public var mediaPlayPauseButtonFrame: CGRect { .zero }

    /// Black.
    public var mediaPlayPauseButtonTintColor: UIColor { UIColor(white: 0, alpha: 1) }

    /// Does nothing.
    public func mediaPlay() {}

    /// Does nothing.
    public func mediaPause() {}
}
