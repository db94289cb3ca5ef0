// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`, subclasses included.
/// Something a user can do right from a notification; mostly drawn as a button.
///
/// Actions belong to a ``UNNotificationCategory``. A choice reaches the app's delegate as a
/// ``UNNotificationResponse``, and never a service extension. Surfaces with little room show the first two.
/// Source: Apple, "UNNotificationAction".
open class UNNotificationAction: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let name: String
    private let label: String
    private let behavior: UNNotificationActionOptions
    private let picture: UNNotificationActionIcon?

    /// An action without an icon.
    ///
    /// The identifier is unique within the app; the title is text that the user reads, already in their language.
    public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.init(identifier: identifier, title: title, options: options, icon: nil)
    }

    /// An action with an icon; see ``UNNotificationActionIcon`` for what becomes of it.
    public init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?
    ) {
        name = identifier
        label = title
        behavior = options
        picture = icon
    }

    /// The name by which the app knows the action; it comes back in the response.
    open var identifier: String { name }
    /// The label that the user reads.
    open var title: String { label }
    /// The conditions and the effect of the action.
    open var options: UNNotificationActionOptions { behavior }
    /// The picture beside the title; `nil` means that there is none.
    open var icon: UNNotificationActionIcon? { picture }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns the action itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares classes and everything they hold.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationAction else { return false }
        return type(of: other) == type(of: self) && name == other.name && label == other.label
            && behavior == other.behavior && picture == other.picture
    }

    /// The same for equal objects.
    open override var hash: Int { name.hashValue }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.text(forKey: "identifier"), let title = coder.text(forKey: "title") else {
            return nil
        }
        name = identifier
        label = title
        behavior = UNNotificationActionOptions(rawValue: coder.bits(forKey: "options"))
        picture = coder.object(of: UNNotificationActionIcon.self, forKey: "icon")
    }

    /// Archives identifier, title, options and icon.
    open func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "identifier")
        coder.encode(label as NSString, forKey: "title")
        coder.encodeBits(behavior.rawValue, forKey: "options")
        if let picture { coder.encode(picture, forKey: "icon") }
    }
}
