// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The clipboard, which is always empty: a view neither reads nor writes that of a person.
///
/// Source: Apple, "UIPasteboard".
@preconcurrency @MainActor open class UIPasteboard: NSObject {
    private static let only = UIPasteboard()

    /// The clipboard.
    open class var general: UIPasteboard { only }

    /// `nil`; setting it is without effect, which the log says.
    open var string: String? {
        get { nil }
        set { Self.note(newValue) }
    }
    /// `nil`; setting it is without effect, which the log says.
    open var strings: [String]? {
        get { nil }
        set { Self.note(newValue) }
    }
    /// `nil`; setting it is without effect, which the log says.
    open var url: URL? {
        get { nil }
        set { Self.note(newValue) }
    }
    /// `nil`; setting it is without effect, which the log says.
    open var urls: [URL]? {
        get { nil }
        set { Self.note(newValue) }
    }
    /// `nil`; setting it is without effect, which the log says.
    open var image: UIImage? {
        get { nil }
        set { Self.note(newValue) }
    }
    /// `nil`; setting it is without effect, which the log says.
    open var color: UIColor? {
        get { nil }
        set { Self.note(newValue) }
    }
    /// Empty; setting it is without effect, which the log says.
    open var items: [[String: Any]] {
        get { [] }
        set { Self.note(newValue) }
    }

    /// 0.
    open var numberOfItems: Int { 0 }
    /// 0: the clipboard never changes.
    open var changeCount: Int { 0 }
    /// False.
    open var hasStrings: Bool { false }
    /// False.
    open var hasURLs: Bool { false }
    /// False.
    open var hasImages: Bool { false }
    /// False.
    open var hasColors: Bool { false }

    private static func note(_ value: Any?) {
        if value != nil { Absent.note("writing to UIPasteboard", "a view does not touch a person's clipboard") }
    }
}
