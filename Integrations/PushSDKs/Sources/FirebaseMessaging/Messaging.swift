// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import PushDelivery
@_exported public import UserNotifications

/// The part of Firebase Cloud Messaging that a service extension uses.
///
/// Tokens and topics are the app's affair and are not declared here. Source of names and keys:
/// firebase/firebase-ios-sdk, FIRMessagingExtensionHelper.h at 4862a9d and .m at 6c272ea,
/// FIRMessaging+ExtensionHelper.h at 4862a9d.
public final class Messaging: NSObject {
    private override init() {}

    /// Returns what completes the content of a notification.
    public class func serviceExtension() -> MessagingExtensionHelper { MessagingExtensionHelper() }
}

/// A helper that completes the content of a notification with the picture that its sender named.
public final class MessagingExtensionHelper: NSObject {
    private static let log = LogLines(module: "FirebaseMessaging")

    /// Attaches the picture at `fcm_options.image` and delivers the content, as it is when there is none or when it
    /// does not come.
    ///
    /// The handler is called once. The helper has no part in `serviceExtensionTimeWillExpire`: what an extension hands
    /// over there comes first, and a later call is without effect.
    public func populateNotificationContent(
        _ content: UNMutableNotificationContent,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let delivery = Delivery(of: content, log: Self.log, to: contentHandler)
        let options = content.userInfo["fcm_options"] as? [AnyHashable: Any]
        if let text = options?["image"] as? String {
            if let url = URL(string: text) {
                delivery.attach(url, identifier: "", fileExtension: FileExtension.ofAnswer)
            } else {
                Self.log.error("nothing is attached: fcm_options.image is no address")
            }
        }
        delivery.finish()
    }

    /// Writes into the log that nothing is exported.
    public func exportDeliveryMetricsToBigQuery(withMessageInfo info: [AnyHashable: Any]) {
        Self.log.once("deliveries are not exported to BigQuery")
    }
}
