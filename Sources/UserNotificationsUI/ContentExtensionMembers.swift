// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import UIKit
public import UserNotifications

/// Protocols of one member each, by which members of `UNNotificationContentExtension` are found in subclasses.
///
/// Swift chooses the default for a member that the class which names the protocol does not have, and asks no subclass;
/// Objective-C asks the object. `extension-host build` gives each class that has such a member the protocol of it, and
/// the defaults ask for that first. An author writes none of them.
public enum ContentExtensionMembers {
    /// A class that takes what the user did.
    @preconcurrency @MainActor public protocol Response: AnyObject {
        /// Takes what the user did.
        func didReceive(
            _ response: UNNotificationResponse,
            completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
        )
    }

    /// A class that takes what the user did, as `async`.
    @preconcurrency @MainActor public protocol AsyncResponse: AnyObject {
        /// Takes what the user did.
        func didReceive(_ response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption
    }

    /// A class that says which button it has.
    @preconcurrency @MainActor public protocol ButtonType: AnyObject {
        /// The kind of button on the view.
        var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { get }
    }

    /// A class that says where its button is.
    @preconcurrency @MainActor public protocol ButtonFrame: AnyObject {
        /// The place of the button, in points of the view.
        var mediaPlayPauseButtonFrame: CGRect { get }
    }

    /// A class that says the colour of its button.
    @preconcurrency @MainActor public protocol ButtonTintColor: AnyObject {
        /// The colour of the button.
        var mediaPlayPauseButtonTintColor: UIColor { get }
    }

    /// A class that can begin to play.
    @preconcurrency @MainActor public protocol Play: AnyObject {
        /// Begins to play.
        func mediaPlay()
    }

    /// A class that can stop playing.
    @preconcurrency @MainActor public protocol Pause: AnyObject {
        /// Stops playing.
        func mediaPause()
    }
}

// A class that leaves a member out has these instead, unless a subclass has the member.
extension UNNotificationContentExtension {
    /// Hands on what the `async` form returns.
    public func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        if let object = self as? any ContentExtensionMembers.Response {
            return object.didReceive(response, completionHandler: completion)
        }
        // Awaited by whoever waits for the completion handler.
        Task { completion(await didReceive(response)) }
    }

    /// Lets the view go and the app have the response.
    public func didReceive(
        _ response: UNNotificationResponse
    ) async -> UNNotificationContentExtensionResponseOption {
        guard let object = self as? any ContentExtensionMembers.AsyncResponse else { return .dismissAndForwardAction }
        return await object.didReceive(response)
    }

    /// No button.
    public var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType {
        (self as? any ContentExtensionMembers.ButtonType)?.mediaPlayPauseButtonType ?? .none
    }

    /// Empty.
    public var mediaPlayPauseButtonFrame: CGRect {
        (self as? any ContentExtensionMembers.ButtonFrame)?.mediaPlayPauseButtonFrame ?? .zero
    }

    /// Black.
    public var mediaPlayPauseButtonTintColor: UIColor {
        (self as? any ContentExtensionMembers.ButtonTintColor)?.mediaPlayPauseButtonTintColor
            ?? UIColor(white: 0, alpha: 1)
    }

    /// Does nothing.
    public func mediaPlay() { (self as? any ContentExtensionMembers.Play)?.mediaPlay() }

    /// Does nothing.
    public func mediaPause() { (self as? any ContentExtensionMembers.Pause)?.mediaPause() }
}
