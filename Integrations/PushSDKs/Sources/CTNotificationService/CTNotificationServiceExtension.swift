// SPDX-License-Identifier: Apache-2.0

import Foundation
internal import PushDelivery
@_exported public import UserNotifications

/// The service extension of CleverTap, which attaches the file that a notification names.
///
/// A class of an app inherits from it. `NSExtensionPrincipalClass` has to name that class: the bundle's own program
/// knows no class of another module. Source of names and keys: CleverTap/CTNotificationService 0.1.7 (9fb05bd),
/// README.md and CTNotificationServiceExtension.m.
open class CTNotificationServiceExtension: UNNotificationServiceExtension {
    private static let log = LogLines(module: "CTNotificationService")

    private let lock = NSLock()
    private var delivery: Delivery?

    /// The key of the address of the file; `nil` means `ct_mediaUrl`.
    public var mediaUrlKey: String?
    /// The key of its kind: `image`, `video`, `audio`, or another word, with which the server says it; `nil` means
    /// `ct_mediaType`.
    public var mediaTypeKey: String?

    /// Attaches the file and delivers the content; without an address or a kind it is delivered as it came.
    open override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        let delivery = Delivery(of: content, log: Self.log, to: contentHandler)
        lock.withLock { self.delivery = delivery }
        if let text = content.userInfo[mediaUrlKey ?? "ct_mediaUrl"] as? String,
            let kind = content.userInfo[mediaTypeKey ?? "ct_mediaType"] as? String
        {
            if let url = URL(string: text) {
                delivery.attach(url, identifier: "") { Self.fileExtension(kind, $0) }
            } else {
                Self.log.error("nothing is attached: the address of the file is none")
            }
        }
        delivery.finish()
    }

    /// Delivers what there is, and cancels the download.
    open override func serviceExtensionTimeWillExpire() { lock.withLock { delivery }?.end() }

    /// The server's type counts where it is of the kind that the sender named, else the usual one of that kind.
    private static func fileExtension(_ kind: String, _ response: HTTPURLResponse) -> String? {
        let usual = ["image": "jpg", "video": "mp4", "audio": "mp3"][kind]
        guard let usual else { return FileExtension.ofAnswer(response) }
        let isOfKind = response.mimeType?.lowercased().hasPrefix("\(kind)/") == true
        return (isOfKind ? FileExtension.ofType(response.mimeType) : nil) ?? usual
    }
}
