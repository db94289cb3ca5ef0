// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`.
/// A notification that was delivered, or is about to be shown.
///
/// Only the system makes one. Source: Apple, "UNNotification".
open class UNNotification: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let cause: UNNotificationRequest
    private let moment: Date

    package init(request: UNNotificationRequest, date: Date) {
        cause = request
        moment = date
    }

    /// The instant of the delivery, by the host's wall clock.
    open var date: Date { moment }
    /// The request that the notification was made from.
    ///
    /// The request's trigger tells where it came from: ``UNPushNotificationTrigger`` for a remote one.
    open var request: UNNotificationRequest { cause }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns the notification itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares everything both hold.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotification else { return false }
        return moment == other.moment && cause == other.cause
    }

    /// The same for equal objects.
    open override var hash: Int { cause.hash ^ moment.hashValue }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "date"), coder.containsValue(forKey: "request"),
            let request = coder.decodeObject(of: UNNotificationRequest.self, forKey: "request")
        else { return nil }
        cause = request
        moment = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "date"))
    }

    /// Archives date and request.
    open func encode(with coder: NSCoder) {
        coder.encode(moment.timeIntervalSinceReferenceDate, forKey: "date")
        coder.encode(cause, forKey: "request")
    }
}
