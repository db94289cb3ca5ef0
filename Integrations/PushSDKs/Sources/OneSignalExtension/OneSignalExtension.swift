// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import PushDelivery
@_exported public import UserNotifications
internal import os

/// The part of OneSignal that a service extension calls.
///
/// Source of names, keys and requests: OneSignal/OneSignal-iOS-SDK 5.6.1, OneSignalExtension.h at 1d29101,
/// OneSignalNotificationServiceExtensionHandler.m at c9b5142, OSNotification.m at 1698ece.
public final class OneSignalExtension: NSObject {
    static let log = LogLines(module: "OneSignalExtension")

    private struct Open {
        /// The request, which lives on so that no other one has its place in memory.
        let request: UNNotificationRequest
        let delivery: Delivery
    }

    private static let open = OSAllocatedUnfairLock(initialState: [ObjectIdentifier: Open]())

    private override init() {}

    /// Attaches the files, adds the buttons, counts the badge, reports the delivery, and calls the handler.
    ///
    /// All of this is over when it returns the content; on a phone the report comes behind the handler and up to 25 s
    /// later. Without a content it takes a copy of the request's.
    @discardableResult
    public class func didReceiveNotificationExtensionRequest(
        _ request: UNNotificationRequest,
        with replacementContent: UNMutableNotificationContent?,
        withContentHandler contentHandler: ((UNNotificationContent) -> Void)?
    ) -> UNMutableNotificationContent {
        let content = replacementContent ?? copy(of: request)
        log.once("received notifications are not kept for outcomes, and nothing goes to Firebase Analytics")
        content.userInfo = OneSignalPayload.userInfo(content.userInfo, collapseIdentifier: request.identifier)
        let payload = OneSignalPayload(content.userInfo)
        let settings = SharedSettings()
        let delivery = Delivery(of: content, log: log, to: contentHandler)
        open.withLock { $0[ObjectIdentifier(request)] = Open(request: request, delivery: delivery) }
        if let badge = settings.badge(of: payload) { content.badge = NSNumber(value: badge) }
        if request.content.categoryIdentifier.isEmpty {
            ActionButtons(payload, settings)?.add(to: content, delivery)
        }
        if let report = DeliveryReport(of: payload, settings) { delivery.send(report.request, as: "the report") }
        for (identifier, place) in payload.attachments { attach(place, identifier, to: delivery) }
        delivery.finish()
        delivery.wait()
        open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(request)) }
        return content
    }

    /// Does the same and calls nothing: the caller hands the content over.
    @available(*, deprecated, message: "use the function with a content handler")
    @discardableResult
    public class func didReceiveNotificationExtensionRequest(
        _ request: UNNotificationRequest,
        with replacementContent: UNMutableNotificationContent?
    ) -> UNMutableNotificationContent {
        didReceiveNotificationExtensionRequest(request, with: replacementContent, withContentHandler: nil)
    }

    /// Cancels what is not over and returns the content for the caller to hand over: with the files that came, and with
    /// the category of its buttons.
    ///
    /// The handler that `didReceiveNotificationExtensionRequest` got is not called any more.
    @discardableResult
    public class func serviceExtensionTimeWillExpireRequest(
        _ request: UNNotificationRequest,
        with replacementContent: UNMutableNotificationContent?
    ) -> UNMutableNotificationContent {
        let delivery = open.withLock { $0[ObjectIdentifier(request)]?.delivery }
        delivery?.giveBack()
        let content = replacementContent ?? copy(of: request)
        if content.categoryIdentifier.isEmpty,
            let buttons = ActionButtons(OneSignalPayload(request.content.userInfo), SharedSettings())
        {
            content.categoryIdentifier = buttons.category.identifier
        }
        return content
    }

    /// Attaches an address of http or https, or else a file of the bundle of that name.
    private class func attach(_ place: String, _ identifier: String, to delivery: Delivery) {
        let place = place.trimmingCharacters(in: .whitespaces)
        if let url = URL(string: place), ["http", "https"].contains(url.scheme?.lowercased()) {
            return delivery.attach(url, identifier: identifier) { fileExtension(of: url, $0) }
        }
        let name = place as NSString
        guard !name.pathExtension.isEmpty,
            let file = Bundle.main.url(forResource: name.deletingPathExtension, withExtension: name.pathExtension)
        else { return log.error("nothing is attached: a file is neither an address nor in the bundle") }
        delivery.attach(file: file, identifier: identifier)
    }

    /// The order of OneSignal: the address's parameter `filename`, the server's type, the address, any parameter.
    private class func fileExtension(of url: URL, _ response: HTTPURLResponse) -> String? {
        let parameters = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return FileExtension.ofName(parameters.first { $0.name == "filename" }?.value)
            ?? FileExtension.ofType(response.mimeType) ?? FileExtension.ofName(url.lastPathComponent)
            ?? parameters.lazy.compactMap { FileExtension.ofName($0.value) }.first
    }

    private class func copy(of request: UNNotificationRequest) -> UNMutableNotificationContent {
        request.content.mutableCopy() as? UNMutableNotificationContent ?? UNMutableNotificationContent()
    }
}
