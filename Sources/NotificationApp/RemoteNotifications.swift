// SPDX-License-Identifier: Apache-2.0

private import CenterProtocol
public import Foundation
package import UserNotifications

/// The part of an app's notifications that Apple has in UIKit: its device token, whether the user looks at the app, and
/// silent pushes.
///
///     let token = try await RemoteNotifications.shared.register()
///     RemoteNotifications.shared.isInFront = true
///     RemoteNotifications.shared.setSilentPushHandler { userInfo, completionHandler in
///         refresh(userInfo)
///         completionHandler(.newData)
///     }
///
/// The notification centre hears both from `UNUserNotificationCenter.current()`, and hears it again whenever it was
/// away.
public final class RemoteNotifications: Sendable {
    /// The one of the process.
    public static let shared = RemoteNotifications(.current())

    /// The result of an app's work on a silent push.
    public enum FetchResult: Sendable {
        /// Something new.
        case newData
        /// Nothing new.
        case noData
        /// Nothing could be fetched.
        case failed
    }

    /// Handles the payload of a silent push, and calls the completion handler within 30 seconds.
    public typealias SilentPushHandler =
        @Sendable (_ userInfo: [AnyHashable: Any], _ completionHandler: @escaping @Sendable (FetchResult) -> Void) ->
        Void

    private let center: UNUserNotificationCenter

    package init(_ center: UNUserNotificationCenter) {
        self.center = center
    }

    /// True while the user looks at the app; false unless the app says so.
    ///
    /// The delegate of the centre is then asked how each notification is shown, and has 5 seconds for its answer.
    /// Without a delegate nothing is shown.
    public var isInFront: Bool {
        get { center.isInFront }
        set { center.isInFront = newValue }
    }

    /// Registers the app for pushes; returns its device token, the same one until it is withdrawn.
    ///
    /// A gateway that posts to the token reaches the app's user. Errors: Cocoa 3000 for an app that the host does not
    /// serve, 3010 where no host is connected to the centre; `notificationsNotAllowed` where no centre is.
    public func register() async throws -> Data {
        try await center.registerForRemoteNotifications()
    }

    /// Makes the device token invalid: gateways hear 410 from then on, and drop it.
    public func unregister() async throws {
        try await center.unregisterForRemoteNotifications()
    }

    /// Hears of the device token whenever it is another one than the app heard of last; `nil` when it was withdrawn.
    ///
    /// Also when another process of the app registers or unregisters. The handler is called on the centre's queue.
    public func setTokenHandler(_ handler: (@Sendable (Data?) -> Void)?) {
        center.tokenHandler = handler
    }

    /// Takes silent pushes, one at a time; `nil`, as at the start, has the newest one wait.
    ///
    /// A push whose handler does not finish within 30 seconds, or dies, does not come again.
    public func setSilentPushHandler(_ handler: SilentPushHandler?) {
        guard let handler else { return center.silentPushHandler = nil }
        center.silentPushHandler = { userInfo, done in handler(userInfo) { result in done(result.answer) } }
    }
}

extension RemoteNotifications.FetchResult {
    fileprivate var answer: CenterProtocol.FetchResult {
        switch self {
        case .newData: .newData
        case .noData: .noData
        case .failed: .failed
        }
    }
}
