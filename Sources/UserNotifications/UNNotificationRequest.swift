// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`; `content` is an immutable copy.
/// A notification that is to be, or was, delivered: what it says and what makes it appear.
open class UNNotificationRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let name: String
    private let contentCopy: UNNotificationContent
    private let cause: UNNotificationTrigger?

    /// Copies the content: changing it later does not change the request.
    ///
    /// A nil trigger stands for "at once".
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        name = identifier
        contentCopy = content.immutableCopy
        cause = trigger
    }

    /// The name of the notification: for a remote one its collapse id, else the id of the push.
    ///
    /// A later notification of the same name takes its place.
    open var identifier: String { name }

    /// Never a mutable content.
    open var content: UNNotificationContent { contentCopy }

    /// `UNPushNotificationTrigger` if the notification came from a server; nil stands for "at once".
    open var trigger: UNNotificationTrigger? { cause }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns the request itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares everything both hold.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationRequest else { return false }
        return name == other.name && contentCopy == other.contentCopy && cause == other.cause
    }

    /// The same for equal objects.
    open override var hash: Int { name.hashValue }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.text(forKey: "identifier"), coder.containsValue(forKey: "content"),
            let content = coder.decodeObject(of: UNNotificationContent.self, forKey: "content")
        else { return nil }
        name = identifier
        contentCopy = content
        cause =
            coder.containsValue(forKey: "trigger")
            ? coder.decodeObject(of: UNNotificationTrigger.self, forKey: "trigger") : nil
    }

    /// Archives identifier, content and trigger.
    open func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "identifier")
        coder.encode(contentCopy, forKey: "content")
        if let cause { coder.encode(cause, forKey: "trigger") }
    }
}
