// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`, subclasses included.
/// A condition that makes a notification appear; the kinds are its subclasses.
///
/// The class of a trigger tells where a notification came from: ``UNPushNotificationTrigger`` is a remote one.
open class UNNotificationTrigger: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// True if the notification appears every time the condition is met.
    open var repeats: Bool { recurs }

    private let recurs: Bool

    package init(repeats: Bool) {
        recurs = repeats
    }

    /// Returns the trigger itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares classes and everything they hold.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationTrigger else { return false }
        return type(of: other) == type(of: self) && other.repeats == repeats
    }

    /// The same for equal objects.
    open override var hash: Int { ObjectIdentifier(type(of: self)).hashValue }

    /// True: an archive of one holds nothing but property list types.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        recurs = coder.containsValue(forKey: "repeats") && coder.decodeBool(forKey: "repeats")
    }

    /// Archives `repeats`.
    open func encode(with coder: NSCoder) {
        coder.encode(repeats, forKey: "repeats")
    }
}

// SAFETY: immutable after `init`.
/// The trigger of every notification that came from a server; only the system makes one.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    package init() {
        super.init(repeats: false)
    }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }
}
