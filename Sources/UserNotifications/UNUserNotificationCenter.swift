// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
public import Foundation
import HostLog
import Locking
import NotificationPayload

// SAFETY: all state lies behind a mutex, and a queue is safe to share.
/// The notifications of an app: scheduled, delivered, and what the user allows.
///
/// The object of an app's process talks to the user's notification centre: at the socket or in the folder that
/// `NESTBOX_CENTER` names, else in the user's runtime folder. The app is the main bundle, or what `NESTBOX_APP` names.
/// An extension's calls go to the same centre, by way of its host; what it has called before it completes is done, even
/// if its process ends then. A call that changes something has done so, on the centre's disk, when its completion
/// handler is called. Where no centre is,
/// - lists are empty: pending requests, delivered notifications, categories;
/// - removals and ``setNotificationCategories(_:)`` do nothing;
/// - ``add(_:withCompletionHandler:)``, ``setBadgeCount(_:withCompletionHandler:)`` and
///   ``requestAuthorization(options:completionHandler:)`` end with ``UNError/Code/notificationsNotAllowed``;
/// - ``getNotificationSettings(completionHandler:)`` tells of a user who was not asked.
///
/// The first such call writes one line to the log. An extension that wants another badge for its notification sets it
/// on the content it hands back. Completion handlers and the delegate's methods run one after the other on a queue of
/// the centre's own, never before the call returned. Source: Apple, "UNUserNotificationCenter".
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    private struct State {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
        var isInFront = false
        var silentPushHandler: SilentPushHandler?
        var tokenHandler: TokenHandler?

        var presence: Presence {
            Presence(inFront: isInFront, listens: delegate != nil, silent: silentPushHandler != nil)
        }
    }

    private static let only = UNUserNotificationCenter { CenterReach.find($0) }

    private let state = Locked(State())
    let client: CenterClient
    private let kept: KeptFiles

    /// `find` finds the way to the centre, and hands what the centre asks and tells to the listener that it is given.
    package init(
        find: @escaping @Sendable (_ listener: @escaping CenterConnection.Listener) -> (any CenterCarrier)?
    ) {
        let client = CenterClient(find: find)
        self.client = client
        kept = KeptFiles { name, file in client.wait(for: .file(name), file, .seconds(10)) }
        super.init()
        client.listen { [weak self] message, reply in self?.hear(message, reply) }
    }

    /// Returns the one centre of the process, the same at every call.
    open class func current() -> UNUserNotificationCenter { only }

    /// The object that is asked about notifications in front, and told what the user did; not kept alive.
    ///
    /// Responses of the time in which the app was away come when the delegate is set, so Apple wants it set before the
    /// app has finished launching. An extension's delegate is never called, there as here.
    open weak var delegate: (any UNUserNotificationCenterDelegate)? {
        get { state.withLock { $0.delegate } }
        set {
            change { $0.delegate = newValue }
        }
    }

    /// True if content extensions run: false here.
    open var supportsContentExtensions: Bool { false }

    // MARK: Authorization

    /// Asks the user for permission, once; later calls answer from what was decided.
    ///
    /// The handler is called when the user has decided: with false and no error when it was denied. An extension hears
    /// what was decided, and nobody is asked.
    open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        ask(.authorize(AuthorizationOptions(rawValue: options.rawValue))) { outcome in
            if case .answer(.granted(let isGranted)) = outcome { return completionHandler(isGranted, nil) }
            completionHandler(false, outcome.error)
        }
    }

    /// Asks the user for permission; true once it is granted.
    ///
    /// An extension hears what was decided, and nobody is asked.
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        try await withCheckedThrowingContinuation { done in
            requestAuthorization(options: options) { isGranted, error in
                done.resume(with: error.map(Result.failure) ?? .success(isGranted))
            }
        }
    }

    /// Reads what the user allows.
    open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
        ask(.settings) { outcome in
            guard case .answer(.settings(let settings)) = outcome else {
                return completionHandler(UNNotificationSettings(UNNotificationSettings.Values()))
            }
            completionHandler(UNNotificationSettings(settings))
        }
    }

    /// Reads what the user allows.
    open func notificationSettings() async -> UNNotificationSettings {
        await withCheckedContinuation { done in getNotificationSettings { done.resume(returning: $0) } }
    }

    // MARK: Categories

    /// Replaces all categories of the app: at most 64, with 16 actions each, in 64 KiB.
    ///
    /// More of them change nothing, and a line in the log says so.
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        let categories = categories.map(NotificationCategory.init).sorted { $0.identifier < $1.identifier }
        ask(.setCategories(categories)) { outcome in
            if case .answer(.done) = outcome { return }
            if outcome != .unreachable, let error = outcome.error {
                HostLog.write(.error, "categories not set: \(error)")
            }
        }
    }

    /// Reads the app's categories.
    open func getNotificationCategories(completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void) {
        ask(.categories) { outcome in
            guard case .answer(.categories(let categories)) = outcome else { return completionHandler([]) }
            completionHandler(Set(categories.map(\.notificationCategory)))
        }
    }

    /// Reads the app's categories.
    open func notificationCategories() async -> Set<UNNotificationCategory> {
        await withCheckedContinuation { done in getNotificationCategories { done.resume(returning: $0) } }
    }

    // MARK: Badge

    /// Sets the number on the app's icon; 0 removes it, and leaves the list of notifications as it is.
    ///
    /// Errors: `badgeInputInvalid` below zero; `notificationsNotAllowed` without permission.
    open func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        ask(.badge(Int64(min(newBadgeCount, Int(Int32.max))))) { completionHandler?($0.error) }
    }

    /// Sets the number on the app's icon; 0 removes it, and leaves the list of notifications as it is.
    ///
    /// Errors: `badgeInputInvalid` below zero; `notificationsNotAllowed` without permission.
    open func setBadgeCount(_ newBadgeCount: Int) async throws {
        try await withCheckedThrowingContinuation { done in
            setBadgeCount(newBadgeCount) { done.resume(with: $0.map(Result.failure) ?? .success(())) }
        }
    }

    // MARK: Requests that wait

    /// Schedules a notification; one of the same identifier is replaced.
    ///
    /// Errors: `notificationsNotAllowed` without permission; `notificationInvalidNoDate` for a trigger that never
    /// fires, or one that goes over the limit of 64; `notificationInvalidNoContent`; those of attachments; POSIX
    /// `ECONNRESET` if the centre ended before it answered.
    ///
    /// The centre copies the files of attachments. Once it has them, those in the temporary folder are removed.
    open func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        guard let files = OutgoingFiles(request.content.attachments) else {
            return client.later { completionHandler?(UNError(.attachmentInvalidURL)) }
        }
        client.ask(.add(NotificationRequest(request, files)), files: files) { outcome in
            if outcome.error == nil { files.removeTemporaries() }
            completionHandler?(outcome.error)
        }
    }

    /// Schedules a notification; one of the same identifier is replaced.
    ///
    /// Errors: those of ``add(_:withCompletionHandler:)``.
    open func add(_ request: UNNotificationRequest) async throws {
        try await withCheckedThrowingContinuation { done in
            add(request) { done.resume(with: $0.map(Result.failure) ?? .success(())) }
        }
    }

    /// Reads the requests whose trigger has not fired.
    open func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        readPending([], completionHandler)
    }

    private func readPending(
        _ found: [PendingRequest],
        _ completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        ask(.pending(after: found.last?.request.identifier)) { [self] outcome in
            guard case .answer(.pending(let requests, let hasMore)) = outcome else {
                return completionHandler(requests(found))
            }
            let all = found + requests
            guard hasMore, !requests.isEmpty else { return completionHandler(self.requests(all)) }
            readPending(all, completionHandler)
        }
    }

    /// Reads the requests whose trigger has not fired.
    open func pendingNotificationRequests() async -> [UNNotificationRequest] {
        await withCheckedContinuation { done in getPendingNotificationRequests { done.resume(returning: $0) } }
    }

    /// Takes back requests that have not fired; unknown identifiers do not matter.
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        for part in identifiers.parts { ask(.removePending(.named(part))) { _ in } }
    }

    /// Takes back all requests that have not fired.
    open func removeAllPendingNotificationRequests() {
        ask(.removePending(.all)) { _ in }
    }

    // MARK: Delivered notifications

    /// Reads what stands in the list of notifications, the newest first.
    open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
        readDelivered([], completionHandler)
    }

    private func readDelivered(
        _ found: [StoredNotification],
        _ completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        ask(.delivered(before: found.last?.number)) { [self] outcome in
            guard case .answer(.delivered(let notifications, let hasMore)) = outcome else {
                return completionHandler(delivered(found))
            }
            let all = found + notifications
            guard hasMore, !notifications.isEmpty else { return completionHandler(delivered(all)) }
            readDelivered(all, completionHandler)
        }
    }

    /// Reads what stands in the list of notifications, the newest first.
    open func deliveredNotifications() async -> [UNNotification] {
        await withCheckedContinuation { done in getDeliveredNotifications { done.resume(returning: $0) } }
    }

    /// Takes notifications out of the list, by the identifiers of their requests.
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        for part in identifiers.parts { ask(.removeDelivered(.named(part))) { _ in } }
    }

    /// Takes all of the app's notifications out of the list.
    open func removeAllDeliveredNotifications() {
        ask(.removeDelivered(.all)) { _ in }
    }

    // MARK: The way to the centre

    /// The files that the centre keeps; `nil` means that it hands this process none.
    private var files: KeptFiles? { client.handsOutFiles ? kept : nil }

    private func requests(_ found: [PendingRequest]) -> [UNNotificationRequest] {
        let files = files
        return found.map { $0.notificationRequest(files) }
    }

    private func delivered(_ found: [StoredNotification]) -> [UNNotification] {
        let files = files
        return found.map { $0.notification(files) }
    }

    private func ask(_ call: CenterCall, _ completion: @escaping @Sendable (CenterConnection.Outcome) -> Void) {
        client.ask(call, completion)
    }

    /// Changes what the app takes, and tells the centre.
    private func change(_ body: (inout State) -> Void) {
        client.announce {
            state.withLock { state in
                body(&state)
                return state.presence
            }
        }
    }

    /// Hands the delegate what the centre asks or tells; what nobody takes has no answer, and comes again.
    private func hear(_ message: CenterAppMessage, _ reply: @escaping @Sendable (AppMessage) -> Void) {
        if case .silent(let id, let payload) = message { return hear(payload) { reply(.finished(id: id, $0)) } }
        if case .token(let digits) = message { return hear(token: digits) }
        guard let delegate else {
            // In front without a delegate nothing is shown, and in the background everything. A response comes again.
            guard case .willPresent(let id, _) = message else { return }
            return reply(.present(id: id, isInFront ? [] : [.banner, .list, .sound, .badge]))
        }
        switch message {
        case .response(let id, let response):
            delegate.userNotificationCenter(self, didReceive: response.notificationResponse(files)) {
                reply(.completed(id: id))
            }
        case .willPresent(let id, let notification):
            delegate.userNotificationCenter(self, willPresent: notification.notification(files)) { options in
                reply(.present(id: id, PresentationOptions(options)))
            }
        case .openSettings(let notification):
            delegate.userNotificationCenter(self, openSettingsFor: notification?.notification(files))
        case .welcome, .rejected, .answer, .silent, .token: break
        }
    }

    // MARK: What Apple has in UIKit

    /// Handles the payload of a silent push, and says what it brought.
    package typealias SilentPushHandler =
        @Sendable (_ payload: [AnyHashable: Any], _ done: @escaping @Sendable (FetchResult) -> Void) -> Void

    /// True while the user looks at the app: the delegate is then asked how each notification is shown.
    package var isInFront: Bool {
        get { state.withLock(\.isInFront) }
        set { change { $0.isInFront = newValue } }
    }

    /// Takes silent pushes, one after the other; `nil` has them wait for the app, the newest alone.
    package var silentPushHandler: SilentPushHandler? {
        get { state.withLock(\.silentPushHandler) }
        set { change { $0.silentPushHandler = newValue } }
    }

    /// Hears of the app's device token whenever it is another one; `nil`, as at the start, hears nothing.
    package var tokenHandler: TokenHandler? {
        get { state.withLock(\.tokenHandler) }
        set { state.withLock { $0.tokenHandler = newValue } }
    }

    private func hear(_ payload: Payload, _ done: @escaping @Sendable (FetchResult) -> Void) {
        guard let silentPushHandler else { return done(.noData) }
        silentPushHandler(UserInfo(payload.object).values, done)
    }
}
