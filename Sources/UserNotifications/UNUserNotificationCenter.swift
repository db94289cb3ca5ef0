// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog
import Locking

// SAFETY: all state lies behind a mutex, and a queue is safe to share.
/// The notifications of an app: scheduled, delivered, and what the user allows.
///
/// On Apple's platforms an extension reaches the centre of its app through it. Here the conversation of a worker with
/// its host does not carry that yet, so inside an extension
/// - lists are empty: pending requests, delivered notifications, categories;
/// - removals and ``setNotificationCategories(_:)`` do nothing;
/// - ``add(_:withCompletionHandler:)``, ``setBadgeCount(_:withCompletionHandler:)`` and
///   ``requestAuthorization(options:completionHandler:)`` end with ``UNError/Code/notificationsNotAllowed``;
/// - ``getNotificationSettings(completionHandler:)`` tells of a user who was not asked.
///
/// The first such call writes one line to the host's log. An extension that wants another badge sets it on the content
/// it hands back. Completion handlers run one after the other on a queue of the centre's own, never before the call
/// returned.
/// Source: Apple, "UNUserNotificationCenter".
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    private struct State {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
    }

    private static let only = UNUserNotificationCenter()

    private let state = Locked(State())
    private let handlers = DispatchQueue(label: "UNUserNotificationCenter")

    private override init() {
        super.init()
    }

    /// Returns the one centre of the process, the same at every call.
    open class func current() -> UNUserNotificationCenter { only }

    /// The object that is asked about notifications in front, and told what the user did; not kept alive.
    ///
    /// Apple wants the delegate set before the app has finished launching. An extension's delegate is never called,
    /// there as here.
    open weak var delegate: (any UNUserNotificationCenterDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// True if content extensions run: false here.
    open var supportsContentExtensions: Bool { false }

    // MARK: Authorization

    /// Asks the user for permission, once; later calls answer from what was decided.
    ///
    /// Inside an extension it ends with false and `notificationsNotAllowed`.
    open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        later { completionHandler(false, UNError(.notificationsNotAllowed)) }
    }

    /// Asks the user for permission; true once it is granted.
    ///
    /// Inside an extension it throws `notificationsNotAllowed`.
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        unreachable()
        throw UNError(.notificationsNotAllowed)
    }

    /// Reads what the user allows.
    ///
    /// Inside an extension the user was not asked and nothing is supported, whatever the app's real settings are.
    open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
        later { completionHandler(UNNotificationSettings(.init())) }
    }

    /// Reads what the user allows.
    ///
    /// Inside an extension the user was not asked and nothing is supported, whatever the app's real settings are.
    open func notificationSettings() async -> UNNotificationSettings {
        unreachable()
        return UNNotificationSettings(.init())
    }

    // MARK: Categories

    /// Replaces all categories of the app.
    ///
    /// Inside an extension it does nothing.
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        unreachable()
    }

    /// Reads the app's categories.
    ///
    /// Inside an extension there are none.
    open func getNotificationCategories(completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void) {
        later { completionHandler([]) }
    }

    /// Reads the app's categories.
    ///
    /// Inside an extension there are none.
    open func notificationCategories() async -> Set<UNNotificationCategory> {
        unreachable()
        return []
    }

    // MARK: Badge

    /// Sets the number on the app's icon; 0 removes it, and leaves the list of notifications as it is.
    ///
    /// Errors: `badgeInputInvalid` below zero; inside an extension `notificationsNotAllowed` for every other number.
    open func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let error = badgeError(newBadgeCount)
        later { completionHandler?(error) }
    }

    /// Sets the number on the app's icon; 0 removes it, and leaves the list of notifications as it is.
    ///
    /// Errors: `badgeInputInvalid` below zero; inside an extension `notificationsNotAllowed` for every other number.
    open func setBadgeCount(_ newBadgeCount: Int) async throws {
        unreachable()
        throw badgeError(newBadgeCount)
    }

    private func badgeError(_ count: Int) -> UNError {
        UNError(count < 0 ? .badgeInputInvalid : .notificationsNotAllowed)
    }

    // MARK: Requests that wait

    /// Schedules a notification; one of the same identifier is replaced.
    ///
    /// Inside an extension it ends with `notificationsNotAllowed`.
    open func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        later { completionHandler?(UNError(.notificationsNotAllowed)) }
    }

    /// Schedules a notification; one of the same identifier is replaced.
    ///
    /// Inside an extension it throws `notificationsNotAllowed`.
    open func add(_ request: UNNotificationRequest) async throws {
        unreachable()
        throw UNError(.notificationsNotAllowed)
    }

    /// Reads the requests whose trigger has not fired.
    ///
    /// Inside an extension there are none.
    open func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        later { completionHandler([]) }
    }

    /// Reads the requests whose trigger has not fired.
    ///
    /// Inside an extension there are none.
    open func pendingNotificationRequests() async -> [UNNotificationRequest] {
        unreachable()
        return []
    }

    /// Takes back requests that have not fired; unknown identifiers do not matter.
    ///
    /// Inside an extension it does nothing.
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        unreachable()
    }

    /// Takes back all requests that have not fired.
    ///
    /// Inside an extension it does nothing.
    open func removeAllPendingNotificationRequests() {
        unreachable()
    }

    // MARK: Delivered notifications

    /// Reads what stands in the list of notifications.
    ///
    /// Inside an extension nothing does.
    open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
        later { completionHandler([]) }
    }

    /// Reads what stands in the list of notifications.
    ///
    /// Inside an extension nothing does.
    open func deliveredNotifications() async -> [UNNotification] {
        unreachable()
        return []
    }

    /// Takes notifications out of the list, by the identifiers of their requests.
    ///
    /// Inside an extension it does nothing.
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        unreachable()
    }

    /// Takes all of the app's notifications out of the list.
    ///
    /// Inside an extension it does nothing.
    open func removeAllDeliveredNotifications() {
        unreachable()
    }

    // MARK: Out of reach

    private func later(_ handler: @escaping @Sendable () -> Void) {
        unreachable()
        handlers.async(execute: handler)
    }

    private func unreachable() {
        HostLog.warnOnce(
            "UNUserNotificationCenter does not reach the app from here: lists are empty, changes have no effect"
        )
    }
}
