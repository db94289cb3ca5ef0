// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Joins items as a list in a language: "Bread, milk, and eggs".
///
/// The language is that of the process unless another is set, in the sandbox English.
/// Source: Apple, "ListFormatter".
open class ListFormatter: Formatter {
    /// The language of the list; setting `nil` sets that of the process again.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var locale: Locale! = .autoupdatingCurrent {
        didSet { if locale == nil { locale = .autoupdatingCurrent } }
    }
    /// The formatter of an item; one for which it has no text is written by its description.
    open var itemFormatter: Formatter?

    /// Joins texts as a list in the language of the process.
    open class func localizedString(byJoining strings: [String]) -> String {
        LanguageTables.list(strings, .autoupdatingCurrent) ?? strings.joined(separator: ", ")
    }

    /// Joins items as a list; no item makes an empty text.
    open func string(from items: [Any]) -> String? {
        LanguageTables.list(items.map { itemFormatter?.string(for: $0) ?? String(describing: $0) }, locale)
    }

    /// Joins the items of an array as a list; `nil` for what is no array.
    open override func string(for obj: Any) -> String? { (obj as? [Any]).flatMap(string(from:)) }
}
