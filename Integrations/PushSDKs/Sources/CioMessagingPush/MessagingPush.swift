// SPDX-License-Identifier: Apache-2.0

import Foundation
internal import PushDelivery
public import UserNotifications
internal import os

/// The part of Customer.io's push messaging that is done in a service extension.
public protocol MessagingPushInstance {
    /// Attaches the picture and reports the delivery; see `MessagingPush`.
    @discardableResult
    func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) -> Bool
    /// Delivers what there is.
    func serviceExtensionTimeWillExpire()
}

/// The push messaging of Customer.io in a service extension.
///
/// Tokens, metrics of opened notifications and clicks are the app's affair and are not declared here. Source of names,
/// keys and requests: customerio/customerio-ios 4.7.5 (8b9ee36), MessagingPush.swift,
/// MessagingPushImplementation.swift, Type/PushNotification.swift and RichPush.
public final class MessagingPush: MessagingPushInstance, Sendable {
    /// The only instance.
    public static let shared = MessagingPush()

    private static let log = LogLines(module: "CioMessagingPush")

    private struct State {
        var options: MessagingPushConfigOptions?
        var open: [UUID: Delivery] = [:]
    }

    private let state = OSAllocatedUnfairLock(initialState: State())

    private init() {}

    /// The options that the extension gave, or those of a new builder.
    public static var moduleConfig: MessagingPushConfigOptions {
        shared.state.withLock { $0.options } ?? MessagingPushConfigBuilder().build()
    }

    /// Takes the options of the extension; the first call counts.
    @discardableResult
    public static func initializeForExtension(
        withConfig config: MessagingPushConfigOptions
    ) -> any MessagingPushInstance {
        shared.state.withLock { state in
            if state.options == nil { state.options = config }
        }
        return shared
    }

    /// Attaches the picture at `CIO.push.image`, reports the delivery, and calls the handler when both are over.
    ///
    /// False for a notification that is not Customer.io's: the handler is not called then. Before
    /// `initializeForExtension` it is called with the content as it came, and the result is false.
    @discardableResult
    public func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) -> Bool {
        guard let options = state.withLock({ $0.options }),
            let content = request.content.mutableCopy() as? UNMutableNotificationContent
        else {
            Self.log.once("nothing is done: MessagingPush is not initialized for the extension")
            contentHandler(request.content)
            return false
        }
        let payload = content.userInfo
        guard let identifier = payload["CIO-Delivery-ID"] as? String,
            let token = payload["CIO-Delivery-Token"] as? String
        else {
            Self.log.once("a notification without CIO-Delivery-ID and CIO-Delivery-Token is left to the extension")
            return false
        }
        let key = UUID()
        let delivery = Delivery(of: content, log: Self.log) { content in
            self.state.withLock { _ = $0.open.removeValue(forKey: key) }
            contentHandler(content)
        }
        state.withLock { $0.open[key] = delivery }
        if options.autoTrackPushEvents {
            if let report = Self.report(identifier, token, options) { delivery.send(report, as: "the report") }
        }
        let own = payload["CIO"] as? [AnyHashable: Any]
        if let text = (own?["push"] as? [AnyHashable: Any])?["image"] as? String, !text.isEmpty {
            if let url = URL(string: text) {
                delivery.attach(url, identifier: "cio_sdk_\(UUID().uuidString)", fileExtension: FileExtension.ofAnswer)
            } else {
                Self.log.error("nothing is attached: CIO.push.image is no address")
            }
        }
        delivery.finish()
        return true
    }

    /// Delivers every notification that is open with what there is, and cancels the rest.
    public func serviceExtensionTimeWillExpire() {
        let open = state.withLock { state in
            defer { state.open = [:] }
            return Array(state.open.values)
        }
        for delivery in open { delivery.end() }
    }

    /// The event "Report Delivery Event" of the pipeline; `nil` without a key, which the log says once.
    private static func report(
        _ identifier: String,
        _ token: String,
        _ options: MessagingPushConfigOptions
    ) -> URLRequest? {
        guard !options.cdpApiKey.isEmpty else {
            log.once("deliveries are not reported: the options have no cdpApiKey")
            return nil
        }
        log.once("a report that does not arrive is not kept for the app")
        let host = options.region == .EU ? "cdp-eu.customer.io" : "cdp.customer.io"
        let body: [String: Any] = [
            "anonymousId": identifier, "event": "Report Delivery Event",
            "properties": ["deliveryId": identifier, "metric": "delivered", "recipient": token],
        ]
        guard let url = URL(string: "https://\(host)/v1/track"),
            let data = try? JSONSerialization.data(withJSONObject: body, options: [.sortedKeys])
        else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = data
        let key = Data("\(options.cdpApiKey):".utf8).base64EncodedString()
        request.setValue("Basic \(key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json; charset=utf-8", forHTTPHeaderField: "Content-Type")
        return request
    }
}
