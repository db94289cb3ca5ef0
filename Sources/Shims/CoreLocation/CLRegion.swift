// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Locking

// SAFETY: what may change, here and in the subclasses, lies behind a mutex; the rest is immutable after `init`.
/// An area whose borders can be watched; the kinds are its subclasses.
///
/// Here a region says where a notification belongs, and nothing else: no location manager watches one.
/// Source: Apple, "CLRegion".
open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    struct Flags: Equatable {
        var onEntry = true
        var onExit = true
        /// True if waking the display asks whether a beacon is near; only a beacon's region has this flag.
        var entryStateOnDisplay = false
    }

    private let name: String
    let flags: Locked<Flags>

    init(identifier: String, flags: Flags = Flags()) {
        name = identifier
        self.flags = Locked(flags)
    }

    /// Unique within the app.
    open var identifier: String { name }

    /// True if entering the region counts, as it does in a new region.
    open var notifyOnEntry: Bool {
        get { flags.withLock { $0.onEntry } }
        set { flags.withLock { $0.onEntry = newValue } }
    }

    /// True if leaving the region counts, as it does in a new region.
    open var notifyOnExit: Bool {
        get { flags.withLock { $0.onExit } }
        set { flags.withLock { $0.onExit = newValue } }
    }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns a region of its own.
    open func copy(with zone: NSZone? = nil) -> Any { CLRegion(identifier: name, flags: flags.withLock { $0 }) }

    /// Compares classes and everything they hold.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLRegion else { return false }
        return type(of: other) == type(of: self) && other.name == name
            && other.flags.withLock { $0 } == flags.withLock { $0 }
    }

    /// The same for equal objects.
    open override var hash: Int { name.hashValue }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "identifier"),
            let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier")
        else { return nil }
        name = identifier as String
        flags = Locked(
            Flags(
                onEntry: coder.flag(forKey: "notifyOnEntry"),
                onExit: coder.flag(forKey: "notifyOnExit"),
                entryStateOnDisplay: coder.flag(forKey: "notifyEntryStateOnDisplay")
            )
        )
    }

    /// Archives the identifier and what counts.
    open func encode(with coder: NSCoder) {
        let flags = flags.withLock { $0 }
        coder.encode(name as NSString, forKey: "identifier")
        coder.encode(flags.onEntry, forKey: "notifyOnEntry")
        coder.encode(flags.onExit, forKey: "notifyOnExit")
        coder.encode(flags.entryStateOnDisplay, forKey: "notifyEntryStateOnDisplay")
    }
}

extension NSCoder {
    // On Linux, decoding an absent key fails the whole archive.
    func flag(forKey key: String) -> Bool { containsValue(forKey: key) && decodeBool(forKey: key) }
}
