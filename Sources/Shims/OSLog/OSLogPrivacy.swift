// SPDX-License-Identifier: Apache-2.0

/// The visibility of an interpolated value in the log.
///
/// Apple's log keeps private values apart and may show them to a developer whose device is attached. Here a private
/// value is replaced by `<private>` before the message leaves the extension, always and for good.
public struct OSLogPrivacy: Sendable, Equatable {
    /// The text that stands in place of a private value.
    public enum Mask: Sendable, Equatable {
        /// `<private>`.
        case none
        /// `<mask.hash: '…'>`: equal values of one process give equal text.
        ///
        /// Apple's hash can be compared over processes of one device. Ours has a key that each process draws anew.
        case hash
    }

    enum Rule: Sendable {
        case auto, open, hidden, sensitive
    }

    let rule: Rule
    let mask: Mask

    /// Numbers and booleans appear, text and objects do not.
    public static var auto: OSLogPrivacy { OSLogPrivacy(rule: .auto, mask: .none) }
    /// The value appears.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(rule: .open, mask: .none) }
    /// The value does not appear.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: .none) }
    /// The value does not appear, on Apple's platforms not even where private ones are shown.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(rule: .sensitive, mask: .none) }

    /// Decides as `auto` does; what does not appear is masked.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .auto, mask: mask) }
    /// Decides as `private` does, and masks.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: mask) }
    /// Decides as `sensitive` does, and masks.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .sensitive, mask: mask) }

    /// The text as it may be seen.
    func apply(to text: @autoclosure () -> String, isScalar: Bool) -> String {
        switch rule {
        case .open: return text()
        case .auto where isScalar && mask == .none: return text()
        case .auto, .hidden, .sensitive: return mask == .none ? "<private>" : Self.hashed(text())
        }
    }

    /// `Hasher` is a keyed function with a key that each process draws at random, so the text cannot be guessed back.
    private static func hashed(_ text: String) -> String {
        var hasher = Hasher()
        hasher.combine(text)
        let digits = String(UInt(bitPattern: hasher.finalize()), radix: 16)
        return "<mask.hash: '\(String(repeating: "0", count: max(0, 16 - digits.count)))\(digits)'>"
    }
}
