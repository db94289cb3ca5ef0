// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`.
/// The picture beside an action's title.
///
/// Apple draws an image of the app or one of its system symbols. Here the name is stored and handed to the sinks; none
/// of them has Apple's symbols.
open class UNNotificationActionIcon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The place in which the image is to be looked for.
    package enum Image: Hashable, Sendable {
        /// In the app's resources.
        case template(String)
        /// Among the system's symbols.
        case system(String)
    }

    /// The place and the name of the image.
    package let image: Image

    private init(image: Image) {
        self.image = image
    }

    /// An image of the app, by its name there; whether it exists is not checked.
    public convenience init(templateImageName: String) {
        self.init(image: .template(templateImageName))
    }

    /// One of Apple's symbols, by its name; whether it exists is not checked.
    public convenience init(systemImageName: String) {
        self.init(image: .system(systemImageName))
    }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns the icon itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares everything both hold.
    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationActionIcon)?.image == image }

    /// The same for equal objects.
    open override var hash: Int { image.hashValue }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        if let name = coder.text(forKey: "template") {
            image = .template(name)
        } else if let name = coder.text(forKey: "system") {
            image = .system(name)
        } else {
            return nil
        }
    }

    /// Archives the name and where it belongs.
    open func encode(with coder: NSCoder) {
        switch image {
        case .template(let name): coder.encode(name as NSString, forKey: "template")
        case .system(let name): coder.encode(name as NSString, forKey: "system")
        }
    }
}
